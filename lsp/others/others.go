// Package others asks the user's other language servers, which a server cannot reach by itself: the client asks them for us,
// where it announced that it can. Start at Editor.
package others

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"strings"

	"coauthor/agent/tool"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// Options are what an Editor is made of.
type Options struct {
	Client   *client.Client
	Encoding document.Encoding
	Dir      string // of the folder that is asked about
	// Open gives the URI of an open document in the client's own spelling, and its text.
	Open func(uri string) (own, text string, open bool)
}

// source is that of our own diagnostics.
const source = "coauthor"

// errMoved says that the user's text is not the one that a question is about.
var errMoved = errors.New("the text has changed")

// Editor is what asks the other servers about a folder; nil for a client that cannot.
func Editor(o Options) tool.Editor {
	if !o.Client.Caps.LookUp || o.Dir == "" {
		return nil
	}
	return func(ctx context.Context, q tool.Question) (tool.Told, error) {
		p := client.LookUpParams{What: q.What}
		if q.What != tool.Problems {
			if p.URI = o.uri(q); p.URI == "" {
				return tool.Told{}, errMoved
			}
			at := document.NewLines(q.Text).Position(q.Column, o.Encoding)
			at.Line = uint32(q.Line - 1)
			p.Position = &at
		}
		said, err := o.Client.LookUp(ctx, p)
		if err != nil {
			return tool.Told{}, err
		}
		return o.told(said), nil
	}
}

// uri is the document that a question is about; "" where the user has another text there by now.
func (o Options) uri(q tool.Question) string {
	uri := document.URIOfPath(filepath.Join(o.Dir, filepath.FromSlash(q.Path)))
	own, text, open := o.Open(uri)
	if !open {
		return uri
	}
	lines := strings.Split(text, "\n")
	if q.Line > len(lines) || strings.TrimSuffix(lines[q.Line-1], "\r") != strings.TrimSuffix(q.Text, "\r") {
		return ""
	}
	return own
}

// path is where a document lies in the folder; "" for one that is outside of it.
func (o Options) path(uri string) string {
	abs, ok := document.PathOfURI(uri)
	if !ok {
		return ""
	}
	rel, err := filepath.Rel(o.Dir, abs)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// told brings what a client has said into the words of the tools.
func (o Options) told(said client.LookUpResult) tool.Told {
	t := tool.Told{Hover: said.Text}
	if said.Files != nil {
		t.Problems = []tool.Diagnostic{}
	}
	for _, l := range said.Locations {
		s := tool.Spot{Path: o.path(l.URI), Line: int(l.Range.Start.Line) + 1}
		if s.Path == "" {
			s.Outside = ending(l.URI)
		}
		t.Spots = append(t.Spots, s)
	}
	for _, f := range said.Files {
		name := o.path(f.URI)
		if name == "" {
			continue
		}
		for _, raw := range f.Diagnostics {
			var d document.Diagnostic
			if json.Unmarshal(raw, &d) != nil || d.Source == source || d.Text() == "" {
				continue
			}
			t.Problems = append(t.Problems, tool.Diagnostic{Path: name, Line: int(d.Range.Start.Line) + 1, Severity: d.SeverityName(), Message: d.Text(), Source: d.Source})
		}
	}
	return t
}

// ending is the end of a document's name: the rest tells of the user's machine, and nothing of the code.
func ending(uri string) string {
	name, ok := document.PathOfURI(uri)
	if !ok {
		_, name, _ = strings.Cut(uri, ":")
	}
	name = strings.ReplaceAll(name, `\`, "/")
	list := strings.Split(strings.Trim(path.Clean(name), "/"), "/")
	return "…/" + strings.Join(list[max(0, len(list)-3):], "/")
}
