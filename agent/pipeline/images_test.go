package pipeline_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
)

// aPNG is how a PNG begins, which is all that anybody here looks at.
const aPNG = "\x89PNG\r\n\x1a\n"

// seeing is a bench whose model sees.
func seeing(t *testing.T, disk map[string]string, replies ...string) *bench {
	t.Helper()
	b := newBench(t, disk, replies...)
	yes := true
	b.user.Vision = &yes
	return b
}

// A model that sees is sent the images with the request: in generate behind the prompt, in lite, whose prompt is the system
// text, behind the form of files, in clarify with the first message, in improve behind the files and the request. The
// script is asked for without them.
func TestImages(t *testing.T) {
	const data = "data:image/png;base64,"
	sketch := data + base64.StdEncoding.EncodeToString([]byte(aPNG+"1"))
	for name, test := range map[string]struct {
		command string
		lite    bool
		replies []string
		files   []string
		message string // that holds the image, as the server reads it
	}{
		"generate": {"generate", false, []string{twoFiles, aScript}, nil, "Request: Like this.[image_url]"},
		"lite":     {"generate", true, []string{twoFiles, aScript}, nil, "Do not describe the files one by one.\n[image_url]"},
		"clarify":  {"clarify", false, []string{noQuestion, twoFiles, aScript}, nil, "Request: Like this.[image_url]"},
		"improve":  {"improve", false, []string{"```diff\n--- a.py\n+++ a.py\n@@ -1,1 +1,1 @@\n-x\n+y\n```\n"}, []string{"a.py"}, "Request: Like this.[image_url]"},
	} {
		t.Run(name, func(t *testing.T) {
			b := seeing(t, map[string]string{"docs/sketch.png": aPNG + "1", "a.py": "x\n"}, test.replies...)
			c := pipeline.Args{Instruction: "Like this.", Files: test.files, Images: []string{"docs/sketch.png"}, Lite: test.lite}
			r := b.run(test.command, c)
			if r.State != event.TurnProposed || r.Err != nil {
				t.Fatalf("%s %v\n%s", r.State, r.Err, b.notes())
			}
			requests := b.server.Requests()
			last := len(requests) - 1
			if test.command != "improve" {
				last-- // the script
				if strings.Contains(string(requests[last+1].Body), data) {
					t.Error("the script was asked for with the image")
				}
			}
			for i := range last + 1 {
				_, texts := b.request(i + 1)
				found := false
				for j, text := range texts {
					found = found || strings.HasSuffix(text, test.message) && requests[i].Messages[j].Role == "user"
				}
				if !found || strings.Count(string(requests[i].Body), sketch) != 1 {
					t.Errorf("call %d was sent\n%.2000s", i+1, requests[i].Body)
				}
			}
			if n := b.notes(); test.command == "generate" && strings.Contains(n, "sketch.png") {
				t.Errorf("the image counts as a project: %s", n)
			}
		})
	}
}

// A folder stands for the images in it, in the order of their names.
func TestImagesOfAFolder(t *testing.T) {
	b := seeing(t, map[string]string{"ui/2.png": aPNG + "2", "ui/notes.txt": "no image", "ui/in/1.JPG": "\xff\xd8\xff1", "3.png": aPNG + "3"}, twoFiles, aScript)
	r := b.run("generate", pipeline.Args{Instruction: "Like this.", Images: []string{"3.png", "ui"}})
	if r.State != event.TurnProposed {
		t.Fatalf("%s %v", r.State, r.Err)
	}
	_, texts := b.request(1)
	if texts[1] != "Request: Like this.[image_url][image_url][image_url]" {
		t.Errorf("sent %q", texts[1])
	}
	body := string(b.server.Requests()[0].Body)
	at := -1
	for _, one := range []string{aPNG + "3", aPNG + "2", "\xff\xd8\xff1"} {
		next := strings.Index(body, base64.StdEncoding.EncodeToString([]byte(one)))
		if next <= at {
			t.Errorf("%q is at %d, behind %d", one, next, at)
		}
		at = next
	}
}

// What cannot be shown is said before the model is asked.
func TestBadImages(t *testing.T) {
	for name, test := range map[string]struct {
		image string
		blind bool
		want  string
	}{
		"no image":       {"notes.txt", false, "notes.txt is neither an image nor a folder with images."},
		"missing":        {"none.png", false, "none.png does not exist."},
		"missing folder": {"none", false, "none is neither an image"},
		"no images":      {"texts", false, "texts is neither an image nor a folder with images."},
		"something else": {"fake.png", false, "fake.png has the file extension of an image but different content."},
		"outside":        {"../a.png", false, "../a.png"},
		"a blind model":  {"ok.png", true, "ok.png is an image, but scripted is not known to support this file type."},
		"blind, folder":  {"ui", true, "ui/ok.png is an image, but scripted is not known to support this file type."},
	} {
		t.Run(name, func(t *testing.T) {
			b := seeing(t, map[string]string{"notes.txt": "x", "texts/a.txt": "x", "fake.png": "x", "ok.png": aPNG, "ui/ok.png": aPNG}, "never asked")
			if test.blind {
				b.user.Vision = nil
			}
			r := b.run("generate", pipeline.Args{Instruction: "Like this.", Images: []string{test.image}})
			if r.State != event.TurnFailed || r.Err == nil || !strings.Contains(r.Err.Error(), test.want) {
				t.Errorf("%s %v", r.State, r.Err)
			}
			if n := len(b.server.Requests()); n > 0 {
				t.Errorf("the model was asked %d times", n)
			}
		})
	}
}
