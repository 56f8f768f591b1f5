package clienttest

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"coauthor/lsp/client"
	"coauthor/lsp/lsptest"
)

// habit is one thing that a client does other than it says, as the server is told of it and as the fake editor does it.
type habit struct {
	switches []string // of client.Quirks; the server is told by any of them
	quirks   []string // of lsptest.Quirks; the client does it where any of them is on
	// told and done judge where the switches and the quirks alone do not.
	told func(client.Quirks, client.Capabilities) bool
	done func(lsptest.Quirks) bool
	// oneWay is a reason why the server may count on what this client is not known to do; "" where both must agree.
	oneWay string
	// without is a client in which the two may differ, and why.
	without map[string]string
}

// habits hold the two tables of clients against each other: what the server believes of a client (lsp/client/quirks) and what
// the fake editor does as that client (lsp/lsptest/profiles). Each is written down in its own words, since a wrong idea
// that both took from one place would never show; here they must say the same.
var habits = []habit{
	{switches: []string{"splitFiles"}, quirks: []string{"firstOnlyVersionCheck"}},
	{switches: []string{"ignoresVersions"}, quirks: []string{"noVersionCheck"}},
	{switches: []string{"rebasesEdits"}, quirks: []string{"rebases"}},
	{switches: []string{"changesLate"}, quirks: []string{"didChangeNever"}},
	{switches: []string{"hiddenUntold"}, quirks: []string{"hiddenUntold"}},
	{switches: []string{"noDidOpen"}, quirks: []string{"noDidOpenForTouched"}},
	{switches: []string{"nativePreview"}, quirks: []string{"preview"}},
	{switches: []string{"createAlone"}, quirks: []string{"createHangs"}},
	{switches: []string{"editsFilesOnDisk"}, quirks: []string{"editsFilesOnDisk"}},
	{switches: []string{"savesHidden"}, quirks: []string{"savesHidden"}},
	{switches: []string{"operationsApart"}, quirks: []string{"operationsFirst"}},
	{switches: []string{"renameKeepsDocument"}, quirks: []string{"renameKeepsBuffer"}},
	{switches: []string{"deleteKeepsDocument", "emptyBeforeDelete"}, quirks: []string{"deleteKeepsBuffer"}},
	{switches: []string{"deleteNeedsFile"}, quirks: []string{"deleteSkipsMissing"}, oneWay: "Neovim did so up to 0.10"},
	{switches: []string{"firstChoiceOnly"}, quirks: []string{"firstChoiceOnly"}},
	{switches: []string{"dialogBlocks"}, quirks: []string{"dialogBlocks"}},
	{switches: []string{"keepLastBreak"}, quirks: []string{"lastBreakShifts", "lastLinesHang"}},
	{switches: []string{"writesLF"}, quirks: []string{"doublesCRLF"}},
	{switches: []string{"onlyLF"}, quirks: []string{"onlyLF"}},
	{switches: []string{"makeParents"}, quirks: []string{"createNeedsFolder"}, oneWay: "most clients fail only when the file is saved, which a test of an edit does not reach"},
	{switches: []string{"newFileEndsLine"}, quirks: []string{"emptyIsNewline", "missingIsNewline", "endsLines"},
		without: map[string]string{"kakoune-22": "its new files are created, not edited"}},
	{switches: []string{"newFileByEdit"}, quirks: []string{"editOpensMissing"}},
	{switches: []string{"messageRequestIfDeclared"}, quirks: []string{"methodNotFoundSMR"},
		told: func(q client.Quirks, c client.Capabilities) bool {
			return !(&client.Client{Caps: &c, Quirks: &q}).CanAsk()
		}},
	{switches: []string{"noResourceOperations"}, quirks: []string{"noCreate"}, oneWay: "a client that declares none is sent none"},
	{switches: []string{"asksItself"}, quirks: []string{"noIsApplied", "noIsNull", "errorCode"}, oneWay: "each version answers a no in its way",
		done: func(q lsptest.Quirks) bool { return q.NoIsApplied || q.NoIsNull || q.ErrorCode != 0 }},
	{switches: []string{"showDocument", "noShowDocument", "noVirtualDocuments"}, quirks: []string{"virtualDocument"},
		told: func(q client.Quirks, c client.Capabilities) bool {
			return (&client.Client{Caps: &c, Quirks: &q}).CanShowVirtual()
		},
		done: func(q lsptest.Quirks) bool { return q.VirtualDocument == "ask" }},
}

// serversOnly are switches of which there is nothing to play, and why.
var serversOnly = map[string]string{
	"preferUTF16":     "which unit is chosen, out of those that are offered",
	"versionsStep":    "how the server reads versions that do not come in order; a test of its own sends such",
	"blockCursor":     "how the server reads a selection of one character",
	"modifiedStays":   "what the client asks when it is left",
	"oneLineMessages": "how a message is drawn",
	"watchTree":       "what a watcher costs the client",
}

