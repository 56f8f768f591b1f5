package repomap

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"coauthor/repomap/syntax"
)

// Every file is handed out once, in order, large ones in small batches, and the last ones one or two at a time.
func TestQueue(t *testing.T) {
	var files []File
	for i := range 1000 {
		files = append(files, File{Path: fmt.Sprint(i), Size: int64(i % 7 * 20_000)})
	}
	for _, takers := range []int{1, 3, 64} {
		q := queue{most: batchFiles, takers: takers, files: files}
		var all []File
		longest, last := 0, 0
		for some := q.take(); len(some) > 0; some = q.take() {
			size := int64(0)
			for _, f := range some[:len(some)-1] {
				size += f.Size
			}
			if len(some) > batchFiles || size >= batchBytes {
				t.Errorf("%d files, %d bytes without the last one", len(some), size)
			}
			all, longest, last = append(all, some...), max(longest, len(some)), len(some)
		}
		if !slices.Equal(files, all) || last > 2 {
			t.Errorf("%d takers: %d files, %d the last time", takers, len(all), last)
		}
		if longest < 2 {
			t.Errorf("%d takers: %d files at most", takers, longest)
		}
	}
}

// together is a tagger that takes several files at a time.
type together struct {
	syntax.Tagger
	most atomic.Int64
}

func (g *together) TagAll(ctx context.Context, texts []Text) []Tagged {
	g.most.Store(max(g.most.Load(), int64(len(texts))))
	return TagAll(ctx, g.Tagger, texts)
}

// A tagger that takes several files is given several, and what is known of them then is the same to the byte.
func TestTaggerOfSeveralFiles(t *testing.T) {
	alone, several := newMemory(project(200)), newMemory(project(200))
	open(t, alone, 2)
	by := &together{}
	x := New(Options{Source: several, Tagger: by, Store: several, CoChange: several, Code: syntax.Code, Workers: 1})
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := by.most.Load(); n < 2 || n > batchFiles {
		t.Errorf("%d files at a time", n)
	}
	if !bytes.Equal(alone.stored, several.stored) {
		t.Errorf("the snapshots differ: %d and %d bytes", len(alone.stored), len(several.stored))
	}
}
