package lsptest

import "math"

// The forms of everything this server may send, by the specification 3.18 and, for coauthor/…, by our own pages.
// A field that is legal in the protocol but has no business here (snippet edits, resolve data) is missing on purpose:
// an unknown field fails.

var (
	uinteger = integer(0, math.MaxInt32)
	version  = either(integer(math.MinInt32, math.MaxInt32), null)
	token    = either(integer(math.MinInt32, math.MaxInt32), text)
	position = object(must("line", uinteger), must("character", uinteger))
	rng      = object(must("start", position), must("end", position))

	textEdit = object(must("range", rng), must("newText", str), may("annotationId", text))

	textDocumentEdit = object(
		must("textDocument", object(must("uri", uri), must("version", version))),
		must("edits", array(textEdit)))
	createOptions = object(may("overwrite", boolean), may("ignoreIfExists", boolean))
	createFile    = object(must("kind", oneOf("create")), must("uri", uri), may("options", createOptions),
		may("annotationId", text))
	renameFile = object(must("kind", oneOf("rename")), must("oldUri", uri), must("newUri", uri),
		may("options", createOptions), may("annotationId", text))
	deleteFile = object(must("kind", oneOf("delete")), must("uri", uri),
		may("options", object(may("recursive", boolean), may("ignoreIfNotExists", boolean))), may("annotationId", text))

	workspaceEdit = object(
		may("changes", mapOf(uriKey, array(textEdit))),
		may("documentChanges", array(documentChange)),
		may("changeAnnotations", mapOf(anyKey,
			object(must("label", text), may("needsConfirmation", boolean), may("description", str)))))

	command = object(must("title", text), must("command", text), may("tooltip", str), may("arguments", array(anything)))

	diagnostic = object(must("range", rng), may("severity", integer(1, 4)), may("code", anything),
		may("codeDescription", anything), may("source", str), must("message", str), may("tags", anything),
		may("relatedInformation", anything), may("data", anything))

	codeAction = object(must("title", text), may("kind", str), may("diagnostics", array(diagnostic)),
		may("isPreferred", boolean), may("disabled", object(must("reason", text))), may("edit", workspaceEdit),
		may("command", command), may("data", anything), may("tags", array(integer(1, 1))))

	messageType = integer(1, 5)
)

// documentChange dispatches on kind, so that a complaint names the form that was meant.
func documentChange(where string, v any, say func(string, ...any)) {
	switch at(v, "kind") {
	case "create":
		createFile(where, v, say)
	case "rename":
		renameFile(where, v, say)
	case "delete":
		deleteFile(where, v, say)
	default:
		textDocumentEdit(where, v, say)
	}
}

// method is what is known about one message from the server.
type method struct {
	request  bool
	params   schema
	early    bool     // legal before the initialize response
	ready    bool     // legal only after initialized
	needs    []string // keys of a client capability that must be true
	announce string   // key below capabilities.experimental.coauthor that must be true
}

func progressValue(where string, v any, say func(string, ...any)) {
	percent := integer(0, 100)
	switch at(v, "kind") {
	case "begin":
		object(must("kind", str), must("title", text), may("cancellable", boolean), may("message", str),
			may("percentage", percent))(where, v, say)
	case "report":
		object(must("kind", str), may("cancellable", boolean), may("message", str), may("percentage", percent))(where, v, say)
	case "end":
		object(must("kind", str), may("message", str))(where, v, say)
	default:
		say("%s.kind is %v, not begin, report or end", where, at(v, "kind"))
	}
}

var registration = object(must("id", text), must("method", text), may("registerOptions", anything))

var pendingFile = object(must("uri", uri), must("op", oneOf("create", "update", "rename", "delete")),
	may("newUri", uri), may("version", version), must("added", uinteger), must("removed", uinteger),
	must("hunks", array(object(must("number", integer(1, math.MaxInt32)), must("oldRange", rng), must("oldText", str),
		must("newText", str), may("state", text)))))

var reviewFile = object(must("uri", uri), must("op", oneOf("create", "update", "rename", "delete")), may("oldUri", uri),
	may("version", version), must("turnId", text), must("proposalId", text), may("label", text),
	must("hunks", array(object(must("number", uinteger), may("range", rng), must("oldText", str), may("touched", boolean)))))

