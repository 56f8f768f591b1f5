package proposal

import (
	"context"
	"io"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

type Selector struct {
	Turn, Proposal string
	Revision       int
	Files          []string
	Hunks          []int
}
type StoreOptions struct {
	Journal   *Journal
	Clock     func() time.Time
	Random    io.Reader
	Protected func(path string) bool
	Changed   func(Proposal)
}
type Store struct{}

func NewStore(root string, o StoreOptions) *Store { return &Store{} }
func (s *Store) Add(turn, label string, changes []edits.Change, base *workspace.Snapshot) (*Proposal, error) {
	return nil, nil
}
func (s *Store) Supersede(id, turn, label string, changes []edits.Change, base *workspace.Snapshot) (*Proposal, error) {
	return nil, nil
}
func (s *Store) Pending() []Proposal                                                 { return nil }
func (s *Store) Get(id string) (Proposal, bool)                                      { return Proposal{}, false }
func (s *Store) MarkShown(id string, revision int)                                   {}
func (s *Store) Select(sel Selector) (Proposal, error)                               { return Proposal{}, nil }
func (s *Store) Find(sel Selector) (Proposal, error)                                 { return Proposal{}, nil }
func (s *Store) Discard(sel Selector) (Proposal, error)                              { return Proposal{}, nil }
func (s *Store) Apply(ctx context.Context, sel Selector, d Delivery) (Outcome, error) { return Outcome{}, nil }
func (s *Store) Settle(path, text string)                                            {}
func (s *Store) Undo(ctx context.Context, turn string, d Delivery) (Outcome, error)  { return Outcome{}, nil }
func (s *Store) Redo(ctx context.Context, turn string, d Delivery) (Outcome, error)  { return Outcome{}, nil }
func (s *Store) LastApplied(path string) (turn string, ok bool)                      { return "", false }
func (s *Store) Adopt() (int, error)                                                 { return 0, nil }

type Owner struct{}

func ThisProcess() Owner { return Owner{} }

type Journal struct{}

func NewJournal(dir string, owner Owner) (*Journal, error) { return &Journal{}, nil }
func (j *Journal) Close() error                            { return nil }
func DiffText(p Proposal) string                           { return "" }
func ColouredDiff(p Proposal) string                       { return "" }
