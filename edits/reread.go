package edits

// reread tries other readings of an edit that stands nowhere as it was written.
func (r *run) reread(b *body, e *Edit, w where) (*pattern, *place, string) {
	if e.Kind != KindReplace {
		return nil, nil, ""
	}
	for _, reading := range readings {
		search, replace, ok := reading.read(e.Search, e.Replace)
		if !ok {
			continue
		}
		p := newPattern(replacePattern(search, replace), r.in)
		if p.blank() {
			continue
		}
		if pl, missed := b.locate(p, w); missed == nil {
			return p, &pl, reading.note
		}
	}
	return nil, nil, ""
}

// reading is a way in which models write something else than the lines of the file.
type reading struct {
	note string
	read func(search, replace string) (string, string, bool)
}

var readings = []reading{}
