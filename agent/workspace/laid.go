package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Laid is a file as it would lie on disk if all that a snapshot holds over the disk were saved.
type Laid struct {
	Path string
	Data []byte
	Gone bool // there is such a file on disk, and it would be taken away
}

// Laid returns the files that a snapshot holds otherwise than the disk does, in the order of their paths: what
// With put on top, what is open and not saved, and what an editor was sent and has not saved. A program that
// is to see the snapshot needs them over the folder. The error names the file that cannot be written so.
func (s *Snapshot) Laid(ctx context.Context) ([]Laid, error) {
	paths := map[string]bool{}
	for p := range s.over {
		paths[p] = true
	}
	for p := range s.base.open {
		paths[p] = true
	}
	for p := range s.base.sent {
		paths[p] = true
	}
	sorted := make([]string, 0, len(paths))
	for p := range paths {
		sorted = append(sorted, p)
	}
	slices.Sort(sorted)
	var list []Laid
	for _, p := range sorted {
		one, differs, err := s.Within(ctx).laid(ctx, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if differs {
			list = append(list, one)
		}
	}
	return list, nil
}

func (s *Snapshot) laid(ctx context.Context, path string) (one Laid, differs bool, err error) {
	raw, there := s.base.bytes(ctx, path)
	doc, err := s.Document(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Laid{Path: path, Gone: true}, there, nil
	}
	if err != nil {
		return Laid{}, false, fmt.Errorf("read %s: %w", path, err)
	}
	enc := doc.Encoding
	if enc == "" { // an editor does not say how it saves
		if onDisk, err := s.base.fromDisk(ctx, path); err == nil {
			enc = onDisk.Encoding
		}
	}
	data, err := encode(doc.Text, enc)
	if err != nil {
		return Laid{}, false, fmt.Errorf("write %s: %w", path, err)
	}
	return Laid{Path: path, Data: data}, !there || !bytes.Equal(raw, data), nil
}

// bytes are a file's as they lie on disk, and whether there is one that can be read.
func (b *base) bytes(ctx context.Context, path string) ([]byte, bool) {
	raw, err := b.w.door.Bytes(ctx, path)
	return raw, err == nil
}
