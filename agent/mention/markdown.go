package mention

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// decode reads a text in the encoding that its media type, its mark or its own head names.
func decode(data []byte, contentType string) string {
	encoding, name, _ := charset.DetermineEncoding(data, contentType)
	if name == "utf-8" {
		return strings.TrimPrefix(string(data), "\uFEFF")
	}
	out, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		return string(data)
	}
	return strings.TrimPrefix(string(out), "\uFEFF")
}

// noProse are elements that say nothing in a text.
var noProse = []string{"script", "style", "noscript", "template", "svg", "math", "img", "picture", "video", "audio", "canvas", "iframe", "object", "embed",
	"input", "button", "select", "textarea", "dialog", "link", "meta", "map", "slot"}

// markdown makes Markdown of an HTML page: of its main part where it names one. It ends with ctx; a conversion that goes
// on is left to itself, whose work is bounded by the size of the page.
func markdown(ctx context.Context, source string, at *url.URL) (Page, error) {
	type result struct {
		page Page
		err  error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if x := recover(); x != nil { // a page must not be able to end the server
				done <- result{err: fmt.Errorf("cannot read its HTML: %v", x)}
			}
		}()
		page, err := converted(ctx, source, at)
		done <- result{page, err}
	}()
	select {
	case r := <-done:
		return r.page, r.err
	case <-ctx.Done():
		return Page{}, ctx.Err()
	}
}

func converted(ctx context.Context, source string, at *url.URL) (Page, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return Page{}, fmt.Errorf("cannot read its HTML: %w", err)
	}
	var page Page
	hide(ctx, root)
	body := root
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "title" && n.Namespace == "" && page.Title == "":
			page.Title = strings.Join(strings.Fields(printable(textOf(n))), " ")
		case n.Data == "base":
			if to, err := at.Parse(attribute(n, "href")); err == nil {
				at = to
			}
		case body == root && (n.Data == "main" || attribute(n, "role") == "main"):
			body = n
		}
	}
	bare(body, at)
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	out, err := conv.ConvertNode(body)
	if err != nil {
		return page, fmt.Errorf("cannot convert its HTML to Markdown: %w", err)
	}
	page.Text = strings.TrimSpace(manyEmpty.ReplaceAllString(printable(strings.ToValidUTF8(string(out), "\uFFFD")), "\n\n"))
	if page.Text == "" {
		return page, errors.New("it contains no text; Coauthor does not run scripts")
	}
	return page, nil
}

var manyEmpty = regexp.MustCompile(`\n[ \t]*\n(?:[ \t]*\n)+`)

// bare takes out of a tree what is no text, and of its elements all but where links lead.
func bare(n *html.Node, at *url.URL) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		switch {
		case child.Type == html.CommentNode, child.Type == html.ElementNode && (child.Namespace != "" || slices.Contains(noProse, child.Data) || hidden(child)):
			n.RemoveChild(child)
		case child.Type == html.ElementNode:
			child.Attr = kept(child, at)
			if child.Data == "a" && child.Attr == nil { // it leads nowhere
				child.Data, child.DataAtom = "span", atom.Span
			}
			bare(child, at)
		}
		child = next
	}
}

func hidden(n *html.Node) bool {
	return attribute(n, "aria-hidden") == "true" || slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
}

// kept are the attributes of an element that are of use: the target of a link, as a whole address, and the language of code.
func kept(n *html.Node, at *url.URL) []html.Attribute {
	switch n.Data {
	case "a":
		to, err := at.Parse(strings.TrimSpace(attribute(n, "href")))
		if err == nil && attribute(n, "href") != "" && slices.Contains([]string{"http", "https", "mailto"}, to.Scheme) && len(to.String()) <= longestURL {
			return []html.Attribute{{Key: "href", Val: to.String()}}
		}
	case "code", "pre":
		if class := attribute(n, "class"); strings.HasPrefix(class, "language-") && len(class) < 40 {
			return []html.Attribute{{Key: "class", Val: class}}
		}
	case "td", "th":
		return slices.DeleteFunc(slices.Clone(n.Attr), func(a html.Attribute) bool { return a.Key != "align" })
	case "ol":
		return slices.DeleteFunc(slices.Clone(n.Attr), func(a html.Attribute) bool { return a.Key != "start" })
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
