// Command edits measures package edits on large replies, for the script that measures aider on the
// same ones (cmd/bench/aider_edits.py).
//
// "inputs" writes the replies and the file that they are for; "run" reads, parses, applies and writes
// them as often as asked, all in one process, and prints what it took as JSON. "replies" applies any replies
// and prints what they make. It asserts nothing.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"

	"github.com/alecthomas/kong"
)

const (
	fileName  = "big.py"
	replyName = "reply.md"
	fileLines = 10000
	blocks    = 100
)

type options struct {
	Inputs struct {
		Dir string `arg:"" help:"The output folder, with a subfolder for each input."`
	} `cmd:"" help:"Writes the replies and their file."`
	Run struct {
		Dir    string `arg:"" help:"The folder with the inputs."`
		Rounds int    `default:"5" help:"How many times to apply each reply."`
	} `cmd:"" help:"Applies the replies and prints the times."`
	Replies struct {
		Cases string `arg:"" help:"A file with replies and their files, one JSON object per line."`
	} `cmd:"" help:"Applies the replies and prints the results (for cmd/bench/edit_rules.py)."`
}

func main() {
	var o options
	var err error
	switch kong.Parse(&o).Command() {
	case "inputs <dir>":
		err = write(o.Inputs.Dir)
	case "replies <cases>":
		err = applyReplies(os.Stdout, o.Replies.Cases)
	default:
		err = run(os.Stdout, o.Run.Dir, o.Run.Rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "edits:", err)
		os.Exit(1)
	}
}

// write makes one folder for each way in which the old lines are quoted.
func write(dir string) error {
	file := editstest.Source(fileLines)
	for _, s := range editstest.Spoilings {
		sub := filepath.Join(dir, s.Name)
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(sub, fileName), []byte(editstest.Lines(file)), 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(sub, replyName), []byte(editstest.Blocks(fileName, file, blocks, s.Spoil)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// figures are what one reply took, a number for each round.
type figures struct {
	Name   string    `json:"name"`
	Wall   []float64 `json:"wall_ms"`
	CPU    []float64 `json:"cpu_ms"`
	Landed int       `json:"landed"` // blocks in the last round
}

func run(out io.Writer, dir string, rounds int) error {
	var all []figures
	for _, s := range editstest.Spoilings {
		f := figures{Name: s.Name}
		sub := filepath.Join(dir, s.Name)
		reply, err := os.ReadFile(filepath.Join(sub, replyName))
		if err != nil {
			return err
		}
		for range rounds + 1 {
			wall, cpu, landed, err := round(sub, string(reply))
			if err != nil {
				return err
			}
			f.Wall, f.CPU, f.Landed = append(f.Wall, wall), append(f.CPU, cpu), landed
		}
		f.Wall, f.CPU = f.Wall[1:], f.CPU[1:] // the first one warms up
		all = append(all, f)
	}
	return json.NewEncoder(out).Encode(all)
}

// round does with a reply what aider's apply_updates does: it reads the file, finds the edits in the
// reply, applies them and writes the file, which it brings back afterwards.
func round(dir, reply string) (wall, cpu float64, landed int, err error) {
	name := filepath.Join(dir, fileName)
	format, _ := formats.ByName("diff")
	chat := []string{fileName}
	begin, spent := time.Now(), cpuTime()
	raw, err := os.ReadFile(name)
	if err != nil {
		return 0, 0, 0, err
	}
	tree := editstest.Files{fileName: string(raw)}
	list, problems := edits.Parse(format, reply, edits.Ended, edits.ParseOptions{Chat: chat, Files: tree})
	result := edits.Apply(tree, list, problems, edits.Options{Chat: chat})
	after := string(raw)
	for _, c := range result.Changes {
		after = c.After
		if err := os.WriteFile(name, []byte(after), 0o644); err != nil {
			return 0, 0, 0, err
		}
	}
	wall, cpu = milliseconds(time.Since(begin)), milliseconds(cpuTime()-spent)
	return wall, cpu, strings.Count(after, "changed_"), os.WriteFile(name, raw, 0o644)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
