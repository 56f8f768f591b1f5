package lsptest

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"
)

//go:embed profiles/*.yaml
var profileFiles embed.FS

// Profile is one client: what it declares at initialize and how it departs from the specification.
type Profile struct {
	Name         string         `yaml:"name"`
	Capture      string         `yaml:"capture"` // the recording the capabilities were taken from, "" for an invented client
	ClientInfo   *ClientInfo    `yaml:"clientInfo"`
	Capabilities map[string]any `yaml:"capabilities"`
	Quirks       Quirks         `yaml:"quirks"`
}

// ClientInfo is how a client names itself.
type ClientInfo struct {
	Name    string `yaml:"name" json:"name"`
	Version string `yaml:"version" json:"version,omitempty"`
}

// Quirks are the switches in which measured clients differ from the specification or from each other. The zero value is
// a client without quirks.
type Quirks struct {
	// Answers to workspace/applyEdit.
	LieApplied          bool `yaml:"lieApplied"`          // "applied: true" also when nothing was applied
	AppliedNull         bool `yaml:"appliedNull"`         // null where false is meant
	ErrorInsteadOfFalse bool `yaml:"errorInsteadOfFalse"` // a JSON-RPC error where false is meant
	ErrorCode           int  `yaml:"errorCode"`           // of that error; 0 is -32603
	NoIsApplied         bool `yaml:"noIsApplied"`         // "applied: true" where the user said no to the client's own question
	NoIsNull            bool `yaml:"noIsNull"`            // null there
	DeclinesSilently    bool `yaml:"declinesSilently"`    // the user says no to every edit and no reason is given
	NeverAnswersApply   bool `yaml:"neverAnswersApply"`   // the edit is dropped and its request stays open

	// Versions.
	FirstOnlyVersionCheck bool  `yaml:"firstOnlyVersionCheck"` // only the first document of an edit is checked
	FutureVersionOk       bool  `yaml:"futureVersionOk"`       // a version newer than the buffer passes
	VersionAfterFirstEdit int32 `yaml:"versionAfterFirstEdit"` // versions jump from 0 to this with the first change

	// Files.
	TruncateOnCreate      bool   `yaml:"truncateOnCreate"`      // create without options empties an existing file
	DeleteSkipsMissing    bool   `yaml:"deleteSkipsMissing"`    // delete of a missing file leaves its buffer, where it is no error
	DeleteKeepsBuffer     bool   `yaml:"deleteKeepsBuffer"`     // delete leaves the buffer, and of a missing file is no error
	CreateNeedsFolder     bool   `yaml:"createNeedsFolder"`     // create in a directory that does not exist fails
	NoCreate              bool   `yaml:"noCreate"`              // resource operations make the whole edit fail
	CreateHangs           bool   `yaml:"createHangs"`           // create leaves the request unanswered for ever
	EditOpensMissing      bool   `yaml:"editOpensMissing"`      // a text edit of a missing file opens a new buffer
	NoDidOpenForTouched   bool   `yaml:"noDidOpenForTouched"`   // files opened by an edit are not announced before the user comes to them
	EmptyIsNewline        bool   `yaml:"emptyIsNewline"`        // an empty new buffer holds one empty line
	MissingIsNewline      bool   `yaml:"missingIsNewline"`      // a missing file is opened as one empty line
	NormalizesLineEndings bool   `yaml:"normalizesLineEndings"` // edits get the line ending of the buffer
	VirtualDocument       string `yaml:"virtualDocument"`       // showDocument of another scheme: empty (buffer), ask (for its text) or refuse
	OpensTwice            bool   `yaml:"opensTwice"`            // a file that an edit opens is announced twice, first as plain text

	// Timing.
	DidChangeAfterResponse *Duration `yaml:"didChangeAfterResponse"` // the answer comes first, the change this much later
	DidChangeNever         bool      `yaml:"didChangeNever"`         // changes are told with the user's next input only
	HiddenUntold           bool      `yaml:"hiddenUntold"`           // what an edit changes in a buffer that is not in front is told when the user comes to it
	TellsWithActions       bool      `yaml:"tellsWithActions"`       // with didChangeNever: a request for code actions or completions tells its document's changes first
	RequestTimeout         Duration  `yaml:"requestTimeout"`         // the client gives a request up after this

	// Dialogs.
	MethodNotFoundSMR bool `yaml:"methodNotFoundSMR"` // showMessageRequest is answered with -32601
	NeverAnswersSMR   bool `yaml:"neverAnswersSMR"`   // showMessageRequest is never answered
	Preview           bool `yaml:"preview"`           // an edit that needs confirmation waits for the user; see Editor.Preview
	DialogBlocks      bool `yaml:"dialogBlocks"`      // while a dialog is open nothing can be scrolled
	FirstChoiceOnly   bool `yaml:"firstChoiceOnly"`   // a choice of a dialog but the first is answered with null

	// How an edit is carried out.
	NoVersionCheck    bool `yaml:"noVersionCheck"`    // an edit is applied whatever version it names
	Rebases           bool `yaml:"rebases"`           // an edit is made in the version that it names and moved to where its text stands now
	NoReasons         bool `yaml:"noReasons"`         // no reason is given for false
	RollsBack         bool `yaml:"rollsBack"`         // what was done before a failure is taken back
	EndsLines         bool `yaml:"endsLines"`         // a buffer always ends in a line break, also of a file that does not
	UnixLines         bool `yaml:"unixLines"`         // a buffer holds "\n" whatever the file has; saving puts the file's back
	LastBreakShifts   bool `yaml:"lastBreakShifts"`   // what an edit puts in place of the last line break lands one line higher
	LastLinesHang     bool `yaml:"lastLinesHang"`     // an edit that takes the last lines away with their line break is never answered
	OnlyLF            bool `yaml:"onlyLF"`            // a lone "\r" is a character and ends no line
	DoublesCRLF       bool `yaml:"doublesCRLF"`       // "\r" and "\n" in an edit each become the buffer's line end
	EditsFilesOnDisk  bool `yaml:"editsFilesOnDisk"`  // a file without a buffer is changed on disk and told as opened; a missing one not
	EditMakesFile     bool `yaml:"editMakesFile"`     // a text edit of a missing file makes it first, empty, on disk
	SavesHidden       bool `yaml:"savesHidden"`       // a buffer that is not in front and has no changes is saved after an edit
	OperationsFirst   bool `yaml:"operationsFirst"`   // operations on files are done before the edits of buffers
	RenameOverwrites  bool `yaml:"renameOverwrites"`  // rename replaces an existing file, whatever the options say
	RenameNeedsFolder bool `yaml:"renameNeedsFolder"` // rename into a directory that does not exist fails
	RenameKeepsBuffer bool `yaml:"renameKeepsBuffer"` // rename moves the file and leaves its buffer under the old name

	// What is told of buffers.
	OwnProblemsOnly bool     `yaml:"ownProblemsOnly"` // a request for code actions names the diagnostics of this server alone
	TypedTold       Duration `yaml:"typedTold"`       // what the user types is told this much later, or with the next request
	WholeTexts      bool     `yaml:"wholeTexts"`      // changes are told as the whole text
	NeedsFiletype   bool     `yaml:"needsFiletype"`   // a buffer whose language is not known is not announced
}

