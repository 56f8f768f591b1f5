// Package index feeds the repository map: it lists the files of a root, reads and tags those that
// changed, keeps the snapshot in the state directory, and reads the history in the background.
//
// It ranks nothing itself; package repomap does. It opens only what its door allows. Packages agent
// and cmd call it. The main type is Index.
package index

import (
	"context"
	"log/slog"

	"coauthor/repomap"
)

// Options are the surroundings of an index. The zero value works: no store, everything readable.
type Options struct {
	StateDir string                 // where snapshots lie; empty keeps none
	Log      *slog.Logger           // nil is silent
	Door     func(path string) bool // may this path leave the machine; nil allows all
}

// Index is the live index of one root. It is safe for concurrent use.
type Index struct{}

// Open makes the index of root and starts to fill it in the background until Close.
func Open(ctx context.Context, root string, o Options) (*Index, error) { return &Index{}, ctx.Err() }

// Map answers at once from what is indexed so far.
func (x *Index) Map(ctx context.Context, r repomap.Request) (repomap.Map, error) {
	return repomap.Map{}, ctx.Err()
}

// Wait returns when the index is up to date with the disk and the history has been read.
func (x *Index) Wait(ctx context.Context) error { return ctx.Err() }

// Changed says that the file at path may have changed on disk.
func (x *Index) Changed(path string) {}

// Close stops the work in the background and waits for it.
func (x *Index) Close() {}
