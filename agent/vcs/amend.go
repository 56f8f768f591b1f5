package vcs

import (
	"bytes"
	"context"
	"strings"
)

// Amend makes this the commit that takes the place of the last one, whose parent is given; "" where it is the first of all.
// What it changes is seen from that parent from now on. Author and date stay, as git does it.
func (s *Staged) Amend(parent string) { s.amends, s.parent = true, parent }

// before is the commit whose difference this one is; "" is none.
func (s *Staged) before() string {
	if s.amends {
		return s.parent
	}
	return s.place.Head
}

// emptyTree is the name of a tree with nothing in it.
func emptyTree(ctx context.Context, root string) (string, error) {
	out, err := output(ctx, root, bytes.NewReader(nil), "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(string(out)), err
}

// Trailers are the lines at the end of a message such as "Signed-off-by: NAME", each with its line end.
func Trailers(ctx context.Context, root, message string) (string, error) {
	out, err := output(ctx, root, strings.NewReader(message), "interpret-trailers", "--parse", "--no-divider")
	return string(out), err
}
