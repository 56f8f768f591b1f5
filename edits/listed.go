package edits

import (
	"path"
	"slices"
	"strings"
)

// listed resolves the name of a listing. One that is no file is the chat file that it resembles, or
// for a name that an example had the one of all, if the text is that file's.
func (r *run) listed(e *Edit, new []line) target {
	t := r.resolve(e.Path)
	if t.sure || e.Path == "" || !r.in.uses(RuleListed) {
		return t
	}
	if t.exists {
		f := r.get(t.path)
		if f.body != nil && (shared(f.body.lines, new) >= 0.5 || related(tidy(e.Path), t.path) && e.Op != OpCreate && f.body.fits(new)) {
			return t
		}
	} else if e.Listing && r.exampleName(e.Path) {
		found, n := "", 0
		for _, chat := range r.o.Chat {
			if r.exists(chat) && !r.names(chat) && r.get(chat).body != nil && r.get(chat).body.fits(new) {
				found = chat
				n++
			}
		}
		if n == 1 {
			return target{path: found, exists: true, note: e.Path + " is a name of an example; its text is that of " + found}
		}
	}
	if e.Listing && slices.Contains(r.o.Misnamed, e.Path) && r.in.uses(RuleWrongName) {
		if chat := r.textOf(e.Replace); chat != "" {
			return target{path: chat, exists: true, note: "there is no file " + e.Path + "; its text is that of " + chat}
		}
	}
	return target{path: spellings(tidy(e.Path))[0]}
}

// textOf is the one chat file that no edit of the reply names and that a text is again, with all that it
// defines; "" for none.
func (r *run) textOf(text string) string {
	lines, _ := cutLines(text)
	list, found := telling(lines), ""
	for _, chat := range r.o.Chat {
		if !r.exists(chat) || r.edited()[chat] {
			continue
		}
		if b := r.get(chat).body; b == nil || !b.againIn(list) || !Keeps(strings.Join(b.texts(), "\n"), text) {
			continue
		}
		if found != "" {
			return ""
		}
		found = chat
	}
	return found
}

// related says whether two names are one path with more or fewer directories before it.
func related(name, file string) bool {
	name, file = strings.ToLower(strings.ReplaceAll(name, `\`, "/")), strings.ToLower(file)
	return name == file || strings.HasSuffix(file, "/"+name) || strings.HasSuffix(name, "/"+file)
}

// names says whether an edit of the reply names this file.
func (r *run) names(file string) bool {
	return slices.ContainsFunc(r.list, func(x Edit) bool {
		t := r.resolve(x.Path)
		return t.exists && t.path == file && (t.sure || !r.exampleName(x.Path))
	})
}

// fits says whether a text may be the new one of this file: it has the half of its definitions, or more than
// half of its lines, which are more than half of the text too; where the file defines nothing, half of its
// words. What any code has does not count.
func (b *body) fits(new []line) bool {
	if b.blank() {
		return true
	}
	if defined := definitions(b.texts()); len(defined) > 0 {
		again := map[string]bool{}
		for _, l := range new {
			if name, ok := definedIn(l.text); ok && defined[name] {
				again[name] = true
			}
		}
		old, new := telling(b.lines), telling(new)
		return 2*len(again) >= len(defined) || shared(old, new) > 0.5 && shared(new, old) > 0.5
	}
	have, in := tellingWords(new), 0
	old := tellingWords(b.lines)
	for word := range old {
		if have[word] {
			in++
		}
	}
	return in > 0 && 2*in >= len(old)
}

// anyCode are words that are in all kinds of code, and so tell no file from another.
var anyCode = map[string]bool{
	"break": true, "catch": true, "continue": true, "default": true, "do": true, "done": true, "else": true, "end": true, "esac": true, "except": true,
	"false": true, "fi": true, "finally": true, "nil": true, "none": true, "null": true, "pass": true, "return": true, "true": true, "try": true, "undefined": true,
}

// tellingWords are those of some lines that tell something.
func tellingWords(lines []line) map[string]bool {
	out := map[string]bool{}
	for _, l := range lines {
		for word := range strings.FieldsFuncSeq(l.text, notInWord) {
			if strings.Trim(word, "0123456789") != "" && !anyCode[strings.ToLower(word)] {
				out[word] = true
			}
		}
	}
	return out
}

// telling are the lines with a word that tells something.
func telling(lines []line) []line {
	var out []line
	for _, l := range lines {
		if len(tellingWords([]line{l})) > 0 {
			out = append(out, l)
		}
	}
	return out
}

func notInWord(c rune) bool { return c < 0x80 && !isName(byte(c)) }

// knownExample is the name of a file in aider's published prompts, which models trained on them repeat
// whatever the prompt says.
const knownExample = "show_greeting.py"

// exampleName says whether a name is one that stands for others, as "path/to/file.js", or of an example
// of the prompt.
func (r *run) exampleName(name string) bool {
	if !r.in.uses(RuleExample) {
		return false
	}
	name = strings.ToLower(strings.ReplaceAll(tidy(name), `\`, "/"))
	if name == knownExample || slices.Contains(r.o.Examples, name) || strings.HasPrefix(name, "path/to/") || strings.Contains(name, "/path/to/") {
		return true
	}
	stem, _, _ := strings.Cut(path.Base(name), ".")
	switch strings.ReplaceAll(stem, "-", "_") {
	case "filename", "file_name", "your_file", "yourfile", "your_filename", "path_to_file":
		return true
	}
	return false
}

// beside says whether another edit of the reply names a file that is there.
func (r *run) beside() bool {
	return slices.ContainsFunc(r.list, func(x Edit) bool {
		t := r.resolve(x.Path)
		return t.exists && (t.sure || !r.exampleName(x.Path))
	})
}

// unnamedLine drops a first line that is only a comment with the file's name, which the file did not
// have, and the blank line below it.
func (r *run) unnamedLine(e *Edit, file string, new []line, before []line) []line {
	if !e.Listing || !r.in.uses(RuleNameLine) || len(new) == 0 || !commentNames(new[0].text, file) {
		return new
	}
	for _, l := range before {
		if foldTrim.apply(l.text) == foldTrim.apply(new[0].text) {
			return new
		}
	}
	r.say(e, "the first line only names %s and was left out", file)
	new = new[1:]
	if len(new) > 0 && isBlank(new[0].text) && (len(before) == 0 || !isBlank(before[0].text)) {
		new = new[1:]
	}
	return new
}

// nameLabels are words before a name in a comment.
var nameLabels = []string{"file name:", "filename:", "file path:", "filepath:", "file:", "path:", "name:"}

// commentNames says whether a line is only a comment with the name of a file.
func commentNames(text, file string) bool {
	text = foldTrim.apply(text)
	if !isComment(text) || len(text) > maxElision || strings.HasPrefix(text, "#!") {
		return false
	}
	name := strings.Trim(uncommented(text), "#/*-;%<!{}= \t")
	for _, label := range nameLabels {
		if strings.HasPrefix(strings.ToLower(name), label) {
			name = name[len(label):]
			break
		}
	}
	name = strings.TrimPrefix(strings.Trim(name, "`*\"' \t"), "./")
	return name != "" && (related(name, file) || strings.EqualFold(name, path.Base(file)))
}
