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

// A picture that the text names, or that was added to the chat, is shown like a file; what the model does not see is said in
// a line that names it, and the request goes on.
func TestPicturesOfTextAndChatAreSent(t *testing.T) {
	for _, c := range []struct {
		name, say string
		add       string
		blind     bool
		always    []string
		sent      bool
		want      string // in the notes
		failed    string // in the error of add
	}{
		{name: "at sign", say: "What is on @art/logo.png?", sent: true, want: "Added to the chat from your request: art/logo.png."},
		{name: "path", say: "What is on art/logo.png?", sent: true, want: "Added to the chat from your request: art/logo.png."},
		{name: "at sign, blind", say: "What is on @art/logo.png?", blind: true, want: "art/logo.png was not sent to the model: scripted is not known to support images."},
		{name: "path, blind", say: "What is on art/logo.png?", blind: true, want: "art/logo.png was not sent to the model: scripted is not known to support images."},
		{name: "not what it says", say: "What is on @text.png?", want: "text.png was not sent to the model: its content is not that of an image."},
		{name: "add", add: "/add art/logo.png", say: "What is it?", sent: true},
		{name: "add, glob", add: "/add art/*.png", say: "What is it?", sent: true},
		{name: "add, folder of pictures", add: "/add art", say: "What is it?", sent: true},
		{name: "add, folder with more", add: "/add .", say: "What is it?"},
		{name: "read-only", add: "/read-only art/logo.png", say: "What is it?", sent: true},
		{name: "add, blind", add: "/add art/logo.png", blind: true, say: "What is it?", failed: "art/logo.png was not added: scripted is not known to support images; choose a model that does, or set models.scripted.vision to true"},
		{name: "always", always: []string{"art/*"}, say: "What is it?", sent: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, "-- 1.md --\nYes.\n", map[string]string{"a.py": "x = 1\n", "art/logo.png": drawn(t, 8, 8), "text.png": "plain"})
			see := !c.blind
			b.user.Vision, b.settings.ReadOnly = &see, c.always
			if c.add != "" {
				if _, err := b.command(c.add); c.failed == "" && err != nil || c.failed != "" && (err == nil || err.Error() != c.failed) {
					t.Errorf("%s: %v", c.add, err)
				}
			}
			_, events := b.run(agent.Request{Instruction: c.say, Coder: "ask"})
			var notes []string
			for _, e := range events {
				if e.Note != nil {
					notes = append(notes, e.Note.Text)
				}
			}
			requests := b.server.Requests()
			if len(requests) != 1 || strings.Count(string(requests[0].Body), "data:image/png") != map[bool]int{true: 1}[c.sent] {
				t.Errorf("sent %d requests, with the picture: %v", len(requests), len(requests) == 1 && strings.Contains(string(requests[0].Body), "data:image/png"))
			}
			if strings.Join(notes, "\n") != c.want {
				t.Errorf("told %q", notes)
			}
		})
	}
}

// A picture that was added stays in the chat when the model changes to one that does not see, which is said in a line.
func TestPicturesOfTheChatForAnotherModel(t *testing.T) {
	b := newBench(t, "-- 1.md --\nYes.\n", map[string]string{"logo.png": drawn(t, 8, 8)})
	yes, no := true, false
	b.user.Vision = &yes
	if _, err := b.command("/add logo.png"); err != nil {
		t.Fatal(err)
	}
	b.user.Vision = &no
	_, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
	for _, e := range events {
		if e.Note != nil && e.Note.Text == "logo.png is in the chat but was not sent to the model: scripted is not known to support images." {
			return
		}
	}
	t.Errorf("%+v", events)
}

// What was pasted is no file: it goes out under its name, also with a follow-up, and a model that does not see it is named.
func TestPastedPicturesAreSent(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nYes.\n", map[string]string{"a.py": "x = 1\n"})
	yes, no := true, false
	b.user.Vision = &yes
	r := agent.Request{Instruction: "What is it?", Coder: "ask", Pictures: []agent.Picture{{"image.png", []byte(drawn(t, 8, 8))}, {"image.png", []byte(drawn(t, 9, 9))}}}
	first, _ := b.run(r)
	b.run(agent.Request{Instruction: "Sure?", Coder: "ask", FollowUp: first.Turn})
	requests := b.server.Requests()
	if len(requests) != 2 {
		t.Fatalf("%d requests", len(requests))
	}
	for i, sent := range requests {
		if body := string(sent.Body); strings.Count(body, "data:image/png") != 2 || !strings.Contains(body, `image.png:"`) || !strings.Contains(body, `image-2.png:"`) {
			t.Errorf("request %d: %.300s", i+1, body)
		}
	}
	for _, c := range []struct {
		picture agent.Picture
		see     *bool
		want    string
	}{
		{r.Pictures[0], &no, "image.png is an image, but scripted is not known to support this file type."},
		{agent.Picture{Name: "a.txt", Data: []byte("x")}, &yes, "a.txt is not an image or a PDF."},
		{agent.Picture{Name: "a.png", Data: []byte("x")}, &yes, "a.png has the file extension of an image but different content."},
	} {
		b.user.Vision = c.see
		_, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask", Pictures: []agent.Picture{c.picture}})
		if end := events[len(events)-1].Ended; end == nil || end.Message != c.want {
			t.Errorf("%s: %+v", c.picture.Name, end)
		}
	}
	if n := len(b.server.Requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
}
