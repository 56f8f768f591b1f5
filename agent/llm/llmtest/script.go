// Package llmtest is a scripted model server: real HTTP and real SSE, with answers written down
// beforehand.
//
// A script is a txtar archive whose files 1.md, 2.md, … are the replies in order; N.yaml beside says
// how reply N is delivered (see Delivery) and N.think.md what the model thinks first. Lines of the
// form "key: value" in the archive's comment set the server up (see Script) or change the delivery
// of every reply. The server records what it is sent and notices when a client hangs up. Tests, the
// demo and the editor suite use it; it knows nothing of the client under test. Start at Parse and
// Start.
package llmtest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"
)

// Script is a parsed archive.
type Script struct {
	Replies []Reply
	Models  []string // what /v1/models lists; key "models", separated by commas
	Key     string   // the API key the server insists on; "" takes any; key "key"
	Prefix  string   // the path before /chat/completions and the like; key "prefix", default "/v1"
	Reject  []string // request fields answered with 400; key "reject", separated by commas
}

// Reply is one answer of the model.
type Reply struct {
	Number   int
	Text     string
	Thinking string
	Delivery
}

// Delivery says how a reply reaches the client.
type Delivery struct {
	Status     int      `yaml:"status"`      // answer with this HTTP status and Text as the error
	ErrorCode  string   `yaml:"error-code"`  // "code" of that error
	ErrorType  string   `yaml:"error-type"`  // "type" of that error
	RetryAfter string   `yaml:"retry-after"` // header of that answer
	Redirect   string   `yaml:"redirect"`    // Location of a 307, or of Status
	FirstDelay Duration `yaml:"first-delay"` // before the answer's head
	Delay      Duration `yaml:"delay"`       // before every chunk
	Chunk      int      `yaml:"chunk"`       // runes in a chunk, default 16
	Cut        *int     `yaml:"cut"`         // hang up after so many bytes of Text
	Raw        bool     `yaml:"raw"`         // Text is the body, byte for byte
	Type       string   `yaml:"type"`        // content type of the body
	Usage      *bool    `yaml:"usage"`       // false: never tell the usage
	Prompt     int      `yaml:"prompt-tokens"`
	Completion int      `yaml:"completion-tokens"`
	Finish     string   `yaml:"finish"`     // finish_reason, default stop; "none" leaves it out
	HoldFirst  bool     `yaml:"hold-first"` // stop before the answer's head until released or hung up
	Hold       bool     `yaml:"hold"`       // stop half-way until released or hung up
	Error      string   `yaml:"error"`      // an error object half-way, with this message
	Done       *bool    `yaml:"done"`       // false: no [DONE]
	Stay       bool     `yaml:"stay"`       // keep the connection open after the last chunk
	KeepAlive  bool     `yaml:"keepalive"`  // a comment before every chunk
	CRLF       bool     `yaml:"crlf"`
	Stream     *bool    `yaml:"stream"` // false: answer as one JSON object whatever was asked
	Reasoning  string   `yaml:"reasoning-field"`
	Calls      []Call   `yaml:"calls"`     // of the tools that were offered, behind Text
	Requires   []string `yaml:"requires"`  // regular expressions that the request has to fit, else it is refused
	Forbids    []string `yaml:"forbids"`   // that it must not fit
	Complaint  string   `yaml:"complaint"` // the words of that refusal
	Complains  int      `yaml:"complains"` // its status, default 400
	Match      string   `yaml:"match"`     // answers the request whose last user message contains it
	Repeat     bool     `yaml:"repeat"`    // may be given any number of times
}

// Call is a call of a tool. Arguments are JSON, or what a model takes for it.
type Call struct {
	ID        string `yaml:"id"` // default: a new one
	Name      string `yaml:"name"`
	Arguments string `yaml:"arguments"`
}

// complaint is what a strict server says to a request that it cannot take; "" for nothing.
func (d Delivery) complaint(body []byte) string {
	for _, e := range d.Requires {
		if !regexp.MustCompile(e).Match(body) {
			return orElse(d.Complaint, "the request lacks "+e)
		}
	}
	for _, e := range d.Forbids {
		if regexp.MustCompile(e).Match(body) {
			return orElse(d.Complaint, "the request must not have "+e)
		}
	}
	return ""
}

// Duration is a time.Duration written as in Go ("50ms").
type Duration time.Duration

// UnmarshalYAML reads a duration.
func (d *Duration) UnmarshalYAML(b []byte) error {
	v, err := time.ParseDuration(strings.Trim(strings.TrimSpace(string(b)), `"'`))
	if err != nil {
		return err
	}
	*d = Duration(v)
	return nil
}

var (
	headerLine = regexp.MustCompile(`^([a-z][a-z-]*):(?:[ \t]+(.*))?$`)
	fileName   = regexp.MustCompile(`^([0-9]+)\.(md|yaml|think\.md)$`)
)

// Parse reads a script. Everything in it must have a meaning: an unknown file or key is an error.
func Parse(archive []byte) (*Script, error) {
	ar := txtar.Parse(archive)
	s := &Script{Models: []string{"scripted"}, Prefix: "/v1"}
	var common bytes.Buffer
	for line := range strings.Lines(string(ar.Comment)) {
		m := headerLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		switch m[1] {
		case "models":
			s.Models = list(m[2])
		case "key":
			s.Key = m[2]
		case "prefix":
			s.Prefix = strings.TrimRight(m[2], "/")
		case "reject":
			s.Reject = list(m[2])
		default:
			fmt.Fprintf(&common, "%s: %s\n", m[1], m[2])
		}
	}
	byNumber := map[int]*Reply{}
	reply := func(n int) (*Reply, error) {
		if r := byNumber[n]; r != nil {
			return r, nil
		}
		r := &Reply{Number: n}
		if err := strict(common.Bytes(), &r.Delivery); err != nil {
			return nil, fmt.Errorf("comment of the script: %w", err)
		}
		byNumber[n] = r
		return r, nil
	}
	for _, f := range ar.Files {
		m := fileName.FindStringSubmatch(f.Name)
		if m == nil {
			return nil, fmt.Errorf("file %q: a script holds N.md, N.think.md and N.yaml", f.Name)
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, fmt.Errorf("file %q: %w", f.Name, err)
		}
		r, err := reply(n)
		if err != nil {
			return nil, err
		}
		switch m[2] {
		case "md":
			r.Text = string(f.Data)
		case "think.md":
			r.Thinking = string(f.Data)
		case "yaml":
			if err := strict(f.Data, &r.Delivery); err != nil {
				return nil, fmt.Errorf("file %q: %w", f.Name, err)
			}
		}
	}
	if len(byNumber) == 0 {
		return nil, errors.New("the script holds no reply: add a file 1.md")
	}
	for _, r := range byNumber {
		s.Replies = append(s.Replies, *r)
	}
	sort.Slice(s.Replies, func(i, j int) bool { return s.Replies[i].Number < s.Replies[j].Number })
	return s, nil
}

// Say returns a script that gives these texts in order.
func Say(texts ...string) *Script {
	s := &Script{Models: []string{"scripted"}, Prefix: "/v1"}
	for i, t := range texts {
		s.Replies = append(s.Replies, Reply{Number: i + 1, Text: t})
	}
	return s
}

func strict(data []byte, d *Delivery) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	if err := yaml.UnmarshalWithOptions(data, d, yaml.Strict()); err != nil {
		return err
	}
	for _, e := range slices.Concat(d.Requires, d.Forbids) {
		if _, err := regexp.Compile(e); err != nil {
			return err
		}
	}
	return nil
}

func list(s string) []string {
	var out []string
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}
