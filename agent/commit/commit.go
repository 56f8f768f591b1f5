// Package commit makes git commits: of what the user has changed, and of accepted turns once their changes are on disk. It
// takes back those that it made, and says what is different from a commit.
//
// It writes no file of the user, but through the Delivery that an undo is given, and shows nothing: what became of the
// commit of a turn is an event. Start at Committer.
package commit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
)

// Request asks for a commit of what the user has changed.
type Request struct {
	// Message is the user's own; "" has the weak model write one.
	Message string
	// Files are those to commit, as they are on disk. Without any it is what the user has staged, and where nothing is staged
	// all changes of tracked files, with the files that turns have created.
	Files []string
	// Amend has the commit take the place of the last one: it holds what that one changed, and what is staged or named beside.
	Amend bool
	// Replace is asked before a commit that has been pushed is amended, with what that means; nil refuses it.
	Replace func(ctx context.Context, what string) (bool, error)
	// Agree is asked before the commit is made, with its message and its files; nil has the request be the agreement.
	Agree func(ctx context.Context, message string, files []vcs.StagedFile) (bool, error)
}

// ErrNotAgreed says that the user has seen the commit and does not want it.
var ErrNotAgreed = errors.New("nothing was committed")

// Committed is a commit that was made.
type Committed struct {
	Hash    string   `json:"hash"`
	Subject string   `json:"subject"`
	Amended bool     `json:"amended,omitempty"` // it took the place of the last one
	Files   []string `json:"files"`             // relative to the root
	Notes   []string `json:"notes,omitempty"`   // what the user should know about it
}

// String tells of the commit in a line.
func (c Committed) String() string {
	if c.Amended {
		return fmt.Sprintf("Amended the last commit, which is now %s with %s: %s", Short(c.Hash), display.Count(len(c.Files), "file"), c.Subject)
	}
	return fmt.Sprintf("Committed %s as %s: %s", display.Count(len(c.Files), "file"), Short(c.Hash), c.Subject)
}

// Short is as much of a hash as a user reads.
func Short(hash string) string { return hash[:min(7, len(hash))] }

// ours is the name behind the user's in commits of ours, and the address of the co-author, at which nobody can be
// reached.
const (
	ours        = "coauthor"
	oursAddress = "noreply@coauthor.invalid"
)

// Options are what a Committer is made of.
type Options struct {
	Context   context.Context // ends with the folder
	Workspace *workspace.Workspace
	Proposals *proposal.Store
	StateDir  string                   // where it is noted which commits are ours and which turns wait; "" notes nothing
	Settings  func() settings.Settings // those in force at this moment
	Clock     func() time.Time
	Random    io.Reader // makes ids
	Log       *slog.Logger
	// Hold has the end of the folder wait for what is done, until it is released.
	Hold func() (release func(), err error)
	// Around is what a prompt may say of the user's machine and editor.
	Around func() prompt.Surroundings
	// Message has a model write the message of a commit; the error says in words for the user why none did.
	Message func(ctx context.Context, in prompt.Commit) (string, error)
	// Said is what was asked in a turn and answered; false for a turn that is not in the conversation.
	Said func(turn string) (asked, answer string, ok bool)
	// Emit tells an event of a turn.
	Emit func(turn string, e event.Event)
	// FileChanged is told of each file whose state in git has changed.
	FileChanged func(path string)
}

// Committer makes the commits of one workspace root. It is safe for concurrent use.
type Committer struct {
	o         Options
	ws        *workspace.Workspace
	proposals *proposal.Store
	tree      tree
	committer committer
	saved     saved
}

// New returns a Committer of which no turn waits. What an earlier one left waiting ResumeLater takes over.
func New(o Options) *Committer {
	root := o.Workspace.Root()
	k := &Committer{o: o, ws: o.Workspace, tree: tree{o.Workspace, o.Log}, proposals: o.Proposals, committer: newCommitter(o.StateDir, root)}
	k.saved.o, k.saved.onDisk, k.saved.files = &k.o, k.turnOnDisk, waitingOf(o.StateDir, root, proposal.ThisProcess())
	return k
}

