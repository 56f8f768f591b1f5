package lsptest

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Progress is one work-done progress as the user saw it.
type Progress struct {
	Token    string
	Title    string
	Messages []string // of begin, reports and end, empty ones left out
	Ended    bool
	End      string // message of the end

	usable  bool // the client answered the create request
	begun   bool
	percent int64
}

// runs says whether it was begun and has not ended.
func (p *Progress) runs() bool { return p.begun && !p.Ended }

// created notes window/workDoneProgress/create.
func (c *checker) created(params any) string {
	token := tokenOf(at(params, "token"))
	if c.progress[token] != nil {
		c.say("the progress token %s is created twice", token)
	}
	c.progress[token] = &Progress{Token: token, percent: -1}
	return token
}

// progressed judges a $/progress and keeps its texts.
func (c *checker) progressed(params any) {
	token := tokenOf(at(params, "token"))
	kind, _ := at(params, "value", "kind").(string)
	p := c.progress[token]
	switch {
	case p == nil:
		c.say("$/progress %s with the token %s, which was never created", kind, token)
		return
	case !p.usable:
		c.say("$/progress %s with the token %s before the client has answered its create request", kind, token)
	case p.Ended:
		c.say("$/progress %s with the token %s after its end", kind, token)
		return
	case kind == "begin" && p.begun:
		c.say("a second begin with the progress token %s", token)
		return
	case kind != "begin" && !p.begun:
		c.say("$/progress %s with the token %s before its begin", kind, token)
	}
	message, _ := at(params, "value", "message").(string)
	if message != "" {
		p.Messages = append(p.Messages, message)
	}
	if n, ok := at(params, "value", "percentage").(json.Number); ok {
		percent, err := strconv.ParseInt(n.String(), 10, 64)
		if err == nil && percent < p.percent {
			c.say("the percentage of progress %s falls from %d to %d", token, p.percent, percent)
		}
		p.percent = percent
	}
	switch kind {
	case "begin":
		p.begun = true
		p.Title, _ = at(params, "value", "title").(string)
	case "end":
		p.Ended = true
		p.End = message
	}
}

func tokenOf(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s) // "1" and 1 are different tokens
	}
	return fmt.Sprint(v)
}
