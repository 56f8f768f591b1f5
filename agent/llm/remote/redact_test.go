package remote

import (
	"testing"
)

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"key MYKEYMYKEY is wrong":                       "key [key] is wrong",
		"Incorrect API key provided: sk-ab****wxyz.":    "Incorrect API key provided: [key]",
		"Bearer abcdefgh1234":                           "[key]",
		"https://h/p?key=abc&x=1":                       "https://h/p?key=[key]&x=1",
		"nothing to hide: task-list":                    "nothing to hide: task-list",
		"AIza" + "0123456789abcdefghijKLMN is Google's": "[key] is Google's",
		"basic dXNlcjpwYXNzd29yZA== it was":             "[key] it was",
		"https://h/p?x=1&access_token=abc&sig=d":        "https://h/p?x=1&access_token=[key]&sig=[key]",
		"gsk_0123456789 and hf-0123456789":              "[key] and [key]",
		"a basic idea; the bearer of it":                "a basic idea; the bearer of it",
	} {
		if got := redact(in, "MYKEYMYKEY"); got != want {
			t.Errorf("redact(%q) = %q, want %q", in, got, want)
		}
	}
}
