// Package codeaction chooses the code actions of a menu: which rows of one table fit what a request was made against, with
// their titles and the arguments of their commands. It judges by a Context alone, which it makes of a Place and of what the
// session of the folder knows, and asks no model, no file, no client and no other process, whatever runs at the moment.
package codeaction

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/command"
	"coauthor/agent/custom"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// subject is the one of several things that an offer is about, as the row's each found it.
type subject struct {
	pending   *proposal.Proposal
	question  *event.Question
	choice    string // the answer that it would give
	suggested string // a command for the shell
	own       *custom.Command
	complaint *document.Diagnostic
	refused   *annotate.Rejected
	hunk      *annotate.Hunk
}

// offer is a code action that is being made.
type offer struct {
	subject  subject
	now      *Context
	caps     *client.Capabilities
	title    string
	kind     string
	args     map[string]any
	about    []document.Diagnostic // so that the client shows it with what it is about
	disabled string                // why it cannot be chosen
}

// say puts words into the title: what stands there, and what it becomes, in turn.
func (o *offer) say(words ...string) { o.title = strings.NewReplacer(words...).Replace(o.title) }

// Menu has the code actions that fit, as many as a menu bears, for a client that can do so much. only are the kinds that
// it wants, or their beginnings; none is all. automatic says that nobody asked.
func (t Table) Menu(caps *client.Capabilities, now *Context, only []string, automatic bool) []protocol.CodeAction {
	return fitting(t.offers(caps, now, only, automatic))
}

// Room is how many further actions the menu of a context bears, if what can be written as well is left out.
func (t Table) Room(caps *client.Capabilities, now *Context) int {
	_, ranks := t.offers(caps, now, nil, false)
	room := mostActions
	for _, rank := range ranks {
		if rank < rankWritten {
			room--
		}
	}
	return max(room, 0)
}

// offers are the code actions that fit a context, each with its rank: what has the highest is left out first of a
// menu that is too long, and 0 never is.
func (t Table) offers(caps *client.Capabilities, now *Context, only []string, automatic bool) (list []protocol.CodeAction, ranks []int) {
	said := map[string]int{}
	for i := range t.rows {
		p := &t.rows[i]
		if automatic && !p.automatic || p.quiet && !now.quiet() {
			continue
		}
		for _, about := range p.subjects(now) {
			o := &offer{subject: about, now: now, caps: caps, title: p.title, kind: p.kind, args: map[string]any{}}
			if !p.fill(o) || !wanted(o.kind, only) || o.disabled != "" && !caps.DisabledActions { // elsewhere it would be run
				continue
			}
			action := o.action(p)
			if said[action.Title]++; said[action.Title] > 1 { // two that were asked for in the same words
				action.Title += fmt.Sprintf(" (%d)", said[action.Title])
				action.Command.Title = action.Title
			}
			list, ranks = append(list, action), append(ranks, p.rankOf(o))
		}
	}
	return list, ranks
}

// subjects are what a row could be about.
func (p *producer) subjects(now *Context) []subject {
	if p.each == nil {
		return []subject{{}}
	}
	return p.each(now)
}

func (p *producer) rankOf(o *offer) int {
	if p.rank == nil {
		return 0
	}
	return p.rank(o)
}

// action is an offer in the words of the protocol.
func (o *offer) action(p *producer) protocol.CodeAction {
	raw, err := json.Marshal(o.args)
	if err != nil {
		panic(fmt.Sprintf("maps of plain values always encode: %v", err))
	}
	kind, title := protocol.CodeActionKind(o.kind), display.Message(o.title)
	action := protocol.CodeAction{
		Title: title, Kind: &kind,
		Command: protocol.Command{Title: title, Command: command.CommandPrefix + p.command, Arguments: []protocol.LSPAny{protocol.LSPAny(raw)}},
	}
	for _, d := range o.about {
		if told, ok := d.Protocol(); ok {
			action.Diagnostics = append(action.Diagnostics, told)
		}
	}
	if o.disabled != "" {
		action.Disabled = protocol.CodeActionDisabled{Reason: o.disabled}
	}
	if o.caps.ActionTagLLM && p.model {
		action.Tags = []protocol.CodeActionTag{protocol.CodeActionTagLLMGenerated}
	}
	return action
}

// wanted reports whether the client's filter lets a kind pass. It names kinds or their beginnings.
func wanted(kind string, only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
		return o == "" || kind == o || strings.HasPrefix(kind, o+".")
	})
}

// mostActions is how many code actions a menu bears.
const mostActions = 8

// fitting leaves out of a menu what it does not bear.
func fitting(list []protocol.CodeAction, ranks []int) []protocol.CodeAction {
	for len(list) > mostActions {
		least := len(list) - 1
		for i, rank := range slices.Backward(ranks) {
			if rank > ranks[least] {
				least = i
			}
		}
		if ranks[least] == 0 {
			break
		}
		list, ranks = slices.Delete(list, least, least+1), slices.Delete(ranks, least, least+1)
	}
	return list
}

// Ranks: what has the highest number goes first. From 10 on they are of what is offered where nothing waits for the user.
const (
	rankUsual        = 1
	rankDiscardHunks = 2
	rankReviewed     = 3
	rankShown        = 3
	rankDiscardFiles = 4
	rankRegenerate   = 5
	rankNextHunk     = 5
	rankRefused      = 6
	rankRedo         = 10
	rankProse        = 11
	rankComplaint    = 12
	rankOwn          = 13
	rankWritten      = 20 // and more: what can be written too
)

func always(rank int) func(*offer) int { return func(*offer) int { return rank } }

// writtenToo can be written as an instruction, or run as commands, as well as chosen from a menu; what is asked for least often
// comes first.
var writtenToo = []string{"help", "context", "review", "auto", "architect", "simplify", "addDocs", "addTests", "ask", "explain"}

func rankOfWritten(command string) int {
	if i := slices.Index(writtenToo, command); i >= 0 {
		return rankWritten + len(writtenToo) - i
	}
	return rankWritten
}
