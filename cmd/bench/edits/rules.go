package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"coauthor/agent/llm"
	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// reply is a case: a reply and the files that it is for.
type reply struct {
	Format string          `json:"format"`
	Files  editstest.Files `json:"files"`
	Chat   []string        `json:"chat"`
	Reply  string          `json:"reply"`
}

// outcome is what a reply makes with one rule left out, for each reply of which that makes another thing
// than all rules together; without a rule, for each reply.
type outcome struct {
	Rule  edits.Rule      `json:"rule"`
	Case  int             `json:"case"`
	Files editstest.Files `json:"files"`
	Exit  int             `json:"exit"`
	Edits int             `json:"edits"` // that had another fate, at least one
}

// countRules applies each reply with all rules and then without each of them.
func countRules(out io.Writer, name string) error {
	replies, err := readReplies(name)
	if err != nil {
		return err
	}
	to := json.NewEncoder(out)
	if err := to.Encode(edits.Rules); err != nil {
		return err
	}
	for i, r := range replies {
		f, ok := formats.ByName(r.Format)
		if !ok {
			return fmt.Errorf("case %d: there is no format %q", i, r.Format)
		}
		_, text, _ := llm.Thinking(r.Reply, llm.ThinkTags(""))
		list, problems := edits.Parse(f, text, edits.Ended, edits.ParseOptions{Chat: r.Chat, Files: r.Files})
		with := func(without edits.Rule) (outcome, map[int]bool) {
			res := edits.Apply(r.Files, list, problems, edits.Options{Chat: r.Chat, Without: without})
			o := outcome{Rule: without, Case: i, Files: r.Files.After(res.Changes)}
			refused := map[int]bool{}
			for _, f := range res.Failures {
				refused[f.Edit] = true
				o.Exit = 1
			}
			if len(list) == 0 && len(problems) == 0 {
				o.Exit = 1
			}
			return o, refused
		}
		all, refused := with("")
		if err := to.Encode(all); err != nil {
			return err
		}
		for _, row := range edits.Rules {
			o, now := with(row.Rule)
			if o.Exit == all.Exit && maps.Equal(o.Files, all.Files) && maps.Equal(refused, now) {
				continue
			}
			for k := range list {
				if refused[list[k].Index] != now[list[k].Index] {
					o.Edits++
				}
			}
			o.Edits = max(o.Edits, 1)
			if err := to.Encode(o); err != nil {
				return err
			}
		}
	}
	return nil
}

func readReplies(name string) ([]reply, error) {
	f, err := os.Open(filepath.Clean(name))
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only
	var list []reply
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r reply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s, case %d: %w", name, len(list), err)
		}
		list = append(list, r)
	}
	return list, lines.Err()
}
