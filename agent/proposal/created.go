package proposal

import (
	"context"
	"slices"

	"coauthor/edits"
)

// Created lists the files that turns have made, under a name of their own or by a move, and that were not taken back since:
// whatever program applied them. Some may be gone from the disk.
func (s *Sent) Created(ctx context.Context) ([]string, error) {
	if err := s.book.adopted(ctx); err != nil {
		return nil, err
	}
	var list []string
	add := func(deliveries []*delivery) {
		for _, d := range deliveries {
			if d.op == opUndo {
				continue
			}
			for i := range d.files {
				c := &d.files[i].change
				path := c.Path
				if c.Op == edits.OpRename {
					path = c.To
				} else if c.Op != edits.OpCreate {
					continue
				}
				if d.live(i) && !slices.Contains(list, path) {
					list = append(list, path)
				}
			}
		}
	}
	s.book.mu.Lock()
	add(s.book.sent.list)
	s.book.mu.Unlock()
	if s.book.o.Journal == nil {
		return list, nil
	}
	records, err := s.book.o.Journal.others()
	add(replay(records, s.book.root))
	return list, err
}
