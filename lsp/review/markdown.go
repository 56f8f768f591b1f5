package review

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"coauthor/agent/display"
)

// Editors differ in whether they read tables, which take a code span apart where a column ends.
var dialects = []parser.Parser{
	goldmark.New().Parser(),
	goldmark.New(goldmark.WithExtensions(extension.Table)).Parser(),
}

const (
	// mostPasses bounds how often what was made text uncovers something else that would act.
	mostPasses = 8
	// mostCost bounds the signs of Markdown in a paragraph times its length, summed up: the parser looks for the end of
	// what a sign begins in all that follows.
	mostCost = 100 << 20
	// mostNested is how many containers (quotes, lists) may begin on one line.
	mostNested = 50
)

// tag is where HTML begins, or what would.
var tag = regexp.MustCompile(`<[a-zA-Z/!?]`)

// Harmless keeps markdown of a model from acting: links that do anything but open a page of the web, a
// mail or a place in the project, images, which would be loaded from elsewhere, and HTML, which can do
// both, are shown as text. Listings stay as they are. A Markdown parser says what is a link and what is
// a listing.
func Harmless(markdown string) string {
	source := display.Text(markdown)
	if !strings.ContainsAny(source, "[<") {
		return source
	}
	if costly(source) {
		return verbatim(source)
	}
	for range mostPasses {
		at := acting(source)
		if len(at) == 0 {
			return source
		}
		source = escaped(source, at)
	}
	return verbatim(source)
}

// costly says whether a text would keep the parser for seconds. People and models write no such text.
func costly(source string) bool {
	cost, length, signs := 0, 0, 0
	for line := range strings.Lines(source) {
		begin := line[:len(line)-len(strings.TrimLeft(line, "> \t-+*"))]
		if strings.Count(begin, ">")+len(strings.Fields(begin)) > mostNested {
			return true
		}
		if strings.TrimSpace(line) == "" {
			length, signs = 0, 0
			continue
		}
		cost -= length * signs
		length += len(line)
		for i := range len(line) {
			if strings.IndexByte("[]()<`!*_", line[i]) >= 0 {
				signs++
			}
		}
		if cost += length * signs; cost > mostCost {
			return true
		}
	}
	return false
}

// acting returns where in a text something begins that would act, in order.
func acting(source string) []int {
	var at []int
	for _, p := range dialects {
		_ = ast.Walk(p.Parse(text.NewReader([]byte(source))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				at = append(at, actingAt(n, source)...)
			}
			return ast.WalkContinue, nil
		})
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// actingAt returns where a backslash makes text of a node that would act.
func actingAt(n ast.Node, source string) []int {
	switch n := n.(type) {
	case *ast.Image:
		return []int{n.Pos() + len("!")}
	case *ast.Link:
		if !opens(n.Destination) {
			return append(colon(source, n.Pos(), "](", n.Destination), n.Pos())
		}
	case *ast.LinkReferenceDefinition:
		if !opens(n.Destination) {
			return append(colon(source, n.Pos(), "]:", n.Destination), n.Pos())
		}
	case *ast.AutoLink:
		if url := n.URL([]byte(source)); n.AutoLinkType == ast.AutoLinkURL && !opens(url) {
			return append(colon(source, n.Pos(), "", url), n.Pos())
		}
	case *ast.RawHTML:
		return []int{n.Pos()}
	case *ast.HTMLBlock:
		return tagsOf(n, source)
	}
	return nil
}

// colon returns where the scheme of a destination ends that comes after a mark. Editors also find links in the text of a
// document by patterns of their own that know no backslash before the link; with one in the address it is none to them.
func colon(source string, from int, mark string, destination []byte) []int {
	end := bytes.IndexByte(destination, ':')
	if end < 0 {
		return nil // written as an entity, which patterns do not read
	}
	for {
		i := strings.Index(source[from:], string(destination))
		if i < 0 {
			return nil // of a definition that stands elsewhere
		}
		before := strings.TrimRight(source[:from+i], "< \t\n")
		if strings.HasSuffix(before, mark) {
			if i += from + end; source[i-1] == '\\' {
				return nil
			}
			return []int{i}
		}
		from += i + 1
	}
}

// tagsOf returns the tags of a block of HTML up to the first listing in it: that will be one when the block is none.
func tagsOf(n *ast.HTMLBlock, source string) []int {
	var at []int
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		line := source[s.Start:s.Stop]
		if start := strings.TrimLeft(line, " \t"); i > 0 && (strings.HasPrefix(start, "```") || strings.HasPrefix(start, "~~~")) {
			break
		}
		for _, m := range tag.FindAllStringIndex(line, -1) {
			at = append(at, s.Start+m[0])
		}
	}
	return at
}

// opens says whether a link to a destination opens a page, a mail or a place in the project, and does nothing else.
func opens(destination []byte) bool {
	to := util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(destination)))
	to = util.ResolveEntityNames(util.ResolveNumericReferences(to)) // an editor may do it once more when it follows the link
	scheme, _, found := bytes.Cut(to, []byte(":"))
	if !found || bytes.ContainsAny(scheme, "/?#") {
		return !bytes.HasPrefix(to, []byte("//")) && !bytes.HasPrefix(to, []byte(`\\`)) // those name another machine
	}
	switch strings.ToLower(string(scheme)) {
	case "http", "https", "mailto":
		return true
	}
	return false
}

// escaped puts a backslash before places of a text.
func escaped(source string, at []int) string {
	var b strings.Builder
	from := 0
	for _, i := range at {
		b.WriteString(source[from:i])
		b.WriteByte('\\')
		from = i
	}
	b.WriteString(source[from:])
	return b.String()
}

// verbatim is a text in a fence that it cannot end.
func verbatim(source string) string {
	longest, run := 2, 0
	for i := range len(source) {
		if run++; source[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "\n" + strings.TrimSuffix(source, "\n") + "\n" + fence + "\n"
}

// openFence is the fence of the listing that is open at the end of a text; "" for none.
func openFence(markdown string) string {
	const end = "end"
	source := []byte(markdown + "\n" + end)
	last, ok := dialects[0].Parse(text.NewReader(source)).LastChild().(*ast.FencedCodeBlock)
	if !ok || last.Lines().Len() == 0 || last.Lines().At(last.Lines().Len()-1).Stop < len(source) {
		return ""
	}
	fence := source[last.Pos():]
	return string(fence[:len(fence)-len(bytes.TrimLeft(fence, string(fence[:1])))])
}
