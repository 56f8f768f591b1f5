package match

// Table numbers line texts, so that lines are compared as integers. Under a fold, a line has the
// number of its folded text; all folds share one table, for most lines are the same under each. The
// number of the empty text is 0. Texts and patterns that have to do with each other share one; the zero Table is ready.
type Table struct {
	ids   map[string]int32
	heads []byte // the first byte of each text, 0 for the empty one
}

// unknown is the number of a text that is in no file.
const unknown = int32(-1)

// expect makes room for about that many texts.
func (in *Table) expect(n int) {
	if in.ids == nil {
		in.ids = make(map[string]int32, n)
		in.ids[""] = 0
		in.heads = append(make([]byte, 0, n+1), 0)
	}
}

func (in *Table) id(text string) int32 {
	in.expect(0)
	id, ok := in.ids[text]
	if !ok {
		id = int32(len(in.ids))
		in.ids[text] = id
		in.heads = append(in.heads, text[0])
	}
	return id
}

// find is id for a text that may be in no file: then it is unknown.
func (in *Table) find(text string) int32 {
	if text == "" {
		return 0
	}
	if id, ok := in.ids[text]; ok {
		return id
	}
	return unknown
}

// size is one more than the largest number.
func (in *Table) size() int { return len(in.ids) }
