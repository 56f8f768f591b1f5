package secret_test

import (
	"strings"
	"testing"

	"coauthor/agent/secret"
)

// keys are one of each form, put together here so that no scanner of this repository finds them.
func keys() []string {
	r := strings.Repeat("a1B2c3D4e5", 8)
	return []string{
		"sk-" + r[:40], "AKIA" + "ABCDEFGH12345678", "ASIA" + "ABCDEFGH12345678", "ghp_" + r[:36], "gho_" + r[:36], "github_pat_" + r[:60], "glpat-" + r[:20],
		"xoxb-" + r[:30], "AIza" + r[:35], "hf_" + r[:34], "gsk_" + r[:44], "xai-" + r[:44], "sk_live_" + r[:24], "rk_live_" + r[:24], "npm_" + r[:36], "pypi-" + r[:60],
	}
}

// TestEveryFormIsKnownEverywhere: what models are not shown is left out of all that is kept and told.
func TestEveryFormIsKnownEverywhere(t *testing.T) {
	list := keys()
	for _, name := range []string{"RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
		list = append(list, "-----BEGIN "+name+"-----\n1|MIIEowIBAAKCAQEAt5rSDCYTCG\n2|c1gTAFnlVA75bJTtpXcc2w==\n-----END "+name+"-----")
	}
	for _, key := range list {
		text := "it is " + key + ", is it?"
		found := 0
		hidden := secret.Replace(text, func(string) string { found++; return "x" })
		if found == 0 {
			t.Errorf("%q is not known", key)
		}
		for how, got := range map[string]string{"replaced": hidden, "kept": secret.Without(text), "told": secret.WithoutAny(text)} {
			if strings.Contains(got, "a1B2") || strings.Contains(got, "MIIE") || strings.Contains(got, "c1gT") || strings.Contains(got, "ABCDEFGH") || !strings.HasPrefix(got, "it is ") || !strings.HasSuffix(got, ", is it?") {
				t.Errorf("%s: %q", how, got)
			}
		}
	}
}

func TestWordsAreNoKeys(t *testing.T) {
	for _, text := range []string{"sk-learn-pipeline-and-some-more-words", "key_of_something_else", "a basic understanding of it", "task-list", "AKIA", "-----BEGIN PRIVATE KEY-----", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "npm_config_registry"} {
		if got := secret.Without(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// FuzzWithout: leaving keys out twice leaves out no more.
func FuzzWithout(f *testing.F) {
	for _, key := range keys() {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := secret.Without(text)
		if again := secret.Without(once); again != once {
			t.Errorf("%q: %q, then %q", text, once, again)
		}
	})
}
