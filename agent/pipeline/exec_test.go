package pipeline

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

func TestFilled(t *testing.T) {
	for name, test := range map[string]struct{ template, want []string }{
		"both":         {[]string{"podman", "run", "-v", "{dir}:/w", "img", "sh", "{script}"}, []string{"podman", "run", "-v", "/s d:/w", "img", "sh", scriptFile}},
		"no script":    {[]string{"sh"}, []string{"sh", scriptFile}},
		"in a word":    {[]string{"sh", "{dir}/{script}"}, []string{"sh", "/s d/" + scriptFile}},
		"other braces": {[]string{"sh", "{x}", "{script}"}, []string{"sh", "{x}", scriptFile}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := filled(test.template, "/s d"); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	if _, err := filled([]string{""}, "/s"); err == nil || !strings.Contains(err.Error(), "pipeline.exec") {
		t.Error(err)
	}
}

// Who is asked sees all of the script, and by what it is run.
func TestScriptQuestion(t *testing.T) {
	const script = "set -e\npython3 main.py\n"
	for _, q := range []event.Question{scriptQuestion(script, nil, false, false), scriptQuestion(script, nil, true, false), scriptQuestion(script, []string{"podman", "run", "{script}"}, false, false)} {
		if q.Body != "set -e\npython3 main.py" {
			t.Error(q.Body)
		}
	}
	for want, q := range map[string]event.Question{
		`podman run "a b"`:                     scriptQuestion(script, []string{"podman", "run", "a b"}, false, false),
		"What you type goes to it":             scriptQuestion(script, nil, true, true),
		"This system has no sandbox":           scriptQuestion(script, nil, false, false),
		"only toolchains and build caches":     scriptQuestion(script, nil, true, false),
		"can read and change your other files": scriptQuestion(script, nil, false, false),
	} {
		if !strings.Contains(q.Text, want) {
			t.Errorf("%q is not in %q", want, q.Text)
		}
	}
}

// Characters are told whole, whatever pieces they come in.
func TestCharacters(t *testing.T) {
	var told []string
	c := &characters{tell: func(text string) { told = append(told, text) }}
	for _, b := range []byte("xä€😀y\xff") {
		_, _ = c.Write([]byte{b})
	}
	_, _ = c.Write([]byte{0xe2, 0x82})
	c.close()
	if got := strings.Join(told, "|"); got != "x|ä|€|😀|y|\uFFFD|\uFFFD" {
		t.Errorf("%q", got)
	}
}

// Where there is no shell, the advice is one that the system has.
func TestNoShellOfASystem(t *testing.T) {
	for system, want := range map[string]string{"windows": "Git for Windows", "linux": "Install bash"} {
		err := noShell(system)
		if !agent.IsProblem(err) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "powershell") != (system == "windows") {
			t.Errorf("%s: %v", system, err)
		}
	}
}
