package verify

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// Renamed returns the check for names that the request asks to rename ("rename area to get_area") and that the
// files shown still define or use: a rename that was done in part. It reads English. What is behind a dot
// counts for methods and fields, what is not for the others; where a name is defined in several places and the
// request says which one it means, only that definition counts. It is a guess, so the model is asked once.
func Renamed() Check { return Check{Name: "renames", From: Syntax, Run: halfRenamed} }

// rename is what a request says of one name.
type rename struct {
	from, to string
	words    []string // of the sentence, which may say whose name it is
}

var (
	renameWord = regexp.MustCompile(`(?i)\brenam(?:e|ing)\b`)
	identifier = regexp.MustCompile(`[\pL_$][\pL\pN_$]*(?:\.[\pL_$][\pL\pN_$]*)*`)
	becoming   = regexp.MustCompile("(?i)^[`'\"(),\\s]*(?:to|into|as|->|=>)[\\s`'\"]+(?:be\\s+|the\\s+name\\s+)?")
)

// mostRenames is how many names of a request are looked for.
const mostRenames = 8

// renames lists what a request asks to rename, of the names that are known.
func renames(request string, known func(string) bool) []rename {
	var list []rename
	for _, text := range sentence.Split(wrapped.ReplaceAllString(request[:min(len(request), mostWanted)], "$1 "), -1) {
		at := renameWord.FindStringIndex(text)
		if at == nil {
			continue
		}
		words := word.FindAllString(text, -1)
		from := ""
		for rest, places := text[at[1]:], identifier.FindAllStringIndex(text[at[1]:], -1); len(places) > 0 && len(list) < mostRenames; places = places[1:] {
			name := rest[places[0][0]:places[0][1]]
			if before := becoming.FindStringIndex(rest[places[0][0]:]); from != "" && before != nil {
				at := identifier.FindStringIndex(rest[places[0][0]+before[1]:])
				if at == nil || at[0] > 0 {
					continue
				}
				to := lastOf(rest[places[0][0]+before[1]:][:at[1]])
				if to != from && !isFileName(rest[places[0][0]+before[1]:]) {
					list = append(list, rename{from: from, to: to, words: words})
				}
				from = ""
				continue
			}
			if from == "" && known(lastOf(name)) && !isFileName(rest[places[0][0]:]) {
				from = lastOf(name)
			}
		}
	}
	return list
}

// proseWord says whether a name may as well be a word of the language.
func proseWord(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
}

