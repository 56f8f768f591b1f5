package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"coauthor/edits"
)

// Operation is what is to be done with a path.
type Operation string

// The operations. OpSend means that the content leaves the machine.
const (
	OpSend   Operation = "send"
	OpRead   Operation = "read"
	OpEdit   Operation = "edit"
	OpCreate Operation = "create"
	OpDelete Operation = "delete"
	OpRename Operation = "rename"
)

// Verdict is the door's answer.
type Verdict string

// Ask means that the user's consent, which must name the file, makes it an Allow.
const (
	Allow  Verdict = "allow"
	Ask    Verdict = "ask"
	Refuse Verdict = "refuse"
)

// The codes of decisions that are not plain Allow.
const (
	CodeOutside     = "outside"
	CodeSymlink     = "symlink"
	CodeIgnored     = "ignored"
	CodeDenied      = "denied"
	CodeProtected   = "protected"
	CodeBinary      = "binary"
	CodeReadOnly    = "read-only"
	CodeTooLarge    = "too-large"
	CodeBadName     = "bad-name"
	CodeUndecodable = "undecodable"
	CodeNoFolder    = "no-folder"
	CodeUnasked     = "unasked" // the context ended first
)

// Decision is a verdict with its reason.
type Decision struct {
	Verdict Verdict
	Path    string // cleaned; symbolic links are not resolved in it
	Target  string // where a symbolic link inside the root leads, "" when there is none
	Reason  string // a sentence for the user
	Code    string
}

// RefusedError is a Decision as an error. errors.Is matches ErrRefused, or ErrBinary,
// ErrUndecodable or ErrReadOnly when that is the reason.
type RefusedError struct{ Decision Decision }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: %s", e.Decision.Path, e.Decision.Reason)
}

// Unwrap returns the sentinel that belongs to the code.
func (e *RefusedError) Unwrap() error {
	switch e.Decision.Code {
	case CodeBinary:
		return ErrBinary
	case CodeUndecodable:
		return ErrUndecodable
	case CodeReadOnly:
		return ErrReadOnly
	}
	return ErrRefused
}

// Door judges paths and is the only code that touches files below the root.
type Door struct {
	w     *Workspace
	rules rules
}

func newDoor(w *Workspace) (*Door, error) {
	r, err := newRules(w.o)
	if err != nil {
		return nil, err
	}
	return &Door{w: w, rules: r}, nil
}

// Check judges one path. It may ask git about ignored files, for which ctx is.
func (d *Door) Check(ctx context.Context, p string, op Operation) Decision {
	return d.CheckAll(ctx, []string{p}, op)[0]
}

// CheckAll judges many paths at once, so that git is asked once. Once ctx has ended everything that was
// not judged yet is refused.
func (d *Door) CheckAll(ctx context.Context, paths []string, op Operation) []Decision {
	out := make([]Decision, len(paths))
	var open []string
	for i, p := range paths {
		if ctx.Err() != nil {
			out[i] = refused(p, CodeUnasked, "the check was stopped")
			continue
		}
		out[i] = d.place(p, op)
		if out[i].Verdict == Allow {
			open = append(open, out[i].Path)
		}
	}
	if op == OpRead || d.w.o.AllowIgnored || len(open) == 0 {
		return out
	}
	ignored := d.ignored(ctx, open)
	for i := range out {
		if reason := ignored[out[i].Path]; out[i].Verdict == Allow && reason != "" {
			out[i].Verdict, out[i].Code, out[i].Reason = Ask, CodeIgnored, reason
		}
	}
	return out
}

// place judges everything but the ignore files.
func (d *Door) place(p string, op Operation) Decision {
	clean, err := cleanPath(p)
	if err != nil {
		return decisionOf(err, p)
	}
	if d.w.fs == nil {
		return Decision{Verdict: Refuse, Path: clean, Code: CodeNoFolder, Reason: "there is no workspace folder; open one first"}
	}
	real, err := d.resolve(clean)
	if err != nil {
		return decisionOf(err, clean)
	}
	dec := Decision{Verdict: Allow, Path: clean}
	if real != clean {
		dec.Target, dec.Reason = real, clean+" is a symbolic link to "+real
	}
	info, err := d.w.fs.Stat(real)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return decisionOf(err, clean)
	}
	writes := op == OpEdit || op == OpDelete || op == OpRename
	switch {
	case err == nil && !info.Mode().IsRegular():
		return decisionOf(named(notRegular(real, info.Mode()), clean), clean)
	case err == nil && info.Size() > d.w.o.MaxFileBytes && op != OpDelete && op != OpRename:
		return refused(clean, CodeTooLarge, fmt.Sprintf("it has %d bytes, the limit is %d", info.Size(), d.w.o.MaxFileBytes))
	case err == nil && writes && info.Mode().Perm()&0o222 == 0:
		return refused(clean, CodeReadOnly, "the file is read-only")
	}
	if op == OpEdit || op == OpSend {
		if err := d.isText(clean, real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return decisionOf(err, clean)
		}
	}
	for _, name := range []string{clean, real} {
		if reason := d.rules.protects(name); reason != "" && op != OpSend && op != OpRead {
			dec.Verdict, dec.Code, dec.Reason = Ask, CodeProtected, reason
		}
		if reason := d.rules.denies(name); reason != "" && op == OpSend {
			dec.Verdict, dec.Code, dec.Reason = Ask, CodeDenied, reason
		}
	}
	return dec
}