// committer is what makes commits one at a time.
type committer struct {
	one chan struct{} // holds one token while a commit is made or taken back
	own *ownCommits
}

func newCommitter(stateDir, root string) committer {
	return committer{one: make(chan struct{}, 1), own: commitsOf(stateDir, root)}
}

// begin waits for the turn to commit. The returned function gives it back.
func (c *committer) begin(ctx context.Context) (func(), error) {
	select {
	case c.one <- struct{}{}:
		return func() { <-c.one }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Commit commits what the user has changed. Nothing that is staged otherwise is touched where files are named.
// ErrNothing of package vcs where there is nothing to commit; vcs.Refused, and whatever git says, in words for the
// user. The context's end ends it before the commit is made.
func (k *Committer) Commit(ctx context.Context, r Request) (Committed, error) {
	release, err := k.o.Hold()
	if err != nil {
		return Committed{}, err
	}
	defer release()
	end, err := k.committer.begin(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer end()
	staged, err := k.tree.stage(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer k.tree.unstage(staged)
	if !r.Amend || len(r.Files) > 0 { // what is staged goes into an amended commit, and nothing else
		if err := k.meant(ctx, staged, r.Files); err != nil {
			return Committed{}, err
		}
	}
	kind, about := commitOfUser, said{}
	if r.Amend {
		kind = commitAmended
		if about, err = k.amend(ctx, staged, r); err != nil {
			return Committed{}, err
		}
	}
	set := k.o.Settings()
	message := userMessage(r.Message)
	c, err := k.finish(ctx, staged, kind, set, func(files []vcs.StagedFile) (string, []string, error) {
		var notes []string
		var err error
		if message == "" {
			about.asked = k.saidOf(ctx, staged, files).asked
			if message, notes, err = k.commitMessage(ctx, staged, set, about, pathsIn(files)); err != nil {
				return "", notes, err
			}
		}
		if r.Agree != nil {
			if yes, err := r.Agree(ctx, message, files); err != nil {
				return "", notes, err
			} else if !yes {
				return "", notes, ErrNotAgreed
			}
		}
		return message, notes, nil
	})
	if err != nil {
		return c, err
	}
	if unsaved := k.tree.unsaved(ctx, c.Files); len(unsaved) > 0 {
		c.Notes = append(c.Notes, "The commit does not include unsaved changes in "+strings.Join(unsaved, ", ")+".")
	}
	return c, nil
}

// meant puts into a commit what the user means.
func (k *Committer) meant(ctx context.Context, staged *vcs.Staged, files []string) error {
	if len(files) > 0 {
		paths := make([]string, len(files))
		for i, d := range k.ws.Door().CheckAll(ctx, files, workspace.OpEdit) {
			if d.Code == workspace.CodeOutside || d.Code == workspace.CodeBadName || d.Code == workspace.CodeSymlink {
				return &workspace.RefusedError{Decision: d}
			}
			paths[i] = d.Path
		}
		if err := staged.Unstage(ctx); err != nil {
			return err
		}
		return staged.AddFiles(ctx, paths)
	}
	if some, err := staged.AnyStaged(ctx); err != nil || some {
		return err
	}
	if err := staged.AddTracked(ctx); err != nil {
		return err
	}
	created, err := k.proposals.Sent.Created(ctx)
	if err != nil {
		return err
	}
	for i, path := range created {
		created[i] = k.tree.realPath(ctx, path)
	}
	return staged.AddNew(ctx, created)
}

func pathsIn(files []vcs.StagedFile) []string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return paths
}

// finish makes a prepared commit, with the message that write makes of its files, and remembers it.
func (k *Committer) finish(ctx context.Context, staged *vcs.Staged, kind commitKind, set settings.Settings, write func(files []vcs.StagedFile) (string, []string, error)) (Committed, error) {
	var c Committed
	files, err := staged.Files(ctx)
	if err != nil {
		return c, err
	}
	if len(files) == 0 {
		return c, vcs.ErrNothing
	}
	if err := staged.Known(ctx); err != nil { // a model that writes the message would be asked for nothing
		return c, err
	}
	paths := pathsIn(files)
	message, notes, err := write(files)
	if err != nil {
		return c, err
	}
	o := vcs.CommitOptions{Message: message, Hooks: set.Git.Hooks}
	o.Author, o.Committer = attribution(set.Git, kind)
	c = Committed{Files: paths, Notes: notes, Amended: kind == commitAmended}
	c.Subject, _, _ = strings.Cut(message, "\n")
	if c.Hash, err = staged.Commit(ctx, o); c.Hash == "" {
		return Committed{}, err
	}
	if err != nil { // the commit is made
		c.Notes = append(c.Notes, "Could not update the git index after the commit: "+err.Error()+". Run git reset to update it; this does not change your files.")
	}
	if kind != commitAmended { // taking that back would take back what it held before, too
		if err := k.committer.own.add(c.Hash, kind); err != nil {
			c.Notes = append(c.Notes, "Coauthor will not be able to undo this commit: "+err.Error()+".")
		}
	}
	for _, path := range paths {
		k.o.FileChanged(path)
	}
	return c, nil
}

// attribution is what stands behind the names of author and committer.
func attribution(g settings.Git, kind commitKind) (author, committer string) {
	switch {
	case g.Attribution == settings.AttributionOff:
		return "", ""
	case kind == commitOfUser, kind == commitAmended:
		return "", ours
	case g.Attribution == settings.AttributionName:
		return ours, ours
	}
	return "", ""
}

// userMessage is a message in the user's own words: as it is, but for what does not show.
func userMessage(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\x00", "") + "\n"
}

// said is what was said when a change was made, and the message of the commit that is amended.
type said struct{ label, asked, answer, kept string }

// commitMessage has a message written for a prepared commit. Where no model can, it is made of the names of the files
// and of what was asked, and a note says so.
func (k *Committer) commitMessage(ctx context.Context, staged *vcs.Staged, set settings.Settings, said said, paths []string) (message string, notes []string, err error) {
	door := k.ws.Door()
	hidden := door.Withheld(ctx, paths)
	diff, err := staged.Diff(ctx, hidden)
	if err != nil {
		return "", nil, err
	}
	in := prompt.Commit{Diff: diff, Hidden: len(hidden), Asked: said.asked, Answer: said.answer, System: set.Git.CommitPrompt, Around: k.o.Around()}
	in.Around.Language = prompt.LanguageName(set.Language)
	earlier, err := vcs.Log(ctx, k.ws.Root(), "", 10)
	if err != nil {
		return "", nil, err
	}
	for _, e := range earlier {
		if strings.HasPrefix(said.kept, e.Subject+"\n") {
			continue // it is the one that is amended
		}
		in.Subjects = append(in.Subjects, e.Subject)
	}
	if diff == "" {
		return fallbackMessage(said, paths), nil, nil
	}
	answer, err := k.o.Message(ctx, in)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	if message = prompt.CommitMessage(answer); message == "" {
		why := "The model did not write a commit message"
		if err != nil {
			why += ": " + strings.TrimSuffix(err.Error(), ".")
		}
		instead := "used your request or the file names instead"
		if said.kept != "" {
			instead = "kept the message of the last commit"
		}
		notes = append(notes, why+". Coauthor "+instead+". To change the message, run git commit --amend.")
		return fallbackMessage(said, paths), notes, nil
	}
	if said.kept != "" {
		trailers, err := vcs.Trailers(ctx, k.ws.Root(), said.kept)
		if err != nil {
			return "", nil, err
		}
		if trailers != "" { // such as who signed it off
			message = strings.TrimRight(message, "\n") + "\n\n" + trailers
		}
	}
	return message, notes, nil
}

// fallbackMessage is a message without a model: that of the commit that is amended, what the user asked for, else the names of the files.
func fallbackMessage(said said, paths []string) string {
	if said.kept != "" {
		return said.kept
	}
	text := said.label
	if text == "" {
		switch {
		case len(paths) == 1:
			text = "Change " + filepath.Base(filepath.FromSlash(paths[0]))
		default:
			text = fmt.Sprintf("Change %d files", len(paths))
		}
	}
	if message := prompt.CommitMessage(text); message != "" {
		return message
	}
	return fmt.Sprintf("Change %s\n", display.Count(len(paths), "file"))
}
