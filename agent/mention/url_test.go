package mention_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/mention"
)

func TestURLs(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"See https://go.dev/doc.": "https://go.dev/doc",
		"See <https://go.dev/doc>, [it](https://go.dev/it) and `https://go.dev/q?a=b&c=d#e`!": "https://go.dev/doc https://go.dev/it https://go.dev/q?a=b&c=d#e",
		"(https://en.wikipedia.org/wiki/Go_(game))":                                           "https://en.wikipedia.org/wiki/Go_(game)",
		"**https://go.dev/a_b**, \"https://go.dev/c\" 'http://x.org'":                         "https://go.dev/a_b https://go.dev/c http://x.org",
		"https://go.dev twice: https://go.dev":                                                "https://go.dev",
		"HTTPS://Go.Dev/A":                                                                    "HTTPS://Go.Dev/A",
		"git+https://go.dev/x https:// http://: ahttps://go.dev":                              "",
		"„https://go.dev/ä“ und https://go.dev/ü。":                                            "https://go.dev/ä https://go.dev/ü",
		"https://[::1]:8080/a, http://127.0.0.1/":                                             "https://[::1]:8080/a http://127.0.0.1/",
		"{https://go.dev/{a}}, [https://go.dev/b]":                                            "https://go.dev/{a} https://go.dev/b",
		"https://go.dev/a\nhttps://go.dev/b\x00c":                                             "https://go.dev/a https://go.dev/b",
		"https://go.dev/" + strings.Repeat("a", 3000):                                         "",
		"ftp://go.dev go.dev":                                                                 "",
	} {
		if got := strings.Join(mention.URLs(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzURLs: what is found stands in the text, can be fetched as an address, and is found in itself.
func FuzzURLs(f *testing.F) {
	for _, text := range []string{"See (https://go.dev/a_(b)).", "https://[::1]/ http://a@b", "git+https://x https://)](", "https://é.example/“a”"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := mention.URLs(text)
		for _, address := range list {
			u, err := url.Parse(address)
			if err != nil || u.Hostname() == "" || !strings.Contains(text, address) {
				t.Errorf("%q is no address of %q: %v", address, text, err)
			}
			if again := mention.URLs(address); !slices.Equal(again, []string{address}) {
				t.Errorf("%q, alone: %q", address, again)
			}
			mention.Private(mention.Host(address), nil)
		}
		if slices.Sort(list); len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("twice: %q", list)
		}
	})
}

func TestPrivate(t *testing.T) {
	for host, want := range map[string]bool{
		"go.dev": false, "8.8.8.8": false, "[2606:4700::1111]:443": false, "172.32.0.1": false, "[64:ff9b::808:808]": false,
		"localhost": true, "LOCALHOST.:80": true, "a.localhost": true, "127.0.0.1:8080": true, "127.9.9.9": true, "0.0.0.0": true, "10.0.0.1": true,
		"172.16.0.1": true, "192.168.1.1": true, "169.254.169.254": true, "100.64.0.1": true, "224.0.0.1": true, "255.255.255.255": true,
		"[::1]": true, "[::]": true, "[::ffff:127.0.0.1]": true, "[fe80::1%25eth0]": true, "[fd00::1]": true, "[64:ff9b::7f00:1]": true,
		"[2002:7f00:1::]": true, "[ff02::1]": true, "[::7f00:1]": true, "[64:ff9b::a9fe:a9fe]:80": true,
	} {
		if got := mention.Private(host, nil); got != want {
			t.Errorf("%s: %v", host, got)
		}
	}
	for allowed, want := range map[string]bool{"127.0.0.1": false, "127.0.0.1:8080": false, "127.0.0.1:80": true, "127.0.0.2": true, "localhost": true, " 127.0.0.1:8080 ": false} {
		if got := mention.Private("127.0.0.1:8080", []string{allowed}); got != want {
			t.Errorf("with %q allowed: %v", allowed, got)
		}
	}
	if mention.Private("Wiki.Corp.:443", []string{"wiki.corp"}) || mention.Private("[::1]:80", []string{"[::1]"}) || mention.Private("[::1]:80", []string{"::1"}) {
		t.Error("spelled otherwise, they are not allowed")
	}
}
