package chat

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/mention"
)

// choice is one way to go on with what is typed.
type choice struct{ text, doc string }

// choices are what a piece of the input can be completed to.
type choices struct {
	start  int    // of the piece, in runes
	typed  string // the piece as it stands in the input
	after  string // what follows a choice that is the only one
	list   []choice
	insert bool // Tab asked for them
}

// with replaces the piece in the input.
func (c choices) with(in *input, text string) choices {
	end := min(c.start+len([]rune(c.typed)), len(in.text))
	in.text = slices.Replace(in.text, min(c.start, end), end, []rune(text)...)
	in.at = c.start + len([]rune(text))
	c.typed = text
	return c
}

// into puts a choice into the input.
func (c choices) into(in *input, i int) choices { return c.with(in, c.list[i].text) }

// begin is what all choices begin with.
func (c choices) begin() string {
	begin := c.list[0].text
	for _, one := range c.list[1:] {
		for !strings.HasPrefix(one.text, begin) {
			begin = begin[:len(begin)-1]
		}
	}
	return strings.ToValidUTF8(begin, "")
}

// rows are the choices as lines, with the picked one marked.
func (c choices) rows(picked, width, most int, st style) (rows []string) {
	widest := 0
	for _, one := range c.list {
		widest = max(widest, ansi.StringWidth(display.Line(one.text)))
	}
	if len(c.list) > most {
		most-- // the last line says how many there are below
	}
	from := max(0, min(picked-most/2, len(c.list)-most))
	for i := from; i < min(len(c.list), from+most); i++ {
		one := c.list[i]
		mark, look := "  ", lookDim
		if i == picked {
			mark, look = "* ", lookBold
		}
		name := display.Line(one.text)
		if one.doc != "" {
			name += strings.Repeat(" ", min(widest, width/2)-min(ansi.StringWidth(name), min(widest, width/2))+2) + display.Line(one.doc)
		}
		rows = append(rows, st.paint(look, fit(mark+name, width)))
	}
	if more := len(c.list) - from - most; more > 0 {
		rows = append(rows, st.paint(lookDim, fmt.Sprintf("  %d more", more)))
	}
	return rows
}

// token is the piece of a text that ends at the cursor, up to a blank.
func token(text string, at int) (piece string, start int) {
	runes := []rune(text)
	start = min(at, len(runes))
	for start > 0 && runes[start-1] != ' ' && runes[start-1] != '\n' && runes[start-1] != '\t' {
		start--
	}
	return string(runes[start:min(at, len(runes))]), start
}

// wantsChoices says whether choices are shown without Tab: behind a slash, and behind an @.
func wantsChoices(text string, at int) bool {
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") {
		return true
	}
	piece, _ := token(text, at)
	return strings.HasPrefix(piece, "@")
}

// completer knows what there is to complete.
type completer struct {
	ctx     context.Context // of the session
	session *agent.Session
	table   []command.Action
}

// complete lists what the piece before the cursor may become.
func (c completer) complete(text string, at int) choices {
	piece, start := token(text, at)
	out := choices{start: start, typed: piece, after: " "}
	if word, slash := strings.CutPrefix(text, "/"); slash {
		if start == 0 {
			all := c.slashes()
			out.list = slices.DeleteFunc(slices.Clone(all), func(s choice) bool { return !strings.HasPrefix(s.text, piece) })
			if len(out.list) == 0 {
				out.list = fitting(all, piece)
			}
			return out
		}
		name, _, _ := strings.Cut(word, " ")
		if list, ok := c.arguments(name, piece); ok {
			out.list = list
			return out
		}
	}
	sign := ""
	if rest, mention := strings.CutPrefix(piece, "@"); mention {
		sign, piece = "@", rest
	}
	files, definitions := c.named(sign, piece)
	out.list = append(files, definitions...)
	return out
}

// slashes are the commands that a message may begin with.
func (c completer) slashes() []choice {
	own := c.session.Engine.CustomCommands(c.session.Workspace, c.session.Settings()).Read(c.ctx)
	list := []choice{{"/exit", "Ends the session."}, {"/help", "Shows the keys and the commands."}}
	for _, s := range command.Slashes(c.table, c.session.Engine.Options().Coders, own.List) {
		list = append(list, choice{"/" + s.Word, command.Action{Doc: strings.ReplaceAll(s.Doc, "`", "")}.Summary()})
	}
	slices.SortFunc(list, func(a, b choice) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(list, func(a, b choice) bool { return a.text == b.text })
}

// arguments are what may follow a command; ok is false for one that takes a text.
func (c completer) arguments(name, piece string) (list []choice, ok bool) {
	i := slices.IndexFunc(c.table, func(a command.Action) bool { return a.SlashWord() == name })
	if i < 0 {
		return nil, false
	}
	values, files, text := command.Values(c.ctx, c.session, c.table[i])
	if text {
		return nil, false
	}
	list = fitting(chosenFrom(values), piece)
	if files {
		list = append(list, c.files("", piece)...)
	}
	if c.table[i].ID == "dropFile" || files && len(values) == 0 { // they are read as several names
		for n := range list {
			list[n].text = mention.QuoteName(list[n].text)
		}
	}
	return list, true
}

func chosenFrom(values []command.Value) (list []choice) {
	for _, v := range values {
		list = append(list, choice{v.Text, v.Doc})
	}
	return list
}

// files are the files that a piece may mean.
func (c completer) files(sign, piece string) []choice {
	list, _ := c.named(sign, piece)
	return list
}

// named are the files and the definitions that a piece may mean.
func (c completer) named(sign, piece string) (files, definitions []choice) {
	found, err := command.Named(c.ctx, c.session, piece)
	if err != nil {
		return nil, nil
	}
	for _, path := range found.Paths {
		files = append(files, choice{text: sign + path})
	}
	for _, d := range found.Definitions {
		definitions = append(definitions, choice{sign + d.Name, d.Path})
	}
	return files, definitions
}

// fitting are the choices that fit a piece, the best first.
func fitting(list []choice, piece string) []choice {
	out := slices.DeleteFunc(slices.Clone(list), func(one choice) bool { return command.Rank(one.text, piece) == 0 })
	if piece != "" {
		slices.SortStableFunc(out, func(a, b choice) int {
			return cmp.Or(command.Rank(b.text, piece)-command.Rank(a.text, piece), len(a.text)-len(b.text))
		})
	}
	return out
}