// lastOf is the name behind the last dot.
func lastOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// isFileName says whether a text begins with the name of a source file.
func isFileName(text string) bool {
	name := strings.TrimRight(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;:)`'\"", r) })[0], ".")
	return path.Ext(name) != "" && syntax.Code(name)
}

func halfRenamed(ctx context.Context, in Input) ([]Finding, error) {
	if in.Partly || len(in.Changes) == 0 || !renameWord.MatchString(in.Request) || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	before, after, err := bothSides(ctx, in)
	if err != nil {
		return nil, err
	}
	known := func(name string) bool {
		return slices.ContainsFunc(before, func(f namedFile) bool { return len(f.defs[name]) > 0 })
	}
	var list []Finding
	for _, r := range renames(in.Request, known) {
		if proseWord(r.to) && !slices.ContainsFunc(after, func(f namedFile) bool { return len(f.defs[r.to]) > 0 }) {
			continue // "rename it to match the others"
		}
		var all []namedDef
		for _, f := range before {
			all = append(all, f.defs[r.from]...)
		}
		meant := r.meant(all)
		for _, f := range after {
			if err := ctx.Err(); err != nil {
				return list, err
			}
			lines, err := r.left(ctx, f, meant, len(meant) == len(all))
			if err != nil {
				return list, err
			}
			if len(lines) > 0 {
				list = append(list, renamedFinding(f.path, lines, r))
			}
		}
	}
	return list, nil
}

func renamedFinding(file string, lines []int, r rename) Finding {
	var numbers []string
	for _, n := range lines[:min(len(lines), mostNamed)] {
		numbers = append(numbers, strconv.Itoa(n))
	}
	where, has := "line "+numbers[0], "has"
	if n := len(numbers); n > 1 {
		where, has = "lines "+strings.Join(numbers[:n-1], ", ")+" and "+numbers[n-1], "have"
	}
	return Finding{Check: "renames", Path: file, First: lines[0], Last: lines[0], Once: true,
		Text: fmt.Sprintf("%s still %s %s, which the request asks to rename to %s.", where, has, r.from, r.to)}
}

// namedFile is a file of programs with what it defines by name.
type namedFile struct {
	path, text string
	defs       map[string][]namedDef
}

// namedDef is where a name is defined.
type namedDef struct {
	kind  tag.Kind
	owner string // the innermost definition around it; "" at the top
	line  int    // from 1
}

// member says whether the name is used behind a dot.
func (d namedDef) member() bool { return d.kind == tag.Method || d.kind == tag.Field || d.owner != "" }

// bothSides reads the files that the turn shows or changes, as they were and as they are.
func bothSides(ctx context.Context, in Input) (before, after []namedFile, err error) {
	add := func(list []namedFile, file, text string) []namedFile {
		if err != nil || text == "" || !syntax.Code(file) {
			return list
		}
		var defs map[string][]namedDef
		defs, err = namesDefined(ctx, file, text)
		return append(list, namedFile{path: file, text: text, defs: defs})
	}
	changed := map[string]bool{}
	for _, c := range in.Changes {
		changed[pathOf(c)] = true
		before = add(before, c.Path, c.Before)
		if c.Op != edits.OpDelete {
			after = add(after, pathOf(c), c.After)
		}
	}
	for _, file := range in.Shown {
		if changed[file] || !in.Tree.Exists(file) {
			continue
		}
		text, unreadable := in.Tree.Read(file)
		if unreadable != nil {
			continue // what cannot be read says nothing
		}
		before = add(before, file, text)
		after = add(after, file, text)
	}
	return before, after, err
}

// namesDefined lists all that a file defines outside of functions.
func namesDefined(ctx context.Context, file, text string) (map[string][]namedDef, error) {
	tags, err := syntax.Tags(ctx, file, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("find the definitions of %s: %w", file, err)
	}
	list := map[string][]namedDef{}
	var around []tag.Tag
	for _, t := range tags {
		if !t.Def {
			continue
		}
		for len(around) > 0 && around[len(around)-1].End <= t.Start {
			around = around[:len(around)-1]
		}
		if !slices.ContainsFunc(around, func(o tag.Tag) bool { return o.Kind == tag.Function || o.Kind == tag.Method }) {
			d := namedDef{kind: t.Kind, line: t.Line + 1}
			if len(around) > 0 {
				d.owner = around[len(around)-1].Name
			}
			if receiver := goReceiver.FindStringSubmatch(text[t.Start:min(t.End, len(text))]); t.Kind == tag.Method && receiver != nil {
				d.owner = receiver[1]
			}
			list[t.Name] = append(list[t.Name], d)
		}
		if counts(t.Kind) {
			around = append(around, t)
		}
	}
	return list, nil
}

// meant are the definitions of a name that the request speaks of: those of an owner that it names, else all.
func (r rename) meant(all []namedDef) []namedDef {
	var list []namedDef
	for _, d := range all {
		if d.owner != "" && slices.Contains(r.words, d.owner) {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		return all
	}
	return list
}

// left lists the lines of a file, from 1, that still define a name that was to be renamed, or use it. Uses are told
// apart from those of other things of this name only if there are none.
func (r rename) left(ctx context.Context, f namedFile, meant []namedDef, only bool) ([]int, error) {
	var lines []int
	for _, d := range f.defs[r.from] {
		if slices.ContainsFunc(meant, func(m namedDef) bool { return m.owner == d.owner }) {
			lines = append(lines, d.line)
		}
	}
	if only {
		member := slices.ContainsFunc(meant, namedDef.member)
		free := slices.ContainsFunc(meant, func(d namedDef) bool { return !d.member() })
		places, err := codePlaces(ctx, f.path, f.text, r.from)
		if err != nil {
			return nil, err
		}
		for _, at := range places {
			if dotted := behindDot(f.text, at); dotted && !member || !dotted && !free || !dotted && bindsBefore.MatchString(strings.TrimRight(f.text[max(0, at-30):at], " \t")) {
				continue
			}
			if !free && !strings.HasPrefix(strings.TrimLeft(f.text[at+len(r.from):], " "), "(") && slices.ContainsFunc(meant, func(d namedDef) bool { return d.kind == tag.Method }) {
				continue // a field of that name
			}
			if everyones[r.from] && behindDot(f.text, at) && !ofItself(f.text[:at]) {
				continue // as likely a method of the language's own types
			}
			lines = append(lines, 1+strings.Count(f.text[:at], "\n"))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// ofItself says whether a text ends with an object's name for itself and a dot.
func ofItself(before string) bool { return itself.MatchString(before[max(0, len(before)-40):]) }

var itself = regexp.MustCompile(`(?:^|[^\w.$>])(?:self|cls|this)\s*(?:\.|->|::)\s*$`)

// everyones are the methods that lists, texts, tables and the like have in Python, scripts and Rust: behind any
// object but one's own they say nothing about whose they are.
var everyones = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`
		add any all append apply bind bit_length call capitalize capture casefold catch center chars clear clone close
		concat contains contains_key copy count decode difference discard drain encode endswith entries entry enumerate every
		exists expandtabs extend fill filter finally find find_all findIndex first flat flatMap flush fold forEach format from
		fromkeys get get_mut has hash includes index indexOf insert intersection into is_empty isalnum isalpha isdigit islower
		isspace isupper items iter iter_mut join keys last lastIndexOf len length lines ljust lower lstrip map match max min
		name next open ord parse partition peek pop popitem position push push_str read readline readlines reduce remove repeat
		replace reset resolve retain reverse rfind rindex rjust rpartition rsplit rstrip search seek set setdefault shift size
		skip slice some sort sorted splice split split_off splitlines startswith strip sub substring sum swap swapcase symmetric_difference
		take tell test then title toString to_string toUpperCase toLowerCase translate trim truncate union unshift unwrap update
		upper value valueOf values write writelines zfill zip`) {
		out[name] = true
	}
	return out
}()

// behindDot says whether a name is a member of something: behind a dot, an arrow, or two colons.
func behindDot(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-40):at], " \t\r\n")
	return strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "...") || strings.HasSuffix(before, "->") || strings.HasSuffix(before, "::")
}

// codePlaces lists where a file has a name in code: not in comments, and in strings only where they take code in.
func codePlaces(ctx context.Context, file, text, name string) ([]int, error) {
	places := placesOf(text, name)
	if len(places) == 0 {
		return nil, nil
	}
	comments, err := syntax.Comments(ctx, file, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("find the comments of %s: %w", file, err)
	}
	return slices.DeleteFunc(places, func(at int) bool {
		if slices.ContainsFunc(comments, func(c syntax.Comment) bool { return c.Start <= at && at < c.End }) {
			return true
		}
		from := strings.LastIndexByte(text[:at], '\n') + 1
		line, _, _ := strings.Cut(text[from:], "\n")
		return inString(line, at-from)
	}), nil
}

// inString says whether a place of a line is within a string, and not in the braces of one. Strings over several lines
// are not seen, and single quotes count where they come in pairs.
func inString(line string, at int) bool {
	var quote byte
	braces := 0
	for i := 0; i < at; i++ {
		c := line[i]
		switch {
		case quote == 0 && (c == '"' || c == '`' || c == '\'' && strings.IndexByte(line[i+1:], '\'') >= 0):
			quote, braces = c, 0
		case quote == 0:
		case c == '\\':
			i++
		case c == '{':
			braces++
		case c == '}':
			braces = max(0, braces-1)
		case c == quote && braces == 0:
			quote = 0
		}
	}
	return quote != 0 && braces == 0
}
