package agent

import (
	"context"
	"fmt"
	"strings"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// permits asks the door about the edits of one reply: about all of its paths at once, when it is asked
// about the first of them, because the door may have to start git to answer.
type permits struct {
	s     *settling
	ctx   context.Context
	list  []edits.Edit
	known map[permit]workspace.Decision // nil until the first question
}

type permit struct {
	path string
	op   workspace.Operation
}

// may says why a path may not be changed in this way, nil when it may.
func (p *permits) may(path string, op edits.Op) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	if p.known == nil {
		p.askAll()
	}
	ask := permit{path, p.operation(path, op)}
	d, known := p.known[ask]
	if !known {
		d = p.s.d.door.Check(p.ctx, path, ask.op)
		p.known[ask] = d
	}
	if d.Verdict == workspace.Refuse {
		return refusal{reasonOf(d.Code), fmt.Sprintf("%s may not be changed: %s", path, strings.TrimSuffix(d.Reason, "."))}
	}
	return p.s.outOfReach(path)
}

func (p *permits) operation(path string, op edits.Op) workspace.Operation {
	return workspace.OperationOf(op, p.s.c.Now.Exists(path))
}

// askAll asks about what the edits name. A name that stands for another file is asked about by itself.
func (p *permits) askAll() {
	p.known = map[permit]workspace.Decision{}
	paths := map[workspace.Operation][]string{}
	seen := map[permit]bool{}
	for _, e := range p.list {
		if e.Path == "" || p.ctx.Err() != nil {
			continue
		}
		op := edits.OpUpdate
		switch e.Kind {
		case edits.KindDelete:
			op = edits.OpDelete
		case edits.KindRename:
			op = edits.OpRename
		case edits.KindReplace, edits.KindWhole, edits.KindHunk:
		}
		ask := permit{e.Path, p.operation(e.Path, op)}
		if !seen[ask] {
			seen[ask] = true
			paths[ask.op] = append(paths[ask.op], e.Path)
		}
	}
	for op, list := range paths {
		for i, d := range p.s.d.door.CheckAll(p.ctx, list, op) {
			p.known[permit{list[i], op}] = d
		}
	}
}
