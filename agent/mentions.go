package agent

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/mention"
)

// unshown are the files that the reply may speak of: those that the map or the reply itself names and
// that the model was not shown.
func (s *settling) unshown() []string {
	var known []string
	for _, f := range s.c.Map.Files {
		known = append(known, f.Path)
	}
	known = append(known, s.c.Unshown...)
	for _, w := range mention.Words(s.r.Text) {
		if s.c.Base.Exists(w) {
			known = append(known, w)
		}
	}
	return slices.DeleteFunc(known, func(path string) bool {
		return s.c.inChat(path) || slices.Contains(s.c.ReadOnly, path)
	})
}

const theModelAsks = "The model asks for %s. Add to the chat?"

// given are the files that the model was shown in full.
func (s *settling) given() []string { return slices.Concat(s.c.Chat, s.c.ReadOnly) }

// offerMentioned offers files that a reply without edits speaks of: models ask for files that way. Where it
// has edits as well, which stay, only those that it asks for in so many words: it may speak of others.
func (s *settling) offerMentioned(ctx context.Context) error {
	if s.r.Finish != llm.FinishStop {
		return nil
	}
	text := s.r.Text
	if len(s.r.Edits)+len(s.r.Problems) > 0 {
		if text = asking(s.out.Prose); text == "" {
			return nil
		}
	}
	added, err := s.offer(ctx, s.c.unseen(mention.Files(text, s.unshown(), s.given()...)), theModelAsks)
	s.out.News.Added = slices.Concat(s.out.News.Added, added)
	return err
}

var (
	// sentences end at a mark with a blank behind it, since names have dots.
	sentences = regexp.MustCompile(`[.!?:][*_"')]*\s+`)
	// asks is how people ask for a file.
	asks = regexp.MustCompile(`(?i)\b(?:please|can you|could you|would you|will you|kindly|you (?:need|have|want) to|may i|can i|could i)\b.*\b(?:add|show|send|share|provide|include|attach|paste|give|upload|open|see|view|look|read|have)\b` +
		`|^\W*(?:add|show|send|share|provide|include|attach|paste|give|upload)\b` +
		`|\blet me (?:see|view|look|read|have)\b` +
		`|\bi(?:'d|'ll| would| will| do)?(?: also| still| first)? (?:need|require)\b` +
		`|\b(?:need|want|require|like|ask)(?:s|ed)?\b.*\b(?:see|view|look|read|access|inspect|contents?|added|shown|shared|provided)\b` +
		`|\bto (?:the|this|our) (?:chat|conversation|context)\b` +
		`|(?:\b(?:not|never|cannot|without)|n't) (?:been |yet )*(?:see|seen|seeing|shown|given|shared|provided|have access|having access)\b`)
	before = regexp.MustCompile(`(?i)\b(?:it|its|that|this|them|these|those)\b`)
	item   = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s|^\s*\S+\s*$`)
)

// asking is the part of a text that asks for something: its sentences that do, with the one before where
// they speak of that, and the lists below them.
func asking(text string) string {
	var out strings.Builder
	list, last := false, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if list && item.MatchString(line) {
			out.WriteString(line + "\n")
			continue
		}
		list = false
		for _, one := range sentences.Split(line, -1) {
			if asks.MatchString(one) {
				if before.MatchString(one) {
					out.WriteString(last + "\n")
				}
				out.WriteString(one + "\n")
				list = strings.HasSuffix(line, ":")
			}
			last = one
		}
	}
	return out.String()
}