// isText says why a file cannot be read as text. What is open in the editor is judged by the text that
// the editor has made of the file: it knows the encoding, and the bytes on disk say nothing more.
func (d *Door) isText(clean, real string) error {
	if text, open := d.w.openText(clean); open {
		if strings.IndexByte(text[:min(len(text), binaryProbe)], 0) >= 0 {
			return ErrBinary
		}
		return nil
	}
	_, err := d.readReal(clean, real)
	return err
}

func refused(p, code, reason string) Decision {
	return Decision{Verdict: Refuse, Path: p, Code: code, Reason: reason}
}

// decisionOf turns an error of the way to a file into the refusal that says it.
func decisionOf(err error, p string) Decision {
	var r *RefusedError
	switch {
	case errors.As(err, &r):
		return r.Decision
	case errors.Is(err, ErrBinary):
		return refused(p, CodeBinary, "the file is binary")
	case errors.Is(err, ErrUndecodable):
		return refused(p, CodeUndecodable, err.Error())
	}
	return refused(p, CodeOutside, err.Error())
}

// maxLinks bounds how many symbolic links one path may lead through.
const maxLinks = 32

// resolve follows the symbolic links of a path and returns where it really is. A link out of the
// root, and an absolute one, is a refusal. os.Root guards the access itself: this only finds the
// name to judge and to write to.
func (d *Door) resolve(clean string) (string, error) {
	done, rest := "", clean
	for links := 0; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		next := path.Join(done, part)
		info, err := d.w.fs.Lstat(next)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return path.Join(next, rest), nil
			}
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		target, err := d.w.fs.Readlink(next)
		if err != nil {
			return "", err
		}
		links++
		joined := path.Join(path.Dir(next), target)
		if path.IsAbs(target) || joined == ".." || strings.HasPrefix(joined, "../") || links > maxLinks {
			return "", &RefusedError{refused(clean, CodeSymlink, "the symbolic link "+next+" leaves the workspace folder")}
		}
		done, rest = "", path.Join(joined, rest)
		if rest == "." {
			rest = ""
		}
	}
	return done, nil
}

func (d *Door) exists(clean string) bool {
	if d.w.fs == nil {
		return false
	}
	info, err := d.w.fs.Stat(clean)
	return err == nil && !info.IsDir()
}

// read reads one file from disk.
func (d *Door) read(clean string) (*Document, error) {
	if d.w.fs == nil {
		return nil, &RefusedError{d.place(clean, OpRead)}
	}
	real, err := d.resolve(clean)
	if err != nil {
		return nil, err
	}
	return d.readReal(clean, real)
}

func (d *Door) readReal(clean, real string) (*Document, error) {
	f, info, err := OpenRegular(d.w.fs, real)
	if err != nil {
		return nil, named(err, clean)
	}
	raw, err := readAll(f, info, clean, d.w.o.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	text, enc, err := decode(raw, d.w.enc)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", clean, err)
	}
	return &Document{Path: clean, Text: text, Encoding: enc, ModTime: info.ModTime(), Size: info.Size()}, nil
}

// named makes a refusal speak of the path that was asked for, and not of where a link leads.
func named(err error, clean string) error {
	var r *RefusedError
	if errors.As(err, &r) {
		r.Decision.Path = clean
	}
	return err
}

// Guard returns the check that edits.Apply asks before it applies an edit. What needs consent is
// refused unless its path is among the allowed.
func (d *Door) Guard(ctx context.Context, allowed ...string) func(path string, op edits.Op) error {
	return func(p string, op edits.Op) error {
		operation := OpEdit
		switch op {
		case edits.OpCreate:
			operation = OpCreate
		case edits.OpDelete:
			operation = OpDelete
		case edits.OpRename:
			operation = OpRename
		case edits.OpUpdate:
		}
		dec := d.Check(ctx, p, operation)
		if dec.Verdict == Allow {
			return nil
		}
		for _, ok := range allowed {
			if dec.Verdict == Ask && ok == dec.Path {
				return nil
			}
		}
		return &RefusedError{dec}
	}
}