// playersOnly are quirks of which the server needs no word, and why.
var playersOnly = map[string]string{
	"lieApplied": "no answer is believed", "appliedNull": "no answer is believed", "errorInsteadOfFalse": "no answer is believed",
	"declinesSilently": "a user's choice", "neverAnswersApply": "a broken client", "neverAnswersSMR": "a broken client",
	"futureVersionOk": "no such version is sent", "versionAfterFirstEdit": "versions may jump",
	"truncateOnCreate": "nothing is created that exists, in any client", "normalizesLineEndings": "is declared",
	"opensTwice": "opening again is opening", "didChangeAfterResponse": "when a change is told is never counted on",
	"tellsWithActions": "the same", "typedTold": "the same", "requestTimeout": "everything is answered within a second",
	"noReasons": "a reason is a remark", "rollsBack": "what landed is looked at file by file",
	"unixLines": "what a document holds is told", "wholeTexts": "both forms are understood", "needsFiletype": "what is not told is not known",
	"renameOverwrites": "nothing is renamed onto a file, in any client", "renameNeedsFolder": "directories are made before",
	"ownProblemsOnly": "what is not told of is not known",
	"editMakesFile":   "what it leaves on disk is an empty file, as an edit that was saved",
}

// TestTheTwoTablesAgree: whatever the server is told of a client the fake editor does, and the other way round.
func TestTheTwoTablesAgree(t *testing.T) {
	for _, name := range lsptest.ProfileNames() {
		p, err := lsptest.LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		q, c := believed(t, p)
		for _, h := range habits {
			told, done := on(q, h.switches), on(p.Quirks, h.quirks)
			if h.told != nil {
				told = h.told(q, c)
			}
			if h.done != nil {
				done = h.done(p.Quirks)
			}
			if told == done || h.without[name] != "" || h.oneWay != "" && told {
				continue
			}
			if q.Client == "generic" && told { // nothing is known of it, so the careful way is taken
				continue
			}
			t.Errorf("%s, which the server takes for %s: %v is %v there, %v is %v here", name, q.Client, h.switches, told, h.quirks, done)
		}
	}
}

// TestEverySwitchIsHeldAgainstItsQuirk: no switch and no quirk is left out of the comparison without a reason.
func TestEverySwitchIsHeldAgainstItsQuirk(t *testing.T) {
	var switches, quirks []string
	for _, h := range habits {
		switches, quirks = append(switches, h.switches...), append(quirks, h.quirks...)
	}
	for _, c := range []struct {
		of    any
		in    []string
		alone map[string]string
	}{{client.Quirks{}, switches, serversOnly}, {lsptest.Quirks{}, quirks, playersOnly}} {
		typ := reflect.TypeOf(c.of)
		there := map[string]bool{}
		for i := range typ.NumField() {
			f := typ.Field(i)
			name := f.Tag.Get("yaml")
			there[name] = true
			if _, isSwitch := c.of.(client.Quirks); isSwitch && f.Type.Kind() != reflect.Bool {
				continue // names, keys, settings
			}
			if held, alone := slices.Contains(c.in, name), c.alone[name] != ""; held == alone {
				t.Errorf("%T.%s: held against the other table: %v, excused: %v", c.of, f.Name, held, alone)
			}
		}
		for _, name := range c.in {
			if !there[name] {
				t.Errorf("%T has no %s", c.of, name)
			}
		}
	}
	// Every client that the server knows is played.
	played := map[string]bool{}
	for _, name := range lsptest.ProfileNames() {
		p, err := lsptest.LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		q, _ := believed(t, p)
		played[q.Client] = true
	}
	for _, name := range client.Profiles() {
		if !played[name] {
			t.Errorf("nobody plays %s", name)
		}
	}
}

// believed gives what the server knows of a client by what that declares.
func believed(t *testing.T, p lsptest.Profile) (client.Quirks, client.Capabilities) {
	t.Helper()
	raw, err := json.Marshal(p.Capabilities)
	if err != nil {
		t.Fatal(err)
	}
	var d client.Declaration
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	name, version := "", ""
	if p.ClientInfo != nil {
		name, version = p.ClientInfo.Name, p.ClientInfo.Version
	}
	c := client.CapabilitiesOf(name, version, &d, false)
	q, err := client.Detect("", "", &c)
	if err != nil {
		t.Fatal(err)
	}
	return q, c
}

// on reports whether any of the named switches of a table is set.
func on(table any, names []string) bool {
	v := reflect.ValueOf(table)
	for i := range v.NumField() {
		if slices.Contains(names, v.Type().Field(i).Tag.Get("yaml")) && !v.Field(i).IsZero() {
			return true
		}
	}
	return false
}
