package main

import (
	"strings"
	"testing"

	"coauthor/agent/settings"

	"golang.org/x/text/encoding/unicode"
)

// written is a text in the encodings and with the line ends that editors write.
func written(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for ends, nl := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"} {
		text := strings.ReplaceAll(text, "\n", nl)
		little, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		big, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		all["UTF-8, "+ends], all["mark, "+ends], all["UTF-16, little, "+ends], all["UTF-16, big, "+ends] = text, "\ufeff"+text, little, big
	}
	return all
}

// TestEncodingsOfOurFiles: what the user writes for us is read in each encoding that an editor may write it in.
func TestEncodingsOfOurFiles(t *testing.T) {
	const envFile, ownFile, rulesFile = ".env", ".config/coauthor/commands/tidy.md", ".config/coauthor/AGENTS.md"
	config, env := written(t, "# mïne\nmodel: stub\napiBase: http://127.0.0.1:1/v1\napiKeyEnv: A_KEY\nenv.files: [~/.env]\n"), written(t, "A_KEY=secret\n# ï\nB=c\n")
	own, rules := written(t, "---\ndescription: tïdy\n---\nTidy it.\n"), written(t, "Be brïef.\n")
	for name := range config {
		r := newReloading(t, nil)
		r.write(r.home, userConfig, config[name])
		r.write(r.home, envFile, env[name])
		r.write(r.home, ownFile, own[name])
		r.write(r.home, rulesFile, rules[name])
		s, warnings := r.settings("", settings.Editor{})
		if len(warnings) > 0 || s.Unread != "" || s.Model != "stub" || s.APIBase != "http://127.0.0.1:1/v1" {
			t.Errorf("%s: model %q at %q, %v", name, s.Model, s.APIBase, warnings)
		}
		if got := r.keys(s)("A_KEY"); got != "secret" {
			t.Errorf("%s: the key is %q", name, got)
		}
		if list := r.user.Commands(); len(list) != 1 || list[0].Err != nil || list[0].Text != "---\ndescription: tïdy\n---\nTidy it.\n" {
			t.Errorf("%s: %q", name, list)
		}
		if f, err := r.user.Rules(); err != nil || f.Text != "Be brïef.\n" {
			t.Errorf("%s: the rules are %q: %v", name, f.Text, err)
		}
	}
}

// TestUnreadVariables: while no model is chosen the keys choose one, so a file of keys that cannot be read chooses none.
func TestUnreadVariables(t *testing.T) {
	for name, x := range map[string]struct{ file, config, at string }{
		"no line of variables": {"A=b\n# c\nD='e\nf'\nANTHROPIC_API_KEY sk-x\n", "", ".env:5:1: "},
		"Latin-1":              {"A=b\n\xfc=1\n", "", ".env:2:1: "},
		"without a mark":       {"A\x00=\x00b\x00", "", ".env:1:2: "},
		"a model is chosen":    {"A=b\n\xfc=1\n", "model: gpt-4o\n", ""},
		"an endpoint is named": {"A=b\n\xfc=1\n", "apiBase: http://127.0.0.1:1\n", ""},
		"it is right":          {"A=b\n", "", ""},
	} {
		r := newReloading(t, map[string]string{"OPENAI_API_KEY": "sk-here"})
		r.write(r.home, userConfig, x.config+"env.files: [~/.env, ~/none.env]\n")
		r.write(r.home, ".env", x.file)
		s, warnings := r.settings("", settings.Editor{})
		if (s.Unread == "") != (x.at == "") || !strings.Contains(s.Unread, x.at) || strings.Contains(s.Unread, "sk-") {
			t.Errorf("%s: %q, want %q", name, s.Unread, x.at)
		}
		if (len(warnings) > 0) != (name != "it is right") {
			t.Errorf("%s: %v", name, warnings)
		}
	}
}
