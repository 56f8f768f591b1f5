package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Way is how a command is kept from the user's files.
type Way string

// The ways, the safest first.
const (
	// Overlay lays the changes over the folder in namespaces of Linux. Nothing that the command writes stays, and it
	// reaches no network.
	Overlay Way = "overlay"
	// Copied runs the command in a copy of the folder, which is kept and brought up to date. What it writes there is
	// dropped, but nothing keeps it from the network and from files elsewhere.
	Copied Way = "copy"
)

// Ways lists them in the order in which they are tried.
func Ways() []Way { return []Way{Overlay, Copied} }

// Way finds by trying how commands are run on a folder. The error says why there is no way.
func (s *Shadow) Way(ctx context.Context, root string) (Way, error) {
	way, _, err := s.choose(ctx, root)
	return way, err
}

// choose is Way, and what was wrong with those before it.
func (s *Shadow) choose(ctx context.Context, root string) (way Way, before, err error) {
	if s == nil || s.o.Dir == "" {
		return "", nil, noShadow("this program runs without sandbox support")
	}
	if root == "" {
		return "", nil, noShadow("no folder is open")
	}
	s.sweep()
	s.mu.Lock()
	known, ok := s.ways[root]
	s.mu.Unlock()
	if ok {
		return known.way, known.before, known.err
	}
	var reasons []error
	for _, w := range Ways() {
		if len(s.o.Ways) > 0 && !slices.Contains(s.o.Ways, w) {
			continue
		}
		switch w {
		case Overlay:
			err = s.tryOverlay(ctx, root)
		case Copied:
			err = s.tryCopy(root)
		}
		if ctx.Err() != nil {
			return "", nil, ctx.Err()
		}
		if err == nil {
			way = w
			break
		}
		reasons = append(reasons, err)
	}
	known = chosen{way: way, before: errors.Join(reasons...)}
	if way == "" {
		known.err = noShadow(joined(reasons))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ways == nil {
		s.ways = map[string]chosen{}
	}
	s.ways[root] = known
	return known.way, known.before, known.err
}

// chosen is the way of a folder.
type chosen struct {
	way    Way
	before error // why those before it are not possible; nil for the first
	err    error // why there is none
}

func joined(reasons []error) string {
	text := ""
	for _, r := range reasons {
		if text != "" {
			text += "; "
		}
		text += r.Error()
	}
	if text == "" {
		text = "this system allows neither"
	}
	return text
}

// Run runs a command to its end in the way of its folder. The error means that it did not run; what the command itself
// does is no error.
func (s *Shadow) Run(ctx context.Context, j Job) (Executed, error) {
	way, _, err := s.choose(ctx, j.Root)
	if err != nil {
		return Executed{}, err
	}
	j.limits = s.o.Most
	j.limits.Time = j.Time
	var r Executed
	switch way {
	case Overlay:
		r, err = s.overlaid(ctx, j)
	case Copied:
		r, err = s.copied(ctx, j)
	}
	if ctx.Err() != nil {
		return Executed{}, ctx.Err()
	}
	if err != nil {
		return Executed{}, err
	}
	r.Way = way
	return r, nil
}

// ErrNone says that commands cannot be run here.
var ErrNone = errors.New("this system cannot run commands in a sandbox or a copy")

func noShadow(why any) error { return fmt.Errorf("%w: %v", ErrNone, why) }
