package edits

import (
	"fmt"
	"slices"
)

// A file must have so many lines, and so many that tell something, before a text can be known as that file's.
const ownLines, ownTelling = 5, 3

// wrongName says whether the listing of a new file is the text of a chat file under a name that is not its
// own: it has more than half of the file's lines, these are more than half of it too, and it has at least
// half of the definitions. A file that the reply names itself is not meant, nor a new one that the request
// asks for; who does not know the request cannot tell.
func (r *run) wrongName(e *Edit, file string, new []line) *objection {
	if !e.Listing || !r.in.uses(RuleWrongName) || r.o.Wanted == nil || slices.Contains(r.o.Chat, file) || r.o.Wanted(file) {
		return nil
	}
	list := telling(new)
	if len(list) < ownTelling {
		return nil
	}
	for _, chat := range r.o.Chat {
		if !r.exists(chat) || r.edited()[chat] {
			continue
		}
		b := r.get(chat).body
		if b == nil || !b.againIn(list) {
			continue
		}
		return &objection{ReasonWrongName, fmt.Sprintf("there is no file %s, and most of its listing is the text of %s; write the listing below the name %s. If there shall be a new file beside it, list %s, too",
			file, chat, chat, chat)}
	}
	return nil
}

// againIn says whether lines that tell something are those of the file for the most part.
func (b *body) againIn(list []line) bool {
	old := telling(b.lines)
	if filledLines(b.lines) < ownLines || len(old) < ownTelling || shared(list, old) <= 0.5 || shared(old, list) <= 0.5 {
		return false
	}
	defined := definitions(b.texts())
	again := 0
	for name := range definitions(textsOf(list)) {
		if defined[name] {
			again++
		}
	}
	return 2*again >= len(defined)
}

func textsOf(list []line) []string {
	out := make([]string, len(list))
	for i, l := range list {
		out[i] = l.text
	}
	return out
}

// edited are the files that edits of the reply name.
func (r *run) edited() map[string]bool {
	if r.named == nil {
		r.named = map[string]bool{}
		for _, x := range r.list {
			if t := r.resolve(x.Path); t.exists && (t.sure || !r.exampleName(x.Path)) {
				r.named[t.path] = true
			}
			if t := r.resolve(x.From); x.From != "" && t.sure {
				r.named[t.path] = true
			}
		}
	}
	return r.named
}
