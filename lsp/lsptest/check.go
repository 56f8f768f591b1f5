package lsptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// phase is where the connection stands, as the client sees it.
type phase string

const (
	phaseNew      phase = "before initialize"
	phaseAsked    phase = "before the initialize response"
	phaseAnswered phase = "before initialized"
	phaseReady    phase = "ready"
	phaseShutdown phase = "after shutdown"
)

// checker judges every message of the server. It is used under the editor's lock.
type checker struct {
	say      func(format string, args ...any)
	docs     *workspace
	caps     any // the client's capabilities, decoded
	client   string
	anyText  bool // the lines that edits bring are the test's own: neither they nor their line ends are judged
	phase    phase
	encoding string
	commands map[string]bool // executeCommandProvider
	lenses   bool            // codeLensProvider
	kinds    []string        // codeActionKinds
	progress map[string]*Progress
	open     map[string]string // id -> method of the server's requests that are not answered yet
	review   review
	meta     *metaModel // what the protocol says of its messages; nil where it cannot be read
}

func newChecker(docs *workspace, caps any, client string, say func(string, ...any)) *checker {
	meta, _ := theMetaModel() // TestTheMetaModelIsThere tells why there is none
	return &checker{
		meta: meta, say: say, docs: docs, caps: caps, client: client, phase: phaseNew, encoding: "utf-16",
		commands: map[string]bool{}, progress: map[string]*Progress{}, open: map[string]string{},
	}
}

// received judges a request or notification of the server. It reports whether the message can be handled at all.
func (c *checker) received(m Message) bool {
	kind, known := methods[m.Method]
	if !known {
		c.say("the server sent %s, which is no message of this server", m.Method)
		return false
	}
	switch {
	case kind.request && m.ID == nil:
		c.say("%s is a request, but came without an id", m.Method)
		return false
	case !kind.request && m.ID != nil:
		c.say("%s is a notification, but came with the id %s", m.Method, m.ID)
		return false
	case kind.request && string(m.ID) == "null":
		c.say("%s came with the id null", m.Method)
		return false
	}
	if kind.request {
		if other, busy := c.open[string(m.ID)]; busy {
			c.say("%s reuses the id %s of the open request %s", m.Method, m.ID, other)
		}
		c.open[string(m.ID)] = m.Method
	}
	c.state(m.Method, kind)
	c.negotiated(m, kind)
	clean := true
	params := m.Params
	if params == nil {
		params = map[string]any{}
	}
	kind.params(m.Method, params, func(format string, args ...any) {
		clean = false
		c.say(format, args...)
	})
	if clean && c.meta != nil {
		c.meta.message(m, func(format string, args ...any) {
			clean = false
			c.say(format, args...)
		})
	}
	return clean
}

// counting is how the client counts places in a text.
func (c *checker) counting() counting {
	return counting{c.encoding, c.docs.profile.Quirks.OnlyLF}
}

// answered notes that the client answered a request of the server.
func (c *checker) answered(id json.RawMessage) { delete(c.open, string(id)) }

func (c *checker) state(name string, kind method) {
	switch c.phase {
	case phaseNew, phaseAsked:
		if !kind.early {
			c.say("%s came %s", name, c.phase)
		}
	case phaseAnswered:
		if kind.ready {
			c.say("%s came %s", name, c.phase)
		}
	case phaseReady:
	case phaseShutdown:
		// What the user would see; a question between programs may have been on its way.
		switch name {
		case "workspace/applyEdit", "window/showMessageRequest", "window/showDocument", "coauthor/inputBox":
			c.say("the request %s came %s", name, c.phase)
		}
	}
}

// negotiated judges a message by what the client said that it can do.
func (c *checker) negotiated(m Message, kind method) {
	if len(kind.needs) > 0 {
		v := at(c.caps, kind.needs...)
		if v == nil || v == false {
			c.say("%s, but the client did not declare %s", m.Method, strings.Join(kind.needs, "."))
		}
	}
	if keys := c.meta.needs(m.Method); len(kind.needs) == 0 && len(keys) > 0 && m.Method != "window/showDocument" && !on(at(c.caps, keys...)) {
		c.say("%s, but the client did not declare %s", m.Method, strings.Join(keys, "."))
	}
	if kind.announce != "" && !c.announced(kind.announce) {
		c.say("%s, but the client did not announce experimental.coauthor.%s", m.Method, kind.announce)
	}
	switch m.Method {
	case "window/showDocument":
		// Helix 25.01 shows documents without saying so.
		if !truth(c.caps, "window", "showDocument", "support") && c.client != "helix" {
			c.say("window/showDocument, but the client did not declare window.showDocument.support")
		}
		c.shownURI(at(m.Params, "uri"))
	case "window/showMessage", "window/logMessage":
		if n, ok := at(m.Params, "type").(json.Number); ok && n == "5" {
			c.say("%s of type 5 (debug), which clients before 3.18 do not know", m.Method)
		}
	case "workspace/codeLens/refresh":
		if !c.lenses {
			c.say("%s, but the server has no codeLensProvider", m.Method)
		}
	case "client/registerCapability":
		c.registrations(m.Params)
	}
}

