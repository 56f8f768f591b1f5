package mention

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
)

// What a page does not show to its readers is not shown to the model either: such text is there for programs, and may
// be written for this one. Styles count as far as the page itself holds them; a style sheet of its own is not fetched.

// mostHiding is how many rules of a page's style sheets are looked at. Each is tried on every element.
const mostHiding = 200

// hide takes the elements out of a tree that its own styles do not show. It stops where ctx ends.
func hide(ctx context.Context, root *html.Node) {
	var rules []cascadia.Sel
	var away []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "style" && n.Namespace == "" {
			rules = append(rules, hidingRules(textOf(n), mostHiding-len(rules))...)
		}
	}
	for n := range root.Descendants() {
		if ctx.Err() != nil {
			return
		}
		if n.Type != html.ElementNode || n.Data == "html" || n.Data == "body" || n.Data == "head" {
			continue // of a page that is shown by a script there would be nothing left
		}
		if unseen(declarations(attribute(n, "style"))) || slices.ContainsFunc(rules, func(s cascadia.Sel) bool { return s.Match(n) }) {
			away = append(away, n)
		}
	}
	for _, n := range away {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// hidingRules are the selectors of a style sheet whose elements are not shown, as far as they hold on every screen.
func hidingRules(sheet string, most int) []cascadia.Sel {
	var list []cascadia.Sel
	p := css.NewParser(parse.NewInputString(sheet), false)
	selectors, inside := "", 0
	var found map[string]string
	for len(list) < most {
		kind, _, name := p.Next()
		switch kind {
		case css.ErrorGrammar:
			if p.HasParseError() {
				continue
			}
			return list
		case css.BeginAtRuleGrammar:
			inside++
		case css.EndAtRuleGrammar:
			inside--
		case css.QualifiedRuleGrammar:
			selectors += tokens(p.Values()) + ","
		case css.BeginRulesetGrammar:
			selectors, found = selectors+tokens(p.Values()), map[string]string{}
		case css.DeclarationGrammar:
			if found != nil {
				found[strings.ToLower(string(name))] = strings.ToLower(tokens(p.Values()))
			}
		case css.EndRulesetGrammar:
			if inside == 0 && unseen(found) && plain(selectors) {
				if group, err := cascadia.ParseGroup(selectors); err == nil {
					for _, s := range group[:min(len(group), most-len(list))] {
						if s.PseudoElement() == "" {
							list = append(list, s)
						}
					}
				}
			}
			selectors, found = "", nil
		default: // comments, and what stands between rules
		}
	}
	return list
}

// plain says whether to try selectors on an element is little work: no functions, no siblings, few ancestors.
func plain(selectors string) bool {
	if len(selectors) > 2000 || strings.ContainsAny(selectors, "(~+") {
		return false
	}
	for one := range strings.SplitSeq(selectors, ",") {
		if len(strings.FieldsFunc(one, func(r rune) bool { return r == '>' || unicode.IsSpace(r) })) > 3 {
			return false
		}
	}
	return true
}

// declarations reads the style of one element.
func declarations(text string) map[string]string {
	if text == "" {
		return nil
	}
	found := map[string]string{}
	p := css.NewParser(parse.NewInputString(text), true)
	for {
		kind, _, name := p.Next()
		if kind == css.DeclarationGrammar {
			found[strings.ToLower(string(name))] = strings.ToLower(tokens(p.Values()))
		}
		if kind == css.ErrorGrammar && !p.HasParseError() {
			return found
		}
	}
}

func tokens(list []css.Token) string {
	var b strings.Builder
	for _, t := range list {
		b.Write(t.Data)
	}
	return strings.TrimSpace(b.String())
}

// unseen says whether what these properties are set to shows nothing of an element's text: it takes no place, has no
// size or no colour, or stands outside of the page.
func unseen(style map[string]string) bool {
	is := func(name string, values ...string) bool {
		value, _, _ := strings.Cut(style[name], "!")
		return slices.Contains(values, strings.TrimSpace(value))
	}
	clipped := is("overflow", "hidden", "clip") || is("overflow-y", "hidden", "clip") || is("overflow-x", "hidden", "clip")
	switch {
	case is("display", "none"), is("visibility", "hidden", "collapse"), is("content-visibility", "hidden"), is("color", "transparent"):
		return true
	case atMost(style, "opacity", 0.02), atMost(style, "font-size", 1), atMost(style, "zoom", 0.02), is("transform", "scale(0)", "scale(0,0)", "scalex(0)", "scaley(0)"):
		return true
	case clipped && (atMost(style, "height", 1) || atMost(style, "max-height", 1) || atMost(style, "width", 1) || atMost(style, "max-width", 1)):
		return true
	case strings.HasPrefix(style["clip"], "rect(0") || strings.HasPrefix(style["clip"], "rect(1px"), is("clip-path", "inset(50%)", "inset(100%)", "circle(0)", "circle(0px)"):
		return true
	}
	return far(style["text-indent"]) || (is("position", "absolute") || is("position", "fixed")) && slices.ContainsFunc([]string{"left", "top", "right", "bottom"}, func(side string) bool { return far(style[side]) })
}

var measure = regexp.MustCompile(`^(-?[0-9]*\.?[0-9]+)(px|pt|em|rem|%)?\b`)

// atMost says whether a property is set to a number up to most, or to as many pixels or points. Of other units only
// nothing counts.
func atMost(style map[string]string, name string, most float64) bool {
	m := measure.FindStringSubmatch(style[name])
	if m == nil {
		return false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if m[2] == "em" || m[2] == "rem" || m[2] == "%" {
		most = 0.01
	}
	return err == nil && n >= 0 && n <= most
}

// far says whether a length leads out of every screen.
func far(length string) bool {
	m := measure.FindStringSubmatch(length)
	if m == nil {
		return false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	return err == nil && n <= -200 && m[2] != ""
}

// unprintable are characters that nobody sees and that can spell a text all the same: those of tags, further selectors
// of variants, and the ones that are nothing but invisible.
var unprintable = regexp.MustCompile("[\U000E0000-\U000E007F\U000E0100-\U000E01EF\u200B\u2060-\u2064\uFEFF\u180E\u00AD]+")

// printable leaves out of a text what nobody sees.
func printable(text string) string { return unprintable.ReplaceAllString(text, "") }
