package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/workspace"
)

// bring puts files into the chat of a context that a coder wants there, as far as they fit and may be
// sent, and takes others out. The user is asked about protected ones, and the notes tell what came of it.
func bring(ctx context.Context, door *workspace.Door, put putQuestion, c Context, files, drop []string) (Context, []event.Note, error) {
	b := bringing{put: put, c: c}
	b.c.Chat = slices.DeleteFunc(slices.Clone(c.Chat), func(path string) bool { return slices.Contains(drop, path) })
	b.room = b.c.chatRoom()
	for i, d := range door.CheckAll(ctx, files, workspace.OpSend) {
		if ctx.Err() != nil {
			return c, nil, ctx.Err()
		}
		path := files[i]
		if b.c.inChat(path) || slices.Contains(b.c.ReadOnly, path) {
			continue
		}
		why, err := b.add(ctx, path, d)
		if err != nil {
			return c, nil, err
		}
		if why != "" {
			b.left = append(b.left, path+" ("+strings.TrimSuffix(why, ".")+")")
			continue
		}
		b.added = append(b.added, path)
	}
	b.c.Unshown = slices.DeleteFunc(slices.Clone(b.c.Unshown), b.c.inChat)
	var notes []event.Note
	for _, one := range []struct {
		what string
		list []string
	}{{"Added to the chat: ", b.added}, {"Removed from the chat: ", drop}, {"Not added to the chat: ", b.left}} {
		if len(one.list) > 0 {
			notes = append(notes, event.Info(one.what+someOf(one.list)+"."))
		}
	}
	return b.c, notes, nil
}

// bringing is the chat of the next round in the making.
type bringing struct {
	put         putQuestion
	c           Context
	room        int // tokens that are left for files
	asked       int
	added, left []string
}

// add takes one file into the chat, or says why not.
func (b *bringing) add(ctx context.Context, path string, d workspace.Decision) (why string, err error) {
	if d.Verdict == workspace.Refuse {
		return d.Reason, nil
	}
	text, unread := b.read(path)
	if unread != "" {
		return unread, nil
	}
	if len(b.c.Chat) >= MostFiles {
		return fmt.Sprintf("Coauthor sends at most %d files", MostFiles), nil
	}
	if size, ok := b.c.fits(path); !ok || size > b.room {
		return "too large", nil
	}
	size := b.c.Model.Counter.Count(text)
	if size > b.room {
		return "it does not fit into the context window", nil
	}
	if d.Verdict == workspace.Ask && !slices.Contains(b.c.agreed, path) {
		if yes, err := b.ask(ctx, path, d.Reason); err != nil || !yes {
			return d.Reason, err
		}
		b.c.agreed = slices.Concat(b.c.agreed, []string{path})
	}
	b.room -= size
	b.c.Chat = slices.Concat(b.c.Chat, []string{path})
	return "", nil
}

func (b *bringing) read(path string) (text, why string) {
	text, err := b.c.Now.Read(path)
	if err != nil {
		return "", "cannot read the file: " + err.Error()
	}
	return text, ""
}

// ask asks about a protected file, about each once in a turn, and not about more than a user would read.
func (b *bringing) ask(ctx context.Context, path, reason string) (bool, error) {
	if slices.Contains(b.c.offered, path) || b.asked >= mostQuestions {
		return false, nil
	}
	b.asked++
	b.c.offered = slices.Concat(b.c.offered, []string{path})
	return b.put.first(ctx, event.Question{Text: fmt.Sprintf("%s is protected (%s). Send it to the model?", path, reason),
		Choices: []string{"send", "skip"}, Titles: []string{"send " + path + " to the model", "leave " + path + " out"}})
}

// foundSince are the files that came into the chat between two contexts.
func foundSince(first, last Context) []string {
	return slices.DeleteFunc(slices.Clone(last.Chat), first.inChat)
}

// foundNote tells of files that a coder has found, which stay for later turns.
func foundNote(list []string) event.Note {
	if len(list) == 0 {
		return event.Info("No files were added to the chat.")
	}
	return event.Info("Added to the chat for your next requests: " + someOf(list) + ".")
}

// named is how many names a message lists.
const named = 20

func someOf(list []string) string {
	if len(list) <= named {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:named], ", ") + fmt.Sprintf(" and %d more", len(list)-named)
}
