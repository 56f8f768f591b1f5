package client

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coauthor/lsp/wire"
)

const everything = `{"clientInfo":{"name":"n","version":"v"},"capabilities":{
	"workspace":{"applyEdit":true,"configuration":true,
		"workspaceEdit":{"documentChanges":true,"resourceOperations":["create","rename","delete"],"failureHandling":"undo",
			"normalizesLineEndings":true,"changeAnnotationSupport":{},"metadataSupport":true},
		"didChangeConfiguration":{"dynamicRegistration":true},"didChangeWatchedFiles":{"dynamicRegistration":true},
		"textDocumentContent":{},"codeLens":{"refreshSupport":true},"inlayHint":{"refreshSupport":true}},
	"textDocument":{"codeLens":{},"hover":{"contentFormat":["markdown"]},"inlayHint":{"dynamicRegistration":true},"completion":{"dynamicRegistration":true},"publishDiagnostics":{"codeDescriptionSupport":false},
		"codeAction":{"codeActionLiteralSupport":{},"disabledSupport":true,"honorsChangeAnnotations":true,"tagSupport":{"valueSet":[3,1]}}},
	"window":{"workDoneProgress":true,"showMessage":{},"showDocument":{"support":true}},
	"general":{"positionEncodings":["utf-8"]},
	"experimental":{"coauthor":{"inputBox":true,"pending":true,"stream":true,"streamEdits":true,"draft":true,"turn":true,"failures":true,"review":true,"question":true,"lookUp":true}}}}`

// derived makes capabilities of a declaration, without the parts that are named.
func derived(t *testing.T, hasInput bool, without ...string) Capabilities {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal([]byte(everything), &tree); err != nil {
		t.Fatal(err)
	}
	for _, path := range without {
		at := tree
		keys := strings.Split(path, ".")
		for _, k := range keys[:len(keys)-1] {
			at, _ = at[k].(map[string]any)
		}
		last := keys[len(keys)-1]
		if _, known := at[last]; !known {
			t.Fatalf("%s is not declared", path)
		}
		delete(at, last)
	}
	raw, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	p := &hello{}
	if err := wire.Decode(raw, p); err != nil {
		t.Fatal(err)
	}
	return p.derived(hasInput)
}

