package index

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// request is one file as the worker is asked about it.
func request(path, src string) []byte {
	return appendRequest(nil, []repomap.Text{{Path: path, Src: []byte(src)}})
}

// answers reads what a worker said.
func answers(t *testing.T, said []byte) (out [][]repomap.Tag, refused []string) {
	t.Helper()
	for r := bufio.NewReader(bytes.NewReader(said)); ; {
		status, err := r.ReadByte()
		if errors.Is(err, io.EOF) {
			return out, refused
		}
		body, err := readFrame(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if status != 0 {
			refused = append(refused, string(body))
			continue
		}
		tags, err := decodeTags(body)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, tags)
	}
}

// A worker answers one request after the other until its input ends. Where that ends within a request,
// or says what cannot be, the worker ends with an error and invents nothing.
func TestWorkerProtocol(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // a worker sets it for its process
	files := [][2]string{{"a.go", "package a\n\nfunc A() {}\n"}, {"größe.py", "class B:\n    def c(self): pass\n"}, {"empty.go", ""},
		{"deep.c", "int x = " + strings.Repeat("(", 200_000)}, {"last.js", "function last() {}\n"}}
	var in bytes.Buffer
	var want [][]repomap.Tag
	var refused []string
	ends := map[int]int{0: 0} // where a request ends -> how many there are
	for i, f := range files {
		in.Write(request(f[0], f[1]))
		ends[in.Len()] = i + 1
		tags, err := syntax.Tagger{}.Tags(t.Context(), f[0], []byte(f[1]))
		if err != nil {
			refused = append(refused, err.Error())
			continue
		}
		want = append(want, tags)
	}
	var out bytes.Buffer
	if err := ServeWorker(t.Context(), bytes.NewReader(in.Bytes()), &out); err != nil {
		t.Errorf("to the end: %v", err)
	}
	if percent := debug.SetGCPercent(100); percent != workerGC {
		t.Errorf("a worker collects at %d per cent", percent)
	}
	got, said := answers(t, out.Bytes())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(refused, said); diff != "" {
		t.Error(diff)
	}
	first := request(files[0][0], files[0][1])
	// What cannot be tagged is said in words, and the next request is answered.
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	out.Reset()
	if err := ServeWorker(stopped, bytes.NewReader(append(first[:len(first):len(first)], first...)), &out); err != nil {
		t.Errorf("stopped: %v", err)
	}
	if got, said := answers(t, out.Bytes()); len(got) != 0 || len(said) != 2 || said[0] != context.Canceled.Error() {
		t.Errorf("stopped: %v, refused %q", got, said)
	}
	for n := range len(first) + 20 {
		out.Reset()
		err := ServeWorker(t.Context(), bytes.NewReader(in.Bytes()[:n]), &out)
		whole, ok := ends[n]
		if ok && err != nil || !ok && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
		if !ok && n > len(first) {
			whole = 1
		}
		if got, _ := answers(t, out.Bytes()); len(got) != whole {
			t.Errorf("cut after %d bytes: %d answers", n, len(got))
		}
	}
	if err := ServeWorker(t.Context(), bytes.NewReader(first), brokenPipe{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("nobody reads: %v", err)
	}
	tooLong := binary.LittleEndian.AppendUint32(nil, maxFrame+1)
	for what, in := range map[string][]byte{"path": append(first[:4:4], tooLong...), "text": append(request("a.go", "")[:12], tooLong...)} {
		if err := ServeWorker(t.Context(), bytes.NewReader(in), io.Discard); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("a %s that is too long: %v", what, err)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The largest frame that is allowed is read.
func TestLargestFrame(t *testing.T) {
	b := bytes.NewReader(appendFrame(nil, make([]byte, maxFrame)))
	if body, err := readFrame(bufio.NewReader(b), nil); err != nil || len(body) != maxFrame {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

// Tags come over the wire as they were, whatever they are; a name that has no room there is left out alone.
func TestTagsOnTheWire(t *testing.T) {
	var tags []repomap.Tag
	for i, kind := range tagKinds {
		for _, def := range []bool{true, false} {
			tags = append(tags, repomap.Tag{Kind: kind, Def: def, Name: strings.Repeat("größe", i), Line: i, First: i + 1, Last: math.MaxInt32 - i,
				Start: 1 << (i + 8), End: math.MaxUint32 - i})
		}
	}
	longest := repomap.Tag{Kind: tagKinds[1], Name: strings.Repeat("n", math.MaxUint16)}
	tooLong := repomap.Tag{Kind: tagKinds[1], Name: longest.Name + "n"}
	want := append(tags, longest, tags[0])
	got, err := decodeTags(appendTags(nil, append(tags[:len(tags):len(tags)], longest, tooLong, tags[0])))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	raw := appendTags(nil, tags[:6])
	whole := map[int]bool{0: true}
	for n := range tags[:6] {
		whole[len(appendTags(nil, tags[:n+1]))] = true
	}
	for n := range raw {
		if got, err := decodeTags(raw[:n]); whole[n] != (err == nil) || err != nil && got != nil {
			t.Errorf("cut after %d bytes: %d tags, %v", n, len(got), err)
		}
	}
	for kind := range 256 {
		raw[0] = byte(kind)
		if _, err := decodeTags(raw); (err == nil) != (kind < len(tagKinds)) {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}