// Duration is a time.Duration that a profile writes as "140ms".
type Duration time.Duration

// UnmarshalYAML reads the form of time.ParseDuration.
func (d *Duration) UnmarshalYAML(b []byte) error {
	v, err := time.ParseDuration(strings.Trim(strings.TrimSpace(string(b)), `"`))
	if err != nil {
		return err
	}
	*d = Duration(v)
	return nil
}

// ProfileNames lists the embedded profiles, sorted.
func ProfileNames() []string {
	files, err := fs.Glob(profileFiles, "profiles/*.yaml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".yaml"))
	}
	return names
}

// LoadProfile reads an embedded profile; "neovim", "helix" and the like mean the newest of theirs.
func LoadProfile(name string) (Profile, error) {
	switch name {
	case "neovim":
		name = "neovim-0.12"
	case "helix":
		name = "helix-25.07"
	case "kakoune":
		name = "kakoune-22"
	case "lsp-mode":
		name = "lsp-mode-9"
	}
	all, err := readProfiles()
	if err != nil {
		return Profile{}, err
	}
	p, ok := all[name]
	if !ok {
		return Profile{}, fmt.Errorf("no client profile %q; there are %s", name, strings.Join(ProfileNames(), ", "))
	}
	p.Capabilities, _ = cloned(p.Capabilities).(map[string]any) // the caller's to change
	if p.ClientInfo != nil {
		info := *p.ClientInfo
		p.ClientInfo = &info
	}
	return p, nil
}

// readProfiles parses the embedded profiles once: thousands of plays load one each.
var readProfiles = sync.OnceValues(func() (map[string]Profile, error) {
	all := map[string]Profile{}
	for _, name := range ProfileNames() {
		b, err := profileFiles.ReadFile("profiles/" + name + ".yaml")
		if err != nil {
			return nil, err
		}
		var p Profile
		if err := yaml.UnmarshalWithOptions(b, &p, yaml.Strict()); err != nil {
			return nil, fmt.Errorf("read profile %s: %w", name, err)
		}
		if p.Quirks.RequestTimeout == 0 {
			p.Quirks.RequestTimeout = Duration(Hung)
		}
		all[name] = p
	}
	return all, nil
})

// cloned copies a decoded tree.
func cloned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		m := make(map[string]any, len(v))
		for key, one := range v {
			m[key] = cloned(one)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, one := range v {
			list[i] = cloned(one)
		}
		return list
	}
	return v
}
