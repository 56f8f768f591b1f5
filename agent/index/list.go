package index

import (
	"context"
	"fmt"
	"slices"

	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// Files lists what an index of a folder would hold, sorted: the regular files that git would show, or where there
// is no git those that no ignore file names. What may leave the machine the caller has to ask the door.
func Files(ctx context.Context, root string) ([]string, error) {
	s, err := newSource(root, nil)
	if err != nil {
		return nil, err
	}
	defer s.close()
	list, err := s.List(ctx)
	return pathsOf(list), err
}

// Sendable is Files of a workspace without those that may not be sent; of one without a root there are none. It returns when
// ctx ends, whatever hangs.
func Sendable(ctx context.Context, ws *workspace.Workspace) ([]string, error) {
	root := ws.Root()
	if root == "" {
		return nil, nil
	}
	type listing struct {
		files []string
		err   error
	}
	read := make(chan listing, 1) // buffered, so that the reader can leave when nobody waits any more
	go func() {
		list, err := Files(ctx, root)
		read <- listing{list, err}
	}()
	var l listing
	select {
	case l = <-read:
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case l.err != nil:
		return nil, fmt.Errorf("cannot list the files in %s: %w", root, l.err)
	}
	allows := ws.Door().Lister(ctx)
	return slices.DeleteFunc(l.files, func(f string) bool { return !allows(f) }), nil
}

// Names is Files without a look at them: some may be gone, or no regular files. On a large folder it takes half of the time.
func Names(ctx context.Context, root string) ([]string, error) {
	s, err := newSource(root, nil)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var all []string
	if err := s.names(ctx, func(paths []string) { all = append(all, paths...) }, func() { all = nil }); err != nil {
		return nil, err
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func pathsOf(list []repomap.File) []string {
	paths := make([]string, len(list))
	for i, f := range list {
		paths[i] = f.Path
	}
	return paths
}
