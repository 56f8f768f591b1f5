package agent_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/workspace"
)

const tinyPDF = "%PDF-1.4\n1 0 obj << /Type /Pages /Kids [2 0 R 3 0 R] >>\n2 0 obj << /Type /Page >>\n3 0 obj << /Type /Page >>\n%%EOF\n"

func drawn(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A model that sees gets images and PDFs as they are, behind their paths, also in a follow-up; it cannot change
// them, and their size counts.
func TestImagesAndDocumentsAreSent(t *testing.T) {
	logo := drawn(t, 1024, 512)
	b := newBench(t, "-- 1.md --\n"+xIsTwo+"-- 2.md --\nYes.\n", map[string]string{"a.py": "x = 1\n", "art/Logo.PNG": logo, "spec.pdf": tinyPDF})
	yes := true
	b.user.Vision, b.user.PDF = &yes, &yes
	r := agent.Request{Instruction: "Make x two.", Files: []string{"a.py", "art/Logo.PNG"}, ReadOnly: []string{"spec.pdf", "art/Logo.PNG"}}
	shown, err := b.session.Prompt(t.Context(), r, agent.Ports{})
	if err != nil || !strings.Contains(command.Document(shown), "[Logo.PNG: image/png, ") || !strings.Contains(command.Document(shown), "[spec.pdf: application/pdf, ") {
		t.Errorf("%v\n%s", err, command.Document(shown))
	}
	for _, p := range shown.Parts {
		if p.Name == "read-only files" && (p.Tokens < 2*170+85+2*2000 || p.Tokens > 2*170+85+2*2000+100) {
			t.Errorf("the image and the two pages count %d tokens", p.Tokens)
		}
	}
	result, _ := b.run(r)
	if result.State != event.TurnProposed || len(result.Proposal.Files) != 1 {
		t.Fatalf("%+v", result)
	}
	b.run(agent.Request{Instruction: "Is it?", FollowUp: result.Turn, Coder: "ask"})
	for i, sent := range b.server.Requests() {
		body := string(sent.Body)
		for _, want := range []string{
			`"image_url":{"url":"data:image/png;base64,` + base64.StdEncoding.EncodeToString([]byte(logo)) + `"}`,
			`"file_data":"data:application/pdf;base64,` + base64.StdEncoding.EncodeToString([]byte(tinyPDF)) + `"`,
			`art/Logo.PNG:"`, `"filename":"spec.pdf"`,
		} {
			if strings.Count(body, want) != 1 {
				t.Errorf("request %d has %.60s %d times", i+1, want, strings.Count(body, want))
			}
		}
	}
}

// What cannot be sent ends the turn before anything is, with a word of why and what to do.
func TestImagesThatAreNotSent(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "o.png")
	if err := os.WriteFile(outside, []byte(drawn(t, 1, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file string
		blind      bool
		options    workspace.Options
		answers    []string
		want       string
		sent       bool
	}{
		{name: "good", file: "logo.png", sent: true},
		{name: "a model that does not see", file: "logo.png", blind: true, want: "logo.png is an image, but scripted is not known to support this file type. models.scripted.vision"},
		{name: "a PDF for a model that does not see", file: "spec.pdf", blind: true, want: "spec.pdf is a PDF, but scripted"},
		{name: "a PDF for a model that sees images", file: "spec.pdf", want: "spec.pdf is a PDF, but scripted although it supports images. pages models.scripted.pdf"},
		{name: "something else", file: "text.png", want: "text.png has the file extension of an image"},
		{name: "no webp", file: "sound.webp", want: "sound.webp has the file extension of"},
		{name: "not there", file: "none.gif", want: "none.gif does not exist"},
		{name: "a folder", file: "dir.png", want: "dir.png a folder"},
		{name: "leads out", file: "out.png", want: "out.png points outside the workspace"},
		{name: "too large", file: "logo.png", options: workspace.Options{MaxFileBytes: 50}, want: "logo.png limit"},
		{name: "ignored", file: "made.png", want: "made.png ignored"},
		{name: "ignored, and sent all the same", file: "made.png", answers: []string{"send"}, sent: true},
		{name: "among the secrets", file: "logo.png", options: workspace.Options{DenyGlobs: []string{"logo.*"}}, want: "logo.png secrets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.file == "out.png" && runtime.GOOS == "windows" {
				t.Skip("links need a right there")
			}
			image := drawn(t, 8, 8)
			b := newBench(t, "-- 1.md --\nYes.\n", map[string]string{"logo.png": image, "made.png": image, "text.png": "SECRET", "sound.webp": "RIFF1234WAVEfmt ", "spec.pdf": tinyPDF, ".gitignore": "made.png\n", "dir.png/x": ""})
			if runtime.GOOS != "windows" {
				if err := os.Symlink(outside, filepath.Join(b.root, "out.png")); err != nil {
					t.Fatal(err)
				}
			}
			ws, err := workspace.Open(b.root, c.options)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = ws.Close() })
			see := !c.blind
			b.ws, b.session, b.user.Vision, b.answers = ws, b.engine.Session(ws), &see, c.answers
			r := agent.Request{Instruction: "What is it?", Coder: "ask", Files: []string{c.file}}
			_, events := b.run(r)
			if got := len(b.server.Requests()) == 1; got != c.sent {
				t.Fatalf("sent: %v", got)
			}
			end := events[len(events)-1].Ended
			for _, word := range strings.Fields(c.want) {
				if !strings.Contains(end.Message+" "+end.Advice, word) {
					t.Errorf("%q, %q do not say %s", end.Message, end.Advice, word)
				}
			}
			asked := len(b.asked)
			p, err := b.session.Prompt(t.Context(), r, agent.Ports{Ask: b})
			if len(b.asked) > asked {
				t.Errorf("asked only to look")
			}
			if withheld := c.options.DenyGlobs != nil || c.file == "made.png"; withheld && (err != nil || len(command.LeftOut(p)) == 0 || command.LeftOut(p)[0].What != c.file) || !withheld && (err == nil) != c.sent {
				t.Errorf("to look: %v, left out %+v", err, command.LeftOut(p))
			}
		})
	}
}

// The model that writes the edits of a plan is shown of its images and documents what it takes.
func TestTheEditorSeesWhatItTakes(t *testing.T) {
	b := newBench(t, replies("a.py: x becomes 2."+asPlan, xIsTwo), map[string]string{"a.py": "x = 1\n", "logo.png": drawn(t, 8, 8), "spec.pdf": tinyPDF})
	b.threeModels()
	yes := true
	for name, pdf := range map[string]*bool{"scripted": &yes, "writer": nil} {
		u := b.settings.Models[name]
		u.Vision, u.PDF = &yes, pdf
		b.settings.Models[name] = u
	}
	r, _ := b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Files: []string{"a.py"}, ReadOnly: []string{"logo.png", "spec.pdf"}})
	requests := b.server.Requests()
	if r.State != event.TurnProposed || len(requests) != 2 {
		t.Fatalf("%+v after %d requests", r, len(requests))
	}
	for i, sent := range requests {
		if body := string(sent.Body); !strings.Contains(body, "image_url") || strings.Contains(body, "file_data") != (i == 0) {
			t.Errorf("request %d: %.300s", i+1, body)
		}
	}
}
