package e2e

import "testing"

// tourBefore is the file that the moving picture of the README shows.
const tourBefore = `import urllib.request


def fetch(url):
    with urllib.request.urlopen(url) as r:
        return r.read()


def fetch_all(urls):
    return [fetch(url) for url in urls]
`

// tourReply changes two places of that file and adds its test.
func tourReply() string {
	return "I retry failed requests and add a test.\n\n" +
		edit("fetch.py", "import urllib.request\n", "import time\nimport urllib.error\nimport urllib.request\n") +
		edit("fetch.py", "def fetch(url):\n    with urllib.request.urlopen(url) as r:\n        return r.read()\n", `def fetch(url, tries=3):
    for left in reversed(range(tries)):
        try:
            with urllib.request.urlopen(url) as r:
                return r.read()
        except urllib.error.URLError:
            if not left:
                raise
            time.sleep(1)
`) +
		edit("tests/test_fetch.py", "", `import io
from unittest import mock
from urllib.error import URLError

from fetch import fetch


@mock.patch("time.sleep")
@mock.patch("urllib.request.urlopen")
def test_retries(urlopen, sleep):
    urlopen.side_effect = [URLError("down"), io.BytesIO(b"ok")]
    assert fetch("http://localhost") == b"ok"
    sleep.assert_called_once()
`)
}

// The main job as the README shows it.
func TestVSCodeTour(t *testing.T) {
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+tourReply()+"-- 1.yaml --\nhold-first: true\n")
	w.write("fetch.py", tourBefore)
	playVSCode(t, w, "tour.js")
}
