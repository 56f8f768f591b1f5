package history

import (
	"strings"

	"coauthor/agent/llm"
)

// Said is one reply inside a running turn, and what the engine said to it.
type Said struct {
	Reply  string
	Prose  string // the reply without its edits
	Format string // the edit format of its edits; "" when it holds none
	News   string // what the model was told next; "" for nothing
	Taken  bool   // its edits are whole files, which the model is shown as they are now

	Looks   []Look   // what the model looked at before it
	Changed []string // files that are not any more as these looks, and those before, showed them
}

// Look is a reply that calls tools, and what these showed.
type Look struct {
	Said, Results llm.Message
	By            string     // the model that called by its interface; "" for calls in the text, which any model reads
	Files         [][]string // that each part of Results showed
}

// Talk returns the messages after the request: looks, answers and news by turns. A reply whose edits are in
// another format than format is reduced to its prose, because a model repeats the format that it sees; so is
// one that was taken over as it is, because a model copies its own listing rather than changing it.
func Talk(said []Said, format string) []llm.Message {
	var list []llm.Message
	for _, s := range said {
		for _, look := range s.Looks {
			list = append(list, look.Said, look.Results)
		}
		list = append(list, llm.Text(llm.RoleAssistant, s.seen(format)))
		if s.News != "" {
			list = append(list, llm.Text(llm.RoleUser, s.News))
		}
	}
	return list
}

// Settle returns the exchange to keep of a turn: what the user said and all that was answered. News
// are left out: they speak of edits that were corrected since.
func Settle(user, format string, said []Said) Exchange {
	var replies, prose []string
	for _, s := range said {
		if s.Format == "" || s.Format == format {
			replies = append(replies, s.Reply)
		} else {
			replies = append(replies, s.Prose)
		}
		prose = append(prose, s.Prose)
	}
	return Exchange{User: user, Reply: joined(replies), Prose: joined(prose), Format: format}
}

func (s Said) seen(format string) string {
	if s.Format == "" || s.Format == format && !s.Taken {
		return s.Reply
	}
	return orEdits(s.Prose)
}

// orEdits stands for a reply that was nothing but edits. Whether they changed anything is not known here: they may have been refused,
// or discarded by the user.
func orEdits(prose string) string {
	if strings.TrimSpace(prose) == "" {
		return "(I answered with edits.)"
	}
	return prose
}

func joined(list []string) string {
	var kept []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, "\n\n")
}
