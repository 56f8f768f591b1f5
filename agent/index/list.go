package index

import (
	"context"
	"slices"

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