// Each part of a client's declaration decides on what it stands for, and on nothing else.
func TestEachPartOfADeclaration(t *testing.T) {
	full := derived(t, false)
	v := reflect.ValueOf(full)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not set by a client that can do everything", v.Type().Field(i).Name)
		}
	}
	const w, e, d, x = "capabilities.workspace.", "capabilities.workspace.workspaceEdit.", "capabilities.textDocument.", "capabilities.experimental.coauthor."
	for without, want := range map[string]string{
		"clientInfo.name":    "Name",
		"clientInfo.version": "Version",
		w + "applyEdit":      "ApplyEdit",
		w + "configuration":  "Configuration",
		e + "documentChanges " + e + "resourceOperations": "DocumentChanges CreateFile RenameFile DeleteFile",
		e + "documentChanges":                             "", // Neovim declares resource operations alone
		e + "resourceOperations":                          "CreateFile RenameFile DeleteFile",
		e + "failureHandling":                             "FailureHandling",
		e + "normalizesLineEndings":                       "NormalizesLineEndings",
		e + "changeAnnotationSupport":                     "Annotations",
		e + "metadataSupport":                             "EditMetadata",
		w + "didChangeConfiguration":                      "WatchConfiguration",
		w + "didChangeWatchedFiles.dynamicRegistration":   "WatchFiles",
		w + "textDocumentContent":                         "VirtualDocuments",
		w + "codeLens":                                    "CodeLensRefresh",
		d + "codeLens":                                    "CodeLens",
		w + "inlayHint":                                   "InlayHintRefresh",
		d + "inlayHint":                                   "InlayHint RegisterInlayHint",
		d + "inlayHint.dynamicRegistration":               "RegisterInlayHint",
		d + "hover":                                       "Hover HoverMarkdown",
		d + "hover.contentFormat":                         "HoverMarkdown",
		x + "review":                                      "Review",
		d + "completion":                                  "Completion RegisterCompletion",
		d + "completion.dynamicRegistration":              "RegisterCompletion",
		d + "codeAction":                                  "CodeActions ActionLiterals DisabledActions ActionTagLLM HonorsAnnotations",
		d + "publishDiagnostics":                          "NoCodeDescriptions",
		d + "codeAction.codeActionLiteralSupport":         "ActionLiterals",
		d + "codeAction.disabledSupport":                  "DisabledActions",
		d + "codeAction.honorsChangeAnnotations":          "HonorsAnnotations",
		d + "codeAction.tagSupport":                       "ActionTagLLM",
		"capabilities.window.workDoneProgress":            "Progress",
		"capabilities.window.showMessage":                 "ShowMessageDeclared",
		"capabilities.window.showDocument":                "ShowDocument",
		"capabilities.general.positionEncodings":          "Encodings",
		x + "inputBox":                                    "InputBox InputRequest",
		x + "pending":                                     "Pending",
		x + "stream":                                      "Stream StreamEdits",
		x + "streamEdits":                                 "StreamEdits",
		x + "failures":                                    "TellsFailures",
		x + "draft":                                       "Draft",
		x + "question":                                    "Question",
		x + "lookUp":                                      "LookUp",
		x + "turn":                                        "TellsFailures NoTurnProgress",
		"capabilities.experimental.coauthor":              "TellsFailures Draft InputBox InputRequest LookUp NoTurnProgress Pending Question Review Stream StreamEdits Turn",
		x + "turn " + x + "pending " + x + "stream":       "Turn TellsFailures NoTurnProgress Pending Stream StreamEdits " + "!Turn",
		x + "turn " + x + "pending " + x + "inputBox":     "TellsFailures NoTurnProgress Pending InputBox InputRequest",
		x + "turn " + x + "stream " + x + "inputBox":      "TellsFailures NoTurnProgress Stream StreamEdits InputBox InputRequest",
		x + "pending " + x + "stream " + x + "inputBox":   "Pending Stream StreamEdits InputBox InputRequest",
		x + "turn " + x + "pending " + x + "stream " + x + "inputBox":                                                  "TellsFailures NoTurnProgress Pending Stream StreamEdits InputBox InputRequest",
		x + "turn " + x + "pending " + x + "stream " + x + "inputBox " + x + "draft " + x + "review " + x + "question": "Turn TellsFailures NoTurnProgress Pending Stream StreamEdits Draft InputBox InputRequest Review Question",
	} {
		wanted := strings.Fields(want)
		if i := slices.Index(wanted, "!Turn"); i >= 0 { // one of the seven is enough
			wanted = slices.DeleteFunc(wanted, func(n string) bool { return strings.HasSuffix(n, "Turn") })
		}
		got := derived(t, false, strings.Fields(without)...)
		g := reflect.ValueOf(got)
		var lost []string
		for i := range v.NumField() {
			if !reflect.DeepEqual(v.Field(i).Interface(), g.Field(i).Interface()) {
				lost = append(lost, v.Type().Field(i).Name)
			}
		}
		slices.Sort(lost)
		slices.Sort(wanted)
		if !slices.Equal(lost, wanted) {
			t.Errorf("without %s: other are %v, want %v", without, lost, wanted)
		}
	}
	if got := derived(t, false, e+"failureHandling"); got.FailureHandling != "abort" {
		t.Errorf("what fails is taken to be handled by %q", got.FailureHandling)
	}
	// A client that asks for the instruction itself has an input box, and not one of ours.
	if got := derived(t, true, x+"inputBox"); !got.InputBox || got.InputRequest {
		t.Errorf("%+v", got)
	}
	for raw, want := range map[string]bool{`{}`: true, `true`: true, `null`: false, `false`: false} {
		p := &hello{}
		if err := wire.Decode([]byte(`{"capabilities":{"window":{"showMessage":`+raw+`}}}`), p); err != nil {
			t.Fatal(err)
		}
		if got := p.derived(false).ShowMessageDeclared; got != want {
			t.Errorf("%s is declared: %v", raw, got)
		}
	}
}

// A client that shows turns itself has no progress items of them, unless it wants them.
func TestProgressOfTurns(t *testing.T) {
	for text, none := range map[string]bool{`{}`: false, `{"stream":true}`: false, `{"turn":true}`: true, `{"turn":true,"progress":true}`: false} {
		var d Declaration
		if err := json.Unmarshal([]byte(`{"experimental":{"coauthor":`+text+`}}`), &d); err != nil {
			t.Fatal(err)
		}
		if c := CapabilitiesOf("", "", &d, false); c.NoTurnProgress != none {
			t.Errorf("%s: %v", text, c.NoTurnProgress)
		}
	}
}
