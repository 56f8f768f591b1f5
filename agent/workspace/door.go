package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
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
	// OpSendBytes is OpSend of a content that is no text, such as an image.
	OpSendBytes Operation = "send-bytes"
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
	CodeSpelling    = "spelling" // the disk lists it in other letters
	CodeConsent     = "consent"  // nobody agreed to the write
	CodeBusy        = "busy"     // another program keeps everybody from it
	CodeUnasked     = "unasked"  // the context ended first
	CodeSettings    = "settings" // the settings cannot be used
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
type Door struct{ w *Workspace }

// Check judges one path. It may ask git about ignored files, for which ctx is.
func (d *Door) Check(ctx context.Context, p string, op Operation) Decision {
	return d.CheckAll(ctx, []string{p}, op)[0]
}

// CheckAll judges many paths at once, so that git is asked once. Once ctx has ended everything is refused,
// and it returns at once, whatever it waits for.
func (d *Door) CheckAll(ctx context.Context, paths []string, op Operation) []Decision {
	return d.checkAll(ctx, paths, op, true)
}

// Withheld returns those of the paths whose content does not leave the machine without a question. It
// asks what Check asks for OpSend, but does not open the files: one that is binary, too large or in
// another encoding is not withheld.
func (d *Door) Withheld(ctx context.Context, paths []string) []string {
	var out []string
	for i, dec := range d.checkAll(ctx, paths, OpSend, false) {
		if dec.Verdict != Allow && dec.Code != CodeTooLarge {
			out = append(out, paths[i])
		}
	}
	return out
}

// checkAll judges paths. With read the content is looked at, too.
func (d *Door) checkAll(ctx context.Context, paths []string, op Operation, read bool) []Decision {
	paths = slices.Clone(paths) // the judge may go on when the caller is gone
	out, err := await(ctx, func() []Decision { return d.judgeAll(ctx, paths, op, read) })
	if err != nil {
		out = make([]Decision, len(paths))
		for i, p := range paths {
			out[i] = unusable(ctx, p, err)
		}
	}
	return out
}

func (d *Door) judgeAll(ctx context.Context, paths []string, op Operation, read bool) []Decision {
	out := make([]Decision, len(paths))
	policy, err := d.w.policy(ctx)
	if err != nil {
		for i, p := range paths {
			out[i] = unusable(ctx, p, err)
		}
		return out
	}
	var open, links []string
	folders := map[string]bool{}
	for i, p := range paths {
		if ctx.Err() != nil {
			out[i] = refused(p, CodeUnasked, "the check was stopped")
			continue
		}
		out[i] = d.placed(ctx, policy, p, op, read, folders)
		switch {
		case out[i].Verdict != Allow:
		case out[i].Target != "": // git does not look through links
			open, links = append(open, out[i].Target), append(links, out[i].Path)
		default:
			open = append(open, out[i].Path)
		}
	}
	if op == OpRead || policy.allowIgnored || len(open) == 0 {
		return out
	}
	by := ignoring{d, policy}
	ignored := by.byFiles(ctx, by.reasons(ctx, open), links, ignoreFiles)
	for i := range out {
		reason := ignored[out[i].Path]
		if reason == "" && out[i].Target != "" {
			reason = ignored[out[i].Target]
		}
		if out[i].Verdict == Allow && reason != "" {
			out[i] = out[i].ask(CodeIgnored, reason)
		}
	}
	return out
}

// placed judges everything but the ignore files; read says whether the content counts, folders is as in resolveIn.
func (d *Door) placed(ctx context.Context, policy *policy, p string, op Operation, read bool, folders map[string]bool) Decision {
	clean, err := cleanPath(p)
	if err != nil {
		return decisionOf(err, p)
	}
	if d.w.fs == nil {
		return noFolder(clean)
	}
	real, info, err := d.resolveIn(clean, folders)
	if err != nil {
		return decisionOf(named(err, clean), clean)
	}
	dec := Decision{Verdict: Allow, Path: clean}
	if real != clean {
		dec.Target, dec.Reason = real, clean+" is a symbolic link to "+real
	}
	there := info != nil
	writes := op == OpEdit || op == OpDelete || op == OpRename
	switch {
	case there && !info.Mode().IsRegular():
		return decisionOf(named(notRegular(real, info.Mode()), clean), clean)
	case there && info.Size() > d.w.o.MaxFileBytes && op != OpDelete && op != OpRename:
		return refused(clean, CodeTooLarge, fmt.Sprintf("it has %d bytes; the limit is %d", info.Size(), d.w.o.MaxFileBytes))
	case there && writes && info.Mode().Perm()&0o222 == 0:
		return refused(clean, CodeReadOnly, "the file is read-only")
	}
	if read && (op == OpEdit || op == OpSend) {
		if err := d.isText(ctx, clean, real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return decisionOf(err, clean)
		}
	}
	names := []string{clean, real}
	if real == clean {
		names = names[:1]
	}
	for _, name := range names {
		switch op {
		case OpRead:
		case OpSend, OpSendBytes:
			if reason := policy.rules.denies(name); reason != "" {
				dec = dec.ask(CodeDenied, reason)
			}
		case OpEdit, OpCreate, OpDelete, OpRename:
			if reason := policy.rules.protects(name); reason != "" {
				dec = dec.ask(CodeProtected, reason)
			}
		}
	}
	return dec
}

