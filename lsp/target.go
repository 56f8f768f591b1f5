package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/command/arg"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/wire"
)

// placeArgs are the arguments that the server reads itself, whatever the command: those whose fields are blank in its struct.
type placeArgs struct {
	URI         string          `arg:"uri"`
	Range       *document.Range `arg:"range"`
	Version     *float64        `arg:"version"`
	Diagnostics complaints      `arg:"diagnostics"`
}

// complaints is a list of diagnostics, or true for those that the client told of the range.
type complaints struct {
	known bool
	list  []document.Diagnostic
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *complaints) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &c.known) == nil {
		return nil
	}
	return json.Unmarshal(raw, &c.list)
}

// target is the place in a document that a command or a code action is about.
type target struct {
	uri        string
	root       *folder.Folder
	path       string // relative to the root; "" for what is no file of it
	start, end int    // byte offsets; equal when the whole document is meant
	version    int32
	rng        *protocol.Range     // the selection, as the client gave it; nil for none
	unread     *protocol.Range     // a selection in a file that is not open; see find
	unplaced   bool                // only the disk tells which root it has; see find
	snapshot   *workspace.Snapshot // what the user saw
}

// whole reports whether no part of the document was selected.
func (t *target) whole() bool { return t.start == t.end }

// request returns the target in the words of package agent; nil when there is no file.
func (t *target) request() *agent.Target {
	if t.path == "" {
		return nil
	}
	return &agent.Target{Path: t.path, Start: t.start, End: t.end, Version: t.version}
}

// target finds what the arguments are about: the document they name, else the one that the user was
// in last, with the selection of its last code action request. It runs on the goroutine that reads,
// so the text is the one that the user saw.
func (s *server) target(a *placeArgs) (target, error) {
	if a.URI == "" {
		doc, selection := s.docs.LastFocused()
		if front := s.docs.InFront(); front != nil && (doc == nil || doc.Root != front.Root) {
			return target{root: front.Root, snapshot: front.Root.Workspace.Snapshot()}, nil
		}
		if doc == nil {
			r := s.folders.Default()
			return target{root: r, snapshot: r.Workspace.Snapshot()}, nil
		}
		t := s.docs.targetIn(doc, selection)
		if a.Range != nil {
			r := a.Range.Protocol()
			t = s.docs.targetIn(doc, &r)
		}
		return t, nil
	}
	doc, open := s.docs.Get(a.URI)
	if !open {
		r, path, known := s.folders.Locate(a.URI)
		if !known {
			r = s.folders.Default() // until find has asked
		}
		t := target{uri: a.URI, root: r, path: path, unplaced: !known, snapshot: r.Workspace.Snapshot()}
		if a.Range != nil && (path != "" || !known) {
			in := a.Range.Protocol()
			t.unread = &in
		}
		return t, nil
	}
	if a.Version != nil && document.Version(*a.Version) > doc.Version {
		return target{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the server has not received version %v of %s yet", *a.Version, a.URI)
	}
	if a.Range == nil {
		return s.docs.targetIn(doc, nil), nil
	}
	r := a.Range.Protocol()
	return s.docs.targetIn(doc, &r), nil
}

// find asks the disk for what a target needs of it: its root, where no folder of the editor has it, and the
// text of a file that is not open, for the place of the selection in it. The disk may be slow, so this is
// not for the goroutine that reads.
func (t *target) find(ctx context.Context, folders *folder.Table, docs *documents) error {
	if t.unplaced {
		r, path, err := folders.Find(ctx, t.uri)
		if err != nil {
			return err
		}
		t.root, t.path, t.unplaced, t.snapshot = r, path, false, r.Workspace.Snapshot()
		if doc, open := docs.Get(t.uri); open && t.unread == nil && doc.Version != t.version {
			return jsonrpc2.Errorf(wire.CodeRequestFailed, "%s changed while the server looked up its folder; run the command again", t.path)
		}
	}
	if t.unread == nil || t.path == "" {
		return nil
	}
	onDisk, err := t.snapshot.Within(ctx).Read(t.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.path, err)
	}
	t.start, t.end = docs.lines(onDisk).Span(*t.unread, docs.encoding)
	t.unread = nil
	return nil
}

// targetIn is a place in an open document.
func (d *documents) targetIn(doc *folder.Document, selection *protocol.Range) target {
	t := target{uri: doc.URI, root: doc.Root, path: doc.Path, unplaced: doc.Unplaced, version: doc.Version, snapshot: doc.Root.Workspace.Snapshot()}
	if selection != nil {
		t.rng = selection
		t.start, t.end = doc.Lines.Span(*selection, d.encoding)
		if d.client.Quirks.BlockCursor && utf8.RuneCountInString(doc.Text[t.start:t.end]) == 1 {
			t.end = t.start
		}
	}
	return t
}

// pathsOf turns all files that the arguments of a command name into paths of a root. Among plain words there may be pages.
func pathsOf(t *folder.Table, r *folder.Folder, args any, row []command.Arg) error {
	return arg.EachFiles(args, row, func(a command.Arg, files *arg.Files) error {
		var pages []string
		names := []string(*files)
		if a.Bare {
			pages, names = web.Among(names)
		}
		paths, err := t.Paths(r, names)
		*files = append(paths, pages...)
		return err
	})
}