// methods is the closed list of what the server may send.
var methods = map[string]method{
	"textDocument/publishDiagnostics":       {params: object(must("uri", text), may("version", anything), must("diagnostics", array(object(must("range", rng), may("severity", anything), may("source", text), may("code", text), must("message", text))))), ready: true},
	"window/showMessage":                    {params: object(must("type", messageType), must("message", text)), early: true},
	"window/logMessage":                     {params: object(must("type", messageType), must("message", text)), early: true},
	"telemetry/event":                       {params: anything, early: true},
	"$/cancelRequest":                       {params: object(must("id", token)), ready: true},
	"$/logTrace":                            {params: object(must("message", str), may("verbose", str))},
	"$/progress":                            {params: object(must("token", token), must("value", progressValue)), ready: true},
	"workspace/applyEdit":                   {request: true, params: object(may("label", text), must("edit", workspaceEdit), may("metadata", object(may("isRefactoring", boolean)))), ready: true, needs: []string{"workspace", "applyEdit"}},
	"window/showMessageRequest":             {request: true, ready: true, params: object(must("type", messageType), must("message", text), may("actions", array(object(must("title", text)))))},
	"window/showDocument":                   {request: true, ready: true, params: object(must("uri", uri), may("external", boolean), may("takeFocus", boolean), may("selection", rng))},
	"window/workDoneProgress/create":        {request: true, ready: true, params: object(must("token", token)), needs: []string{"window", "workDoneProgress"}},
	"workspace/configuration":               {request: true, ready: true, needs: []string{"workspace", "configuration"}, params: object(must("items", array(object(may("scopeUri", uri), may("section", text)))))},
	"workspace/workspaceFolders":            {request: true, ready: true, needs: []string{"workspace", "workspaceFolders"}, params: anything},
	"client/registerCapability":             {request: true, ready: true, params: object(must("registrations", array(registration)))},
	"client/unregisterCapability":           {request: true, ready: true, params: object(must("unregisterations", array(object(must("id", text), must("method", text)))))},
	"workspace/codeLens/refresh":            {request: true, ready: true, needs: []string{"workspace", "codeLens", "refreshSupport"}, params: anything},
	"workspace/inlayHint/refresh":           {request: true, ready: true, needs: []string{"workspace", "inlayHint", "refreshSupport"}, params: anything},
	"workspace/textDocumentContent/refresh": {request: true, ready: true, needs: []string{"workspace", "textDocumentContent"}, params: object(must("uri", uri))},

	"coauthor/inputBox": {request: true, ready: true, announce: "inputBox", params: object(must("prompt", text), may("value", str), may("multiline", boolean), may("history", array(str)))},
	"coauthor/lookUp":   {request: true, ready: true, announce: "lookUp", params: object(must("what", oneOf("definition", "references", "hover", "diagnostics")), may("uri", uri), may("position", position))},
	"coauthor/turn": {ready: true, announce: "turn", params: object(must("turnId", text), may("uri", uri), must("state", text), may("label", str), may("message", str), may("usage", anything),
		may("refused", array(object(must("hunk", integer(1, math.MaxInt32)), may("path", text), must("message", text), may("askable", boolean)))), may("commands", array(text)))},
	"coauthor/question": {ready: true, announce: "question", params: object(must("id", text), may("turnId", text), may("uri", uri), must("state", oneOf("open", "answered", "defaulted", "withdrawn")), must("text", text), may("body", text),
		may("choices", array(object(must("choice", text), must("title", text), may("default", boolean)))), may("freeText", boolean), may("answer", str))},
	"coauthor/stream":       {ready: true, announce: "stream", params: object(must("turnId", text), must("seq", integer(1, math.MaxInt64)), must("delta", str), must("channel", oneOf("answer", "reasoning", "edit")))},
	"coauthor/draft":        {ready: true, announce: "draft", params: object(must("turnId", text), must("uri", uri), must("files", array(pendingFile)))},
	"coauthor/pendingMoved": {ready: true, announce: "pending", params: object(must("turnId", text), must("proposalId", text), must("revision", integer(1, math.MaxInt32)), must("uri", uri))},
	"coauthor/review":       {ready: true, announce: "review", params: object(must("uri", uri), must("files", array(reviewFile)))},
	"coauthor/pending":      {ready: true, announce: "pending", params: object(must("turnId", text), must("proposalId", text), must("revision", integer(1, math.MaxInt32)), must("state", text), may("label", str), may("uri", uri), may("warnings", array(str)), may("verdict", text), may("attempts", array(object(must("label", text), must("files", array(text)), must("added", uinteger), must("removed", uinteger)))), may("attempt", integer(1, math.MaxInt32)), must("files", array(pendingFile)))},
}

// serverCapabilities is what this server may declare: it stays out of formatting, rename and diagnostics, and completes
// in documents of its own alone.
func serverCapabilities() schema {
	fileOperation := object(must("filters", array(object(may("scheme", str),
		must("pattern", object(must("glob", text), may("matches", oneOf("file", "folder")), may("options", anything)))))))
	return object(
		may("positionEncoding", oneOf("utf-8", "utf-16", "utf-32")),
		must("textDocumentSync", object(must("openClose", boolean), must("change", integer(1, 2)),
			may("save", either(boolean, object(may("includeText", boolean)))),
			may("willSave", boolean), may("willSaveWaitUntil", boolean))),
		must("codeActionProvider", object(must("codeActionKinds", array(text)), may("resolveProvider", boolean),
			may("workDoneProgress", boolean), may("documentation", anything))),
		must("executeCommandProvider", object(must("commands", array(text)), may("workDoneProgress", boolean))),
		may("completionProvider", object(must("triggerCharacters", array(text)))),
		may("codeLensProvider", object(may("resolveProvider", boolean), may("workDoneProgress", boolean))),
		may("hoverProvider", either(boolean, object(may("workDoneProgress", boolean)))),
		may("inlayHintProvider", boolean),
		may("inlineCompletionProvider", anything),
		may("workspace", object(
			may("workspaceFolders", object(may("supported", boolean), may("changeNotifications", either(boolean, str)))),
			may("fileOperations", object(may("didCreate", fileOperation), may("didRename", fileOperation),
				may("didDelete", fileOperation))),
			may("textDocumentContent", object(must("schemes", array(text)))))),
		may("experimental", object(may("coauthor", anything))))
}

var initializeResult = object(
	must("capabilities", serverCapabilities()),
	must("serverInfo", object(must("name", text), may("version", text))))