// isText says why a file cannot be read as text. What is open in the editor is judged by the text that
// the editor has made of the file: it knows the encoding, and the bytes on disk say nothing more.
func (d *Door) isText(ctx context.Context, clean, real string) error {
	if text, open := d.w.openText(clean); open {
		if strings.IndexByte(text, 0) >= 0 {
			return ErrBinary
		}
		return nil
	}
	_, err := d.readReal(ctx, clean, real)
	return err
}

// ask makes the decision one that needs the user's consent, which names where a link leads.
func (d Decision) ask(code, reason string) Decision {
	if d.Target != "" {
		reason = d.Path + " is a symbolic link to " + d.Target + "; " + reason
	}
	d.Verdict, d.Code, d.Reason = Ask, code, reason
	return d
}

func refused(p, code, reason string) Decision {
	return Decision{Verdict: Refuse, Path: p, Code: code, Reason: reason}
}

// noFolder is the refusal of everything where there is no root.
func noFolder(p string) Decision {
	return refused(p, CodeNoFolder, "no workspace folder is open; open one first")
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
	real, _, err := d.resolveIn(clean, nil)
	return real, err
}

// resolveIn is resolve with what lies there, nil for nothing. folders, if any, are the paths that are
// known to be no links, which it adds to: a set of paths has few folders.
func (d *Door) resolveIn(clean string, folders map[string]bool) (real string, info fs.FileInfo, err error) {
	done, rest := "", clean
	for links := 0; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		next := path.Join(done, part)
		if folders[next] && rest != "" {
			done = next
			continue
		}
		info, err = d.w.fs.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return path.Join(next, rest), nil, nil
		}
		if err == nil && d.w.folds {
			err = d.w.misspelled(clean, done, part, rest)
		}
		if err != nil {
			return "", nil, busy(err, next, false)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if folders != nil && info.IsDir() {
				folders[next] = true
			}
			done = next
			continue
		}
		target, err := d.w.fs.Readlink(next)
		if err != nil {
			return "", nil, err
		}
		links++
		joined := path.Join(path.Dir(next), target)
		if path.IsAbs(target) || joined == ".." || strings.HasPrefix(joined, "../") || links > maxLinks {
			return "", nil, &RefusedError{refused(clean, CodeSymlink, "the symbolic link "+next+" points outside the workspace folder")}
		}
		done, rest = "", path.Join(joined, rest)
		if rest == "." {
			rest = ""
		}
	}
	return done, info, nil
}

func (d *Door) exists(clean string) bool {
	if d.w.fs == nil {
		return false
	}
	if d.w.folds {
		if _, err := d.resolve(clean); err != nil {
			return false
		}
	}
	info, err := d.w.fs.Stat(clean)
	return err == nil && !info.IsDir()
}

// read reads one file from disk.
func (d *Door) read(ctx context.Context, clean string) (*Document, error) {
	if d.w.fs == nil {
		return nil, &RefusedError{noFolder(clean)}
	}
	real, err := d.resolve(clean)
	if err != nil {
		return nil, named(err, clean)
	}
	return d.readReal(ctx, clean, real)
}

// readWithin is read for whoever leaves when ctx ends.
func (d *Door) readWithin(ctx context.Context, clean string) (*Document, error) {
	type outcome struct {
		doc *Document
		err error
	}
	o, err := await(ctx, func() outcome {
		doc, err := d.read(ctx, clean)
		return outcome{doc, err}
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", clean, err)
	}
	return o.doc, o.err
}

func (d *Door) readReal(ctx context.Context, clean, real string) (*Document, error) {
	policy, err := d.w.policy(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &RefusedError{unusable(ctx, clean, err)}
	}
	f, info, err := openRegular(d.w.fs, real)
	if err != nil {
		return nil, named(err, clean)
	}
	raw, err := readAll(f, info, clean, d.w.o.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	text, enc, err := decode(raw, policy.enc)
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

// OperationOf is what an edit does with its path. An update of a file that is not there makes it.
func OperationOf(op edits.Op, there bool) Operation {
	switch op {
	case edits.OpCreate:
		return OpCreate
	case edits.OpDelete:
		return OpDelete
	case edits.OpRename:
		return OpRename
	case edits.OpUpdate:
	}
	if there {
		return OpEdit
	}
	return OpCreate
}

// Guard returns the check that edits.Apply asks before it applies an edit. What needs consent is
// refused unless its path is among the allowed.
func (d *Door) Guard(ctx context.Context, allowed ...string) func(path string, op edits.Op) error {
	return func(p string, op edits.Op) error {
		dec := d.Check(ctx, p, OperationOf(op, true))
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
