package deliver

import (
	"slices"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Some clients cannot be sent a step in one piece: they do the operations on files before the text edits
// of the same request, or leave a document open whose file they deleted. The step is then sent in parts,
// each of which must have arrived before the next goes.

// stages splits a plan into the requests that are sent one after the other.
func (p *requestBuilder) stages(list []clientStep) [][]clientStep {
	if p.native {
		return p.groups(list)
	}
	if !p.quirks.OperationsApart {
		var out [][]clientStep
		for _, group := range p.groups(list) {
			out = append(out, p.emptyFirst(group)...)
		}
		return out
	}
	var makes, texts, operations []clientStep
	add := func(to *[]clientStep, c clientStep, part part, more, next bool) {
		c.part, c.more, c.next = part, more, next
		*to = append(*to, c)
	}
	for _, c := range list {
		written := len(p.textEdits(c.as(partText))) > 0
		switch c.step.Change.Op {
		case edits.OpCreate:
			if p.makes(c) {
				add(&makes, c, partFile, written, false)
			}
			if written {
				add(&texts, c, partText, false, p.makes(c))
			}
		case edits.OpUpdate:
			add(&texts, c, partText, false, false)
		case edits.OpRename:
			if written {
				add(&texts, c, partText, true, false)
			}
			add(&operations, c, partFile, false, written)
		case edits.OpDelete:
			empties := p.emptiesFirst(c)
			if empties || c.emptied() {
				add(&texts, c, partText, empties, false)
			}
			if !c.emptied() {
				add(&operations, c, partFile, false, empties)
			}
		}
	}
	return slices.DeleteFunc([][]clientStep{makes, texts, operations}, func(l []clientStep) bool { return len(l) == 0 })
}

// emptyFirst puts a request before a group that takes the text out of the documents that its deletes
// would leave open.
func (p *requestBuilder) emptyFirst(group []clientStep) [][]clientStep {
	var texts []clientStep
	rest := slices.Clone(group)
	for i, c := range rest {
		if !p.emptiesFirst(c) {
			continue
		}
		rest[i].part, rest[i].next = partFile, true
		c.part, c.more = partText, true
		texts = append(texts, c)
	}
	if len(texts) == 0 {
		return [][]clientStep{group}
	}
	return [][]clientStep{texts, rest}
}

// emptiesFirst says whether the text of a step's document is taken out before its file is deleted.
func (p *requestBuilder) emptiesFirst(c clientStep) bool {
	return p.quirks.EmptyBeforeDelete && c.step.Change.Op == edits.OpDelete && c.version != nil && !c.buffered &&
		p.canDelete() && !workspace.Blank(c.step.Change.Before)
}

// makes says whether a step begins with a create operation.
func (p *requestBuilder) makes(c clientStep) bool {
	return c.step.Change.Op == edits.OpCreate && c.version == nil && (p.canCreate() || p.textless(c) && p.canMake())
}

// byCopy says whether a rename becomes a new file and the end of the old one, since the client would leave
// the open document under its old name.
func (p *requestBuilder) byCopy(c clientStep) bool {
	return c.step.Change.Op == edits.OpRename && p.quirks.RenameKeepsDocument && c.version != nil && p.canRename() && !c.buffered
}

func (c clientStep) as(part part) clientStep {
	c.part = part
	return c
}

// meant is what the step is to make of its file.
func (c clientStep) meant() edits.Change {
	change := c.step.Change
	if c.part == partText && change.Op == edits.OpRename {
		change.Op, change.To = edits.OpUpdate, ""
	}
	return change
}

// between is what a file reads when the first part of its step has arrived and the next has not.
func (c clientStep) between() string {
	if c.step.Change.Op == edits.OpRename {
		return c.step.Change.After
	}
	return ""
}