// on reports whether a capability is declared: true, or an object.
func on(v any) bool { return v != nil && v != false }

func (c *checker) announced(key string) bool {
	return truth(at(c.caps, "experimental", "coauthor"), key)
}

// shownURI: documents in which the user acts lie below a root; a bare Neovim gives others to another server.
func (c *checker) shownURI(v any) {
	u, _ := v.(string)
	abs, ok := pathOf(u)
	if !ok {
		if schemes := at(c.caps, "workspace", "textDocumentContent"); schemes == nil && !strings.HasPrefix(u, "http") {
			c.say("window/showDocument of %s, but the client did not declare textDocumentContent", u)
		}
		return
	}
	if rootOf(abs, c.docs.roots) == "" {
		c.say("window/showDocument of %s, which lies outside every workspace folder", u)
	}
}

func (c *checker) registrations(params any) {
	list, _ := at(params, "registrations").([]any)
	for _, r := range list {
		name, _ := at(r, "method").(string)
		switch name {
		case "workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration":
			section := strings.TrimPrefix(name, "workspace/")
			if !truth(c.caps, "workspace", section, "dynamicRegistration") {
				c.say("registers %s, but the client did not declare its dynamic registration", name)
			}
		case "textDocument/completion":
			if !truth(c.caps, "textDocument", "completion", "dynamicRegistration") {
				c.say("registers %s, but the client did not declare its dynamic registration", name)
			}
			if selector := fmt.Sprint(at(r, "registerOptions", "documentSelector")); !strings.Contains(selector, ".coauthor/prompt-") || strings.Count(selector, "map[") != 1 {
				c.say("registers %s for %s: only prompt documents are ours to complete", name, selector)
			}
		case "textDocument/inlayHint":
			if !truth(c.caps, "textDocument", "inlayHint", "dynamicRegistration") {
				c.say("registers %s, but the client did not declare its dynamic registration", name)
			}
		default:
			c.say("registers %s, which this server has no business with", name)
		}
	}
}

// initialized judges the initialize result and keeps what was agreed on.
func (c *checker) initialized(result any) {
	initializeResult("initialize result", result, c.say)
	caps := at(result, "capabilities")
	c.encoding = "utf-16"
	if e, ok := at(caps, "positionEncoding").(string); ok {
		offered, _ := at(c.caps, "general", "positionEncodings").([]any)
		if e != "utf-16" && !slices.Contains(offered, any(e)) {
			c.say("the server chose positions in %s, which the client did not offer", e)
		}
		c.encoding = e
	}
	for _, name := range stringsOf(at(caps, "executeCommandProvider", "commands")) {
		if c.commands[name] {
			c.say("the command %s is declared twice", name)
		}
		if !strings.HasPrefix(name, "coauthor.") {
			c.say("the command %s lacks the prefix coauthor.", name)
		}
		c.commands[name] = true
	}
	if at(caps, "completionProvider") != nil && (at(c.caps, "textDocument", "completion") == nil || truth(c.caps, "textDocument", "completion", "dynamicRegistration")) {
		c.say("completion is declared for all documents to a client that does not complete, or can be told for which")
	}
	c.lenses = at(caps, "codeLensProvider") != nil
	if c.lenses && at(c.caps, "textDocument", "codeLens") == nil {
		c.say("code lenses are declared to a client that has none")
	}
	if at(caps, "hoverProvider") != nil && at(c.caps, "textDocument", "hover") == nil {
		c.say("hovers are declared to a client that has none")
	}
	if at(caps, "inlayHintProvider") != nil && (at(c.caps, "textDocument", "inlayHint") == nil || truth(c.caps, "textDocument", "inlayHint", "dynamicRegistration")) {
		c.say("inlay hints are declared to a client that has none, or can be told later")
	}
	c.kinds = stringsOf(at(caps, "codeActionProvider", "codeActionKinds"))
	for _, k := range c.kinds {
		if k == "source.fixAll" || k == "source.organizeImports" {
			c.say("the kind %s would start a turn on save", k)
		}
	}
	if truth(caps, "codeActionProvider", "resolveProvider") {
		c.say("resolveProvider makes Neovim and Helix resolve actions that are complete")
	}
	if at(caps, "workspace", "textDocumentContent") != nil && at(c.caps, "workspace", "textDocumentContent") == nil {
		c.say("textDocumentContent is declared to a client that does not know it")
	}
}

// failed judges the error of a response.
func (c *checker) failed(name string, e *ResponseError) {
	switch e.Code {
	case -32700, -32600, -32601, -32602, -32002, -32800, -32801, -32802, -32803:
	case -32603:
		c.say("%s was answered with an internal error: %s", name, e.Message)
	default:
		c.say("%s was answered with the unknown error code %d: %s", name, e.Code, e.Message)
	}
	if strings.TrimSpace(e.Message) == "" {
		c.say("%s was answered with an error without a message", name)
	}
}

// closing judges what is left when the connection ends in order.
func (c *checker) closing() {
	for _, p := range c.progress {
		if p.runs() {
			c.say("the progress %q was never ended", p.Title)
		}
	}
}

func stringsOf(v any) []string {
	list, _ := v.([]any)
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, fmt.Sprint(e))
	}
	return out
}
