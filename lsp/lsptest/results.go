package lsptest

import (
	"slices"
	"strings"
)

// response judges an answer of the server by the request it belongs to.
func (c *checker) response(call *call) {
	if call.err != nil {
		if c.phase == phaseAnswered && call.err.Code == -32002 {
			return // the barrier of Initialize
		}
		c.failed(call.method, call.err)
		return
	}
	switch call.method {
	case "initialize":
		c.initialized(call.result)
		c.phase = phaseAnswered
	case "textDocument/codeAction":
		c.codeActions(call)
	case "workspace/executeCommand":
		c.commandResult(call)
	case "textDocument/hover":
		either(null, object(must("contents", anything), may("range", rng)))("hover", call.result, c.say)
	case "textDocument/codeLens":
		either(null, array(object(must("range", rng), may("command", command), may("data", anything))))(
			"code lenses", call.result, c.say)
		list, _ := call.result.([]any)
		for _, l := range list {
			c.known(at(l, "command", "command"))
		}
	case "textDocument/inlayHint":
		array(object(must("position", position), must("label", text), may("paddingLeft", boolean)))("inlay hints", call.result, c.say)
	case "shutdown":
		null("shutdown", call.result, c.say)
	}
	if c.meta != nil {
		c.meta.result(call.method, call.result, c.say)
	}
}

// most is how many actions a menu bears.
const most = 8

func (c *checker) codeActions(call *call) {
	if call.result == nil {
		return
	}
	either(array(either(command, codeAction)))("code actions", call.result, c.say)
	list, _ := call.result.([]any)
	if len(list) > most {
		c.say("%d code actions at one place", len(list))
	}
	only := stringsOf(at(call.params, "context", "only"))
	if typed, ok := at(call.params, "context", "only").([]string); ok {
		only = typed
	}
	literals := at(c.caps, "textDocument", "codeAction", "codeActionLiteralSupport") != nil
	titles := map[string]bool{}
	for _, a := range list {
		title, _ := at(a, "title").(string)
		if titles[title] {
			c.say("the action %q is offered twice", title)
		}
		titles[title] = true
		if _, bare := at(a, "command").(string); bare {
			c.known(at(a, "command"))
			continue
		}
		c.literal(a, title, only, literals)
		automatic := at(call.params, "context", "triggerKind") == 2
		if name, _ := at(a, "command", "command").(string); automatic && !cheap(name) {
			c.say("the action %q is offered without being asked for", title)
		}
	}
}

// cheap names the commands whose actions may come with every move of the cursor.
func cheap(name string) bool {
	switch name {
	case "coauthor.apply", "coauthor.showPending", "coauthor.discard", "coauthor.cancel", "coauthor.answer", "coauthor.doComments", "coauthor.askAgain", "coauthor.keep", "coauthor.undoHunk":
		return true
	}
	return false
}

func (c *checker) literal(a any, title string, only []string, literals bool) {
	kind, _ := at(a, "kind").(string)
	support := func(keys ...string) any {
		return at(c.caps, append([]string{"textDocument", "codeAction"}, keys...)...)
	}
	switch {
	case !literals:
		c.say("the action %q is a literal, which the client did not declare", title)
	case kind == "":
		c.say("the action %q has no kind", title)
	case !slices.ContainsFunc(c.kinds, func(k string) bool { return within(kind, k) }):
		c.say("the kind %q of the action %q is not in codeActionKinds", kind, title)
	}
	if len(only) > 0 && !slices.ContainsFunc(only, func(k string) bool { return within(kind, k) }) {
		c.say("the action %q of kind %q, but only %v were asked for", title, kind, only)
	}
	if at(a, "disabled") != nil && support("disabledSupport") != true {
		c.say("the action %q is disabled, and this client would run it", title)
	}
	if at(a, "isPreferred") != nil {
		c.say("the action %q is preferred, so that auto-fix keys would run it", title)
	}
	if at(a, "data") != nil && support("dataSupport") != true {
		c.say("the action %q has data, which the client did not declare", title)
	}
	if at(a, "tags") != nil && support("tagSupport") == nil {
		c.say("the action %q has tags, which the client did not declare", title)
	}
	if at(a, "edit") != nil {
		c.say("the action %q brings its edit along, past the preview", title)
	}
	if at(a, "disabled") == nil {
		c.known(at(a, "command", "command"))
	}
}

// known judges the name of a command in an action or lens. Commands of the client's own side are the module's.
func (c *checker) known(v any) {
	name, _ := v.(string)
	if c.commands[name] || (strings.HasPrefix(name, "coauthor.client.") && c.announced("inputBox")) {
		return
	}
	c.say("the command %q is offered, but not in executeCommandProvider", name)
}

// statuses is the closed set of what a command may say about itself.
var statuses = []string{
	"started", "busy", "queued", "needsInput", "applied", "partial", "conflict", "unverified", "discarded",
	"pending", "undone", "answered", "none", "committed", "ambiguous", "failed", "refused", "stale", "ran", "skipped", "kept", "shown", "rewound",
}

func (c *checker) commandResult(call *call) {
	if call.result == nil {
		return
	}
	m, ok := call.result.(map[string]any)
	if !ok {
		c.say("%v was answered with %s, not an object", at(call.params, "command"), kindOf(call.result))
		return
	}
	if s, has := m["status"]; has {
		oneOf(statuses...)("status", s, c.say)
	}
	for _, key := range []string{"turnId", "proposalId"} {
		if id, has := m[key]; has {
			text(key, id, c.say)
		}
	}
	if name := at(call.params, "command"); name == "coauthor.showPending" {
		for _, s := range texts(call.result, nil) { // what a wrapper shows
			c.review.show(s)
		}
	}
}

// within reports whether a kind is another or below it.
func within(kind, of string) bool {
	return of == "" || kind == of || strings.HasPrefix(kind, of+".")
}

func unquoted(token string) any {
	if s, ok := strings.CutPrefix(token, `"`); ok {
		return strings.TrimSuffix(s, `"`)
	}
	n := 0
	for _, c := range token {
		n = n*10 + int(c-'0')
	}
	return n
}
