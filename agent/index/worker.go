package index

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// The worker's protocol, both ways over pipes, numbers in little endian: a request is a path and a
// text, each behind its length; an answer is one byte (0 tags, 1 an error in words) and a body
// behind its length. One request is under way at a time.

// maxFrame bounds what either side believes of a length.
const maxFrame = 64 << 20

// workerGC is how much garbage a worker lets grow for each byte that it keeps, in per cent: it keeps next
// to nothing between files, so collecting as often as a server does would cost a twelfth of its time.
const workerGC = 400

// ServeWorker tags files for another process until in ends. A grammar that crashes takes this
// process with it and no other. It is for a process of its own: it sets how that collects garbage.
func ServeWorker(ctx context.Context, in io.Reader, out io.Writer) error {
	debug.SetGCPercent(workerGC)
	r := bufio.NewReader(in)
	for {
		path, err := readFrame(r)
		if errors.Is(err, io.EOF) {
			return nil // the other side is done, or gone
		}
		src, err2 := readFrame(r)
		if err := errors.Join(err, err2); err != nil {
			return fmt.Errorf("index worker: read: %w", err)
		}
		tags, err := syntax.Tagger{}.Tags(ctx, string(path), src)
		answer := appendFrame([]byte{0}, encodeTags(tags))
		if err != nil {
			answer = appendFrame([]byte{1}, []byte(err.Error()))
		}
		if _, err := out.Write(answer); err != nil {
			return fmt.Errorf("index worker: write: %w", err)
		}
	}
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	body := make([]byte, n)
	_, err := io.ReadFull(r, body)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return body, err
}

func appendFrame(to, body []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(to, uint32(len(body))), body...)
}

// tagKinds are the kinds by number on the wire.
var tagKinds = []tag.Kind{tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Constant,
	tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key, tag.Call, tag.Use}

func encodeTags(tags []repomap.Tag) []byte {
	number := make(map[tag.Kind]byte, len(tagKinds))
	for i, k := range tagKinds {
		number[k] = byte(i)
	}
	var b []byte
	for _, t := range tags {
		if len(t.Name) > math.MaxUint16 {
			continue
		}
		def := byte(0)
		if t.Def {
			def = 1
		}
		b = append(b, number[t.Kind], def)
		for _, n := range []int{t.Line, t.First, t.Last, t.Start, t.End} {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(len(t.Name)))
		b = append(b, t.Name...)
	}
	return b
}

var errTags = errors.New("the worker's answer makes no sense")

func decodeTags(b []byte) ([]repomap.Tag, error) {
	var tags []repomap.Tag
	for len(b) > 0 {
		if len(b) < 24 || int(b[0]) >= len(tagKinds) {
			return nil, errTags
		}
		t := repomap.Tag{Kind: tagKinds[b[0]], Def: b[1] == 1}
		for i, to := range []*int{&t.Line, &t.First, &t.Last, &t.Start, &t.End} {
			*to = int(binary.LittleEndian.Uint32(b[2+4*i:]))
		}
		n := int(binary.LittleEndian.Uint16(b[22:]))
		if len(b) < 24+n {
			return nil, errTags
		}
		t.Name = string(b[24 : 24+n])
		tags, b = append(tags, t), b[24+n:]
	}
	return tags, nil
}
