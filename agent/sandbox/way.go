package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Way finds by trying how commands are run on a folder. The error says why there is no way.
func (s *Shadow) Way(ctx context.Context, root string) (Way, error) {
	if s == nil || s.o.Dir == "" {
		return "", noShadow("this program runs without sandbox support")
	}
	if root == "" {
		return "", noShadow("no folder is open")
	}
	s.sweep()
	s.mu.Lock()
	known, ok := s.ways[root]
	s.mu.Unlock()
	if ok {
		return known.way, known.err
	}
	var reasons []error
	for _, w := range []Way{Overlay, Copied} {
		if len(s.o.Ways) > 0 && !slices.Contains(s.o.Ways, w) {
			continue
		}
		var err error
		switch w {
		case Overlay:
			err = s.tryOverlay(ctx, root)
		case Copied:
			err = s.tryCopy(root)
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err == nil {
			known.way = w
			break
		}
		reasons = append(reasons, err)
	}
	if known.way == "" {
		known.err = noShadow(joined(reasons))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ways == nil {
		s.ways = map[string]chosen{}
	}
	s.ways[root] = known
	return known.way, known.err
}

// chosen is the way of a folder.
type chosen struct {
	way Way
	err error // why there is none
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
	way, err := s.Way(ctx, j.Root)
	if err != nil {
		return Executed{}, err
	}
	j.limits = s.o.Most
	j.limits.Time = j.Time
	if err := s.prepare(&j); err != nil {
		return Executed{}, err
	}
	defer removeAll(j.dir)
	if j.Line != nil {
		j.told = &lines{tell: j.Line}
	}
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
	if j.told != nil {
		j.told.end()
	}
	r.Way, r.Report = way, j.report()
	if r.At != "" {
		for _, text := range []*string{&r.Out, &r.Err, &r.Report} { // what it says of the copy it says of the folder
			*text = strings.ReplaceAll(*text, r.At, j.root)
		}
	}
	return r, nil
}

// ErrNone says that commands cannot be run here.
var ErrNone = errors.New("this system cannot run commands in a sandbox or a copy")

func noShadow(why any) error { return fmt.Errorf("%w: %v", ErrNone, why) }
