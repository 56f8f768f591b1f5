package repomap

import (
	"context"
	"time"
)

// Options are what an Index works with. Source and Tagger are required; the rest may be nil.
type Options struct {
	Source   Source
	Store    Store
	Tagger   Tagger
	CoChange CoChange
	Clock    func() time.Time
	Workers  int            // files tagged at a time; 0 is one
	Note     func(s string) // told about files that were skipped; may be called concurrently
}

// Index holds what is known of one repository. It is safe for concurrent use.
type Index struct{ o Options }

// New makes an empty index. Nothing is read before Refresh.
func New(o Options) *Index { return &Index{o: o} }

// Refresh brings the index up to date with its source. Maps asked for meanwhile come from what is there.
func (x *Index) Refresh(ctx context.Context) error { return ctx.Err() }

// Update lays the text of an unsaved document over the file at path.
func (x *Index) Update(path, text string) {}

// Forget removes the overlay of path.
func (x *Index) Forget(path string) {}

// Generation counts the states of the index.
func (x *Index) Generation() uint64 { return 0 }

// Complete is the share of the files that have been read, from 0 to 1.
func (x *Index) Complete() float64 { return 0 }

// Map answers at once from what the index holds.
func (x *Index) Map(ctx context.Context, r Request) (Map, error) { return Map{}, ctx.Err() }
