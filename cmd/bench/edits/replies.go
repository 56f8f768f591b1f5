package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
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

// outcome is what a reply makes.
type outcome struct {
	Files   editstest.Files `json:"files"`
	Exit    int             `json:"exit"`
	Edits   int             `json:"edits"`
	Refused []int           `json:"refused"` // the numbers of the edits that were, -1 for what is none
}

// applyReplies applies each reply of a file and prints what came of it, one JSON object a line.
func applyReplies(out io.Writer, name string) error {
	f, err := os.Open(filepath.Clean(name))
	if err != nil {
		return err
	}
	defer f.Close() // read-only
	to := json.NewEncoder(out)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 0; lines.Scan(); n++ {
		var r reply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("%s, case %d: %w", name, n, err)
		}
		o, err := r.apply()
		if err != nil {
			return fmt.Errorf("case %d: %w", n, err)
		}
		if err := to.Encode(o); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (r reply) apply() (outcome, error) {
	f, ok := formats.ByName(r.Format)
	if !ok {
		return outcome{}, fmt.Errorf("unknown format %q", r.Format)
	}
	_, text, _ := llm.Thinking(r.Reply, llm.ThinkTags(""))
	list, problems := edits.Parse(f, text, edits.Ended, edits.ParseOptions{Chat: r.Chat, Files: r.Files})
	res := edits.Apply(r.Files, list, problems, edits.Options{Chat: r.Chat})
	o := outcome{Files: r.Files.After(res.Changes), Edits: len(list)}
	for _, f := range res.Failures {
		o.Refused = append(o.Refused, f.Edit)
	}
	if len(o.Refused) > 0 || len(list) == 0 {
		o.Exit = 1
	}
	return o, nil
}
