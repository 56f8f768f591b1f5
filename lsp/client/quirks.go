package client

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed quirks/*.yaml
var quirkFiles embed.FS

// Quirks is what a client does other than it says, as data: one file for each client. Each switch
// can be set by its name in the setting client.quirks.
type Quirks struct {
	Client string   `yaml:"client"`
	Names  []string `yaml:"names"` // clientInfo.name, in any case, that this profile is for
	Menu   string   `yaml:"menu"`  // the keys that open the menu of code actions; "" where they are not known

	// Waiting is the command that shows the questions which wait, where the client shows none by itself; "" elsewhere.
	Waiting string `yaml:"waiting"`

	// Marks is how hunks under review are marked: hints, diagnostics, or "" for none, which is
	// for clients that show code lenses.
	Marks string `yaml:"marks"`

	// WrittenBy says who can write what the client sends of settings; see Writers. It is no switch: a
	// repository that can write settings could set it.
	WrittenBy Writers `yaml:"writtenBy"`
	// PreferUTF16: count in UTF-16 even where the client offers UTF-8.
	PreferUTF16 bool `yaml:"preferUTF16"`
	// NativePreview: annotated edits open a preview of the client in which the user picks.
	NativePreview bool `yaml:"nativePreview"`
	// NewFileByEdit: a text edit of a file that does not exist makes a buffer for it, which is
	// safer than a create operation. Where it is false, create comes before the edit. A file without text is created
	// in either case, since no edit makes it.
	NewFileByEdit bool `yaml:"newFileByEdit"`
	// MakeParents: the client does not make the directories of a new file when it is saved.
	MakeParents bool `yaml:"makeParents"`
	// DeleteNeedsFile: a delete operation closes a document only if there is a file on disk.
	DeleteNeedsFile bool `yaml:"deleteNeedsFile"`
	// DeleteKeepsDocument: a delete operation leaves the document open.
	DeleteKeepsDocument bool `yaml:"deleteKeepsDocument"`
	// CreateAlone: a create operation and an edit of the same file must not be sent together.
	CreateAlone bool `yaml:"createAlone"`
	// NoResourceOperations: create, rename and delete must not be sent, whatever was declared.
	NoResourceOperations bool `yaml:"noResourceOperations"`
	// SplitFiles: one applyEdit for each file, since the client checks only the first one's version.
	SplitFiles bool `yaml:"splitFiles"`
	// IgnoresVersions: the client applies an edit whatever version it names.
	IgnoresVersions bool `yaml:"ignoresVersions"`
	// RebasesEdits: the client moves a stale edit to where it thinks it belongs.
	RebasesEdits bool `yaml:"rebasesEdits"`
	// ChangesLate: a change that was applied is told only when the user types next, and the answer to the
	// edit says nothing about it: the user may have said no.
	ChangesLate bool `yaml:"changesLate"`
	// HiddenUntold: a change of a document that is not in front is told when the user comes to it. The
	// client's word counts until then.
	HiddenUntold bool `yaml:"hiddenUntold"`
	// AsksItself: the client asks the user before it applies an edit of the server.
	AsksItself bool `yaml:"asksItself"`
	// NoDidOpen: files that were edited without being open stay unknown to the server until the user comes
	// to them.
	NoDidOpen bool `yaml:"noDidOpen"`
	// ShowDocument: window/showDocument works although it was not declared.
	ShowDocument bool `yaml:"showDocument"`
	// NoShowDocument: it does not although it was.
	NoShowDocument bool `yaml:"noShowDocument"`
	// NoVirtualDocuments: show files only.
	NoVirtualDocuments bool `yaml:"noVirtualDocuments"`
	// MessageRequestIfDeclared: window/showMessageRequest works exactly where window.showMessage was declared.
	MessageRequestIfDeclared bool `yaml:"messageRequestIfDeclared"`
	// NewFileEndsLine: the client ends the last line of a new file itself, so its line break is left
	// out of the edit.
	NewFileEndsLine bool `yaml:"newFileEndsLine"`
	// VersionsStep: a document's versions go up by one, and a later change may come before an earlier
	// one.
	VersionsStep bool `yaml:"versionsStep"`
	// BlockCursor: a selection of one character is no selection, but where the cursor is.
	BlockCursor bool `yaml:"blockCursor"`
	// OnlyLF: the client's lines end at "\n" alone.
	OnlyLF bool `yaml:"onlyLF"`
	// KeepLastBreak: the client cannot put anything in place of a document's last line break, or fails where
	// it goes, so that edits leave it out.
	KeepLastBreak bool `yaml:"keepLastBreak"`
	// WritesLF: edits of an open document take "\n", from which the client makes the document's line ends.
	WritesLF bool `yaml:"writesLF"`
	// OperationsApart: operations on files and text edits must not be sent together, since the client does
	// the operations first.
	OperationsApart bool `yaml:"operationsApart"`
	// RenameKeepsDocument: a rename operation leaves an open document under the old name. A new file is made
	// and the old one taken away instead.
	RenameKeepsDocument bool `yaml:"renameKeepsDocument"`
	// EmptyBeforeDelete: a delete operation leaves the document open and nothing closes it, so that its text
	// is taken out first.
	EmptyBeforeDelete bool `yaml:"emptyBeforeDelete"`
	// EditsFilesOnDisk: a file that is not open is changed on disk, and told as opened although it is not.
	EditsFilesOnDisk bool `yaml:"editsFilesOnDisk"`
	// SavesHidden: an open document that is not in front and has no changes is saved after an edit.
	SavesHidden bool `yaml:"savesHidden"`
	// DialogBlocks: while a dialog is open the user cannot scroll what lies under it.
	DialogBlocks bool `yaml:"dialogBlocks"`
	// OneLineMessages: messages and dialogs are drawn without their line breaks.
	OneLineMessages bool `yaml:"oneLineMessages"`
	// FirstChoiceOnly: of the choices of a question the client can return the first one alone.
	FirstChoiceOnly bool `yaml:"firstChoiceOnly"`
	// ModifiedStays: a document that an edit of the server has changed stays modified until the user saves it, and leaving
	// the client is refused meanwhile.
	ModifiedStays bool `yaml:"modifiedStays"`
	// WatchTree: the client can be asked to watch every file below its folders. Where that is not
	// set it would cost a watcher for each folder or a question to the user.
	WatchTree bool `yaml:"watchTree"`
}

// Writers are those who can write the settings and the initializationOptions of a client.
type Writers string

const (
	// AnybodyWrites says that the client reads settings, or the options of servers, out of the repository, such as
	// .helix/languages.toml or .vim/coc-settings.json; the rule for clients that nobody looked at.
	AnybodyWrites Writers = ""
	// PluginWrites says that the repository may write settings (.vscode/settings.json), the options come from our
	// own extension.
	PluginWrites Writers = "plugin"
	// UserWrites says that both are the user's alone.
	UserWrites Writers = "user"
)

// WritersOf finds out who can write what a client sends. Only its name and what it can do are asked:
// the setting "client" and the options may be a repository's.
func WritersOf(c *Capabilities) Writers {
	q, err := Detect("", "", c)
	if err != nil {
		return AnybodyWrites
	}
	return q.WrittenBy
}

// QuirksOf returns the profile of a client by its name in the table.
func QuirksOf(name string) (Quirks, error) {
	one, known := quirkTable()[name]
	if !known {
		return Quirks{}, fmt.Errorf("no profile for the client %q; available profiles: %s", name, strings.Join(Profiles(), ", "))
	}
	return one.Quirks, one.err
}

// quirkTable holds all profiles, which are read once.
var quirkTable = sync.OnceValue(func() map[string]readQuirks {
	table := map[string]readQuirks{}
	for _, name := range Profiles() {
		q, err := readProfile(name)
		table[name] = readQuirks{q, err}
	}
	return table
})

type readQuirks struct {
	Quirks
	err error
}

func readProfile(name string) (Quirks, error) {
	raw, err := quirkFiles.ReadFile("quirks/" + name + ".yaml")
	if err != nil {
		return Quirks{}, fmt.Errorf("read the profile of %s: %w", name, err)
	}
	var q Quirks
	if err := yaml.UnmarshalWithOptions(raw, &q, yaml.Strict()); err != nil {
		return Quirks{}, fmt.Errorf("read the profile of %s: %w", name, err)
	}
	switch q.WrittenBy {
	case AnybodyWrites, PluginWrites, UserWrites:
	default: // a profile is data: a misspelt word must not pass for one that trusts more
		return Quirks{}, fmt.Errorf("read the profile of %s: writtenBy is %q", name, q.WrittenBy)
	}
	q.Client = name
	return q, nil
}

// Profiles lists the profiles there are.
func Profiles() []string {
	files, err := fs.Glob(quirkFiles, "quirks/*.yaml")
	if err != nil {
		return nil // the pattern is a constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	return files
}

// Detect picks the profile: the setting first, then what a plug-in says of itself, then what the
// client can do, and only then its name.
func Detect(setting, plugin string, c *Capabilities) (Quirks, error) {
	if setting != "" && setting != "auto" {
		q, err := QuirksOf(setting)
		if err == nil {
			return q, nil
		}
		q, _ = Detect("", plugin, c) // has no setting to refuse
		return q, err
	}
	if plugin != "" {
		base, _, _ := strings.Cut(plugin, "-module")
		if q, err := QuirksOf(base); err == nil {
			return q, nil
		}
	}
	if c.vsCodeFamily() {
		return QuirksOf("vscode")
	}
	if c.oldEglot() {
		return QuirksOf("eglot")
	}
	for _, name := range Profiles() {
		q, err := QuirksOf(name)
		if err != nil {
			return Quirks{}, err
		}
		if slices.ContainsFunc(q.Names, func(n string) bool { return strings.EqualFold(n, c.Name) }) {
			return q, nil
		}
	}
	return QuirksOf("generic")
}

// Switches are the names of the switches that are on.
func (q *Quirks) Switches() []string {
	var on []string
	v := reflect.ValueOf(*q)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Bool && f.Bool() {
			on = append(on, v.Type().Field(i).Tag.Get("yaml"))
		}
	}
	return on
}

// Override sets single switches by the names that the profiles use.
func (q *Quirks) Override(switches map[string]bool) []string {
	var unknown []string
	v := reflect.ValueOf(q).Elem()
	for name, on := range switches {
		found := false
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("yaml") == name && v.Field(i).Kind() == reflect.Bool {
				v.Field(i).SetBool(on)
				found = true
			}
		}
		if !found {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}
