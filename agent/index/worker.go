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
	"slices"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// The worker's protocol, both ways over pipes, numbers in little endian: a request is the number of its files, then
// of each a path and a text, both behind their length; its answer is for each file one byte (0 tags, 1 an error in
// words) and a body behind its length. One request is under way at a time, and is read to its end before it is
// answered, so that neither side waits to write what the other one does not read.

// maxFrame bounds what either side believes of a length.
const maxFrame = 64 << 20

// pipeSize is what a pipe holds on most systems, and so what one read may bring.
const pipeSize = 64 << 10

// workerGC is how much garbage a worker lets grow for each byte that it keeps, in per cent: it keeps next
// to nothing between files, so collecting as often as a server does would cost a twelfth of its time.
const workerGC = 400

// ServeWorker tags files for another process until in ends. A grammar that crashes takes this
// process with it and no other. It is for a process of its own: it sets how that collects garbage.
func ServeWorker(ctx context.Context, in io.Reader, out io.Writer) error {
	debug.SetGCPercent(workerGC)
	// Who wants a worker to stop in the middle of a file ends it. To listen beside each parse would take a second thread.
	alone := context.WithoutCancel(ctx)
	r := bufio.NewReaderSize(in, pipeSize)
	var path, src, answer []byte // used for one request after the other
	for {
		var head [4]byte
		_, err := io.ReadFull(r, head[:])
		if errors.Is(err, io.EOF) {
			return nil // the other side is done, or gone
		}
		answer = answer[:0]
		for n := binary.LittleEndian.Uint32(head[:]); n > 0 && err == nil; n-- {
			var err2 error
			path, err = readFrame(r, path)
			src, err2 = readFrame(r, src)
			if err = errors.Join(err, err2); err == nil {
				answer = appendAnswer(alone, ctx, answer, string(path), src)
			}
		}
		if err != nil {
			return fmt.Errorf("index worker: read: %w", err)
		}
		if _, err := out.Write(answer); err != nil {
			return fmt.Errorf("index worker: write: %w", err)
		}
	}
}

// appendAnswer tags one file.
func appendAnswer(ctx, ends context.Context, to []byte, path string, src []byte) []byte {
	var tags []repomap.Tag
	err := ends.Err()
	if err == nil {
		tags, err = syntax.Tagger{}.Tags(ctx, path, src)
	}
	head := len(to)
	to = append(to, 0, 0, 0, 0, 0)
	if err != nil {
		to[head] = 1
		to = append(to, err.Error()...)
	} else {
		to = appendTags(to, tags)
	}
	binary.LittleEndian.PutUint32(to[head+1:], uint32(len(to)-head-answerHead))
	return to
}

// answerHead is what stands before an answer's body: a byte and the length.
const answerHead = 5

// readFrame reads a frame into memory, or into more of it.
func readFrame(r *bufio.Reader, memory []byte) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	body := slices.Grow(memory[:0], int(n))[:n]
	_, err := io.ReadFull(r, body)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return body, err
}

func appendRequest(to []byte, texts []repomap.Text) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(len(texts)))
	for _, t := range texts {
		to = appendFrame(appendFrame(to, []byte(t.Path)), t.Src)
	}
	return to
}

func appendFrame(to, body []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(to, uint32(len(body))), body...)
}

// tagKinds are the kinds by number on the wire.
var tagKinds = []tag.Kind{tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Constant,
	tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key, tag.Call, tag.Use}

// tagNumbers are the places in tagKinds.
var tagNumbers = func() map[tag.Kind]byte {
	number := make(map[tag.Kind]byte, len(tagKinds))
	for i, k := range tagKinds {
		number[k] = byte(i)
	}
	return number
}()

// appendTags writes tags behind what b holds. Of those with names of no sensible length nobody is told.
func appendTags(b []byte, tags []repomap.Tag) []byte {
	for _, t := range tags {
		if len(t.Name) > math.MaxUint16 {
			continue
		}
		def := byte(0)
		if t.Def {
			def = 1
		}
		b = append(b, tagNumbers[t.Kind], def)
		for _, n := range [...]int{t.Line, t.First, t.Last, t.Start, t.End} {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(len(t.Name)))
		b = append(b, t.Name...)
	}
	return b
}

var errTags = errors.New("the worker's answer is invalid")

// tagHead is what stands before the name of a tag.
const tagHead = 24

func decodeTags(b []byte) ([]repomap.Tag, error) {
	count := 0
	for rest := b; len(rest) > 0; count++ {
		if len(rest) < tagHead || int(rest[0]) >= len(tagKinds) {
			return nil, errTags
		}
		size := tagHead + int(binary.LittleEndian.Uint16(rest[tagHead-2:]))
		if len(rest) < size {
			return nil, errTags
		}
		rest = rest[size:]
	}
	if count == 0 {
		return nil, nil
	}
	tags, names := make([]repomap.Tag, count), string(b) // all names lie in one piece of memory
	for i := range tags {
		t := repomap.Tag{Kind: tagKinds[b[0]], Def: b[1] == 1}
		for k, to := range [...]*int{&t.Line, &t.First, &t.Last, &t.Start, &t.End} {
			*to = int(binary.LittleEndian.Uint32(b[2+4*k:]))
		}
		size := tagHead + int(binary.LittleEndian.Uint16(b[tagHead-2:]))
		t.Name = names[tagHead:size]
		tags[i], b, names = t, b[size:], names[size:]
	}
	return tags, nil
}
