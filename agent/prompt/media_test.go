package prompt_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/prompt"
)

func TestMediaType(t *testing.T) {
	for name, want := range map[string]string{
		"a.png": "image/png", "x/A.PNG": "image/png", "a.jpg": "image/jpeg", "a.jpeg": "image/jpeg", "a.gif": "image/gif", "a.WebP": "image/webp",
		"a.pdf": "application/pdf", "a.svg": "", "a.bmp": "", "png": "", "a.png.go": "", "": "",
	} {
		if got := prompt.MediaType(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	for _, c := range []struct {
		mime, data string
		want       bool
	}{
		{"image/gif", "GIF89a..", true}, {"image/gif", "GIF87a", true}, {"image/gif", "GIF88a", false}, {"image/png", "GIF89a", false},
		{"image/webp", "RIFF....WEBP", true}, {"image/webp", "RIFF....WAVE", false}, {"image/webp", "RIFF", false},
		{"application/pdf", "%PDF-1.7", true}, {"application/pdf", " %PDF-1.7", false}, {"image/jpeg", "\xff\xd8\xff\xe0", true}, {"image/jpeg", "", false}, {"text/plain", "x", false},
	} {
		if got := prompt.IsMedia(c.mime, []byte(c.data)); got != c.want {
			t.Errorf("%q is %s: %v", c.data, c.mime, got)
		}
	}
}

// The sizes by the published rule, whatever the side; what cannot be read counts as the largest.
func TestTokensOfMedia(t *testing.T) {
	count := func(mime string, data []byte) int {
		kind := llm.PartImage
		if mime == "application/pdf" {
			kind = llm.PartFile
		}
		return prompt.Tokens(llm.Message{Parts: []llm.Part{{Kind: llm.PartText, Text: "abc"}, {Kind: kind, MIME: mime, Data: data}}}, func(s string) int { return len(s) }) - 3
	}
	for _, c := range []struct{ width, height, want int }{
		{1, 1, 255}, {512, 512, 255}, {513, 512, 425}, {512, 513, 425}, {1024, 1024, 765}, {768, 768, 765}, {2048, 4096, 1105}, {4096, 2048, 1105}, {4096, 8, 765},
	} {
		m := image.NewGray(image.Rect(0, 0, c.width, c.height))
		var a, b bytes.Buffer
		if png.Encode(&a, m) != nil || jpeg.Encode(&b, m, nil) != nil {
			t.Fatal("cannot draw")
		}
		if x, y := count("image/png", a.Bytes()), count("image/jpeg", b.Bytes()); x != c.want || y != c.want {
			t.Errorf("%d by %d: %d and %d, want %d", c.width, c.height, x, y, c.want)
		}
	}
	if got := count("image/webp", []byte("RIFF....WEBP")); got != 1445 {
		t.Errorf("unknown: %d", got)
	}
	for data, want := range map[string]int{"%PDF-": 2000, "/Type /Pages /Type /Page /Type/Page": 4000, "/Type/Pages": 2000} {
		if got := count("application/pdf", []byte(data)); got != want {
			t.Errorf("%q: %d, want %d", data, got, want)
		}
	}
}

func FuzzTokensOfMedia(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Add([]byte("GIF89a\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mime := range []string{"image/png", "application/pdf"} {
			m := llm.Message{Parts: []llm.Part{{Kind: llm.PartFile, MIME: mime, Data: data}}}
			if n := prompt.Tokens(m, func(string) int { return 0 }); n < 255 {
				t.Errorf("%d tokens", n)
			}
		}
	})
}
