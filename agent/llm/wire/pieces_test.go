package wire

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// FuzzJoint: however a text is cut, what comes out is the same valid text, piece by piece; what is valid comes as it is.
func FuzzJoint(f *testing.F) {
	f.Add("aé🙂", 2)
	f.Add("\xed\xa0\xbd\xed\xb8\x80", 3)
	f.Add("\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80\xf0\x9f", 1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size <= 0 {
			return
		}
		var j joint
		var b strings.Builder
		for at := 0; at < len(text); at += size {
			b.WriteString(j.add(text[at:min(at+size, len(text))]))
			if size > len(text) {
				break
			}
		}
		b.WriteString(j.end())
		got := b.String()
		if strings.ToValidUTF8(got, "") != got || got != Joined(text) || j.held != "" {
			t.Errorf("%q in pieces of %d: %q, whole %q", text, size, got, Joined(text))
		}
		if strings.ToValidUTF8(text, "") == text && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// TestKeptThoughtsInPieces: what goes back grows in time that is linear in it. Six times as many pieces come where
// COAUTHOR_LARGE is set, as .ci/run does.
func TestKeptThoughtsInPieces(t *testing.T) {
	var k Kept
	pieces := 10_000
	if os.Getenv("COAUTHOR_LARGE") != "" {
		pieces = 60_000
	}
	piece := json.RawMessage(`{"reasoning_content":"abcd","reasoning_details":[{"index":0,"type":"reasoning.text","text":"abcd"}]}`)
	for range pieces {
		k.TakeMessage(piece)
	}
	var back struct {
		Content string `json:"reasoning_content"`
		Details []struct {
			Text string `json:"text"`
		} `json:"reasoning_details"`
	}
	if err := json.Unmarshal(k.Json(), &back); err != nil || len(back.Content) != 4*pieces || len(back.Details) != 1 || len(back.Details[0].Text) != 4*pieces {
		t.Errorf("%v, %d of it, %d details", err, len(back.Content), len(back.Details))
	}
}

// TestArgumentsInPieces: whether arguments are whole is known without reading them again for each piece.
func TestArgumentsInPieces(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, ` {"a":"}{\"\\"} `: true, `{"a":[{}]}`: true, `{`: false, `{}}`: false, `{}{}`: false, `[]`: false, `"x"`: false, ``: false, `{"a":}`: false, `{"a":"}`: false,
	} {
		for size := 1; size <= 5; size++ {
			var g growing
			for at := 0; at < len(text); at += size {
				g.write(text[at:min(at+size, len(text))])
				_ = g.complete()
			}
			if g.complete() != want || g.blank() != (strings.TrimSpace(text) == "") {
				t.Errorf("%q in pieces of %d: %v", text, size, g.complete())
			}
		}
	}
	var c calls
	start := time.Now()
	c.add(Piece{Function: struct {
		Name      Word      `json:"name"`
		Arguments Arguments `json:"arguments"`
	}{Name: "read", Arguments: `{"a":"`}}, 0, nil)
	for range 400_000 {
		p := Piece{}
		p.Function.Arguments = "}}"
		c.add(p, 0, nil)
	}
	if took := time.Since(start); took > time.Minute { // quadratic it is half an hour
		t.Errorf("took %v", took)
	}
}
