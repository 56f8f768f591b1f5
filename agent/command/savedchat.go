package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/mention"
	"coauthor/agent/settings"
)

// What was chosen for a session, on disk: by a name that the user gives it, and between the commands of the command line.

// isChatName says whether a saved chat may be called so: like a custom command, but without a colon, which no file name of
// Windows may have.
func isChatName(name string) bool { return settings.ActionName(name) && !strings.Contains(name, ":") }

// chats is the folder in which the saved chats of a root lie; "" without a place for them.
func chats(s *agent.Session) string {
	if s.Engine.Options().StateDir == "" || s.Workspace.Root() == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s.Workspace.Root()))
	return filepath.Join(s.Engine.Options().StateDir, "chats", hex.EncodeToString(sum[:8]))
}

type saveArgs struct {
	Name string `arg:"name" also:"instruction" bare:"yes" doc:"A name made of letters, digits, dots and hyphens."`
	Folder
}

// runSave saves what was chosen under a name.
func runSave(_ context.Context, s *agent.Session, _ Call, args saveArgs) (Answer, error) {
	dir := chats(s)
	switch {
	case !isChatName(args.Name):
		return Answer{}, errors.New("add a name of letters, digits, dots and hyphens, for example: /save parser")
	case dir == "":
		return Answer{}, errors.New("cannot save the chat because no folder is open")
	}
	text, err := script(s.Chosen.Get())
	if err != nil {
		return Answer{}, err
	}
	if err := replaceFile(filepath.Join(dir, args.Name+".txt"), text); err != nil {
		return Answer{}, fmt.Errorf("cannot save the chat as %s: %w", args.Name, err)
	}
	return Answer{Text: fmt.Sprintf("Saved. To restore it, use /load %s.", args.Name), Data: map[string]any{"name": args.Name}}, nil
}

// script writes a choice as the commands that make it.
func script(c chosen.Choice) (string, error) {
	var b strings.Builder
	b.WriteString("/drop\n")
	for _, one := range []struct {
		word  string
		files []string
	}{{"add", c.Files}, {"read-only", c.ReadOnly}} {
		for _, file := range one.files {
			if strings.ContainsAny(file, "\r\n") {
				return "", fmt.Errorf("cannot save a file name with a line break: %q; remove that file from the chat first", file)
			}
			fmt.Fprintf(&b, "/%s %s\n", one.word, mention.QuoteName(file))
		}
	}
	thinking := ""
	if c.Thinking != nil {
		thinking = strconv.Itoa(*c.Thinking)
	}
	for _, one := range [][2]string{{"chat-mode", c.Coder}, {"chat-mode", c.Format}, {"model", c.Model}, {"weak-model", c.WeakModel},
		{"editor-model", c.EditorModel}, {"reasoning-effort", c.Effort}, {"think-tokens", thinking}} {
		if one[1] != "" && one[1] != "auto" {
			fmt.Fprintf(&b, "/%s %s\n", one[0], one[1])
		}
	}
	return b.String(), nil
}

// mostScript is how large a file of commands may be.
const mostScript = 64 << 10

type loadArgs struct {
	Name string `arg:"name" also:"instruction,file" bare:"yes" doc:"The saved name or the path of the command file."`
	Folder
}

// runLoad runs the commands of what was saved, or of a file.
func runLoad(ctx context.Context, s *agent.Session, c Call, args loadArgs) (Answer, error) {
	if args.Name == "" {
		return Answer{}, errors.New("add the name of a saved chat or a file to load")
	}
	var text string
	err := fs.ErrNotExist
	if dir := chats(s); dir != "" && isChatName(args.Name) {
		var raw []byte
		raw, err = os.ReadFile(filepath.Join(dir, args.Name+".txt"))
		text = string(raw)
	}
	if errors.Is(err, fs.ErrNotExist) {
		text, err = s.Workspace.Snapshot().Within(ctx).Read(args.Name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Answer{}, fmt.Errorf("no saved chat or file named %s", args.Name)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("cannot load %s: %w", args.Name, err)
	}
	if len(text) > mostScript {
		return Answer{}, fmt.Errorf("%s is too large for a command file", args.Name)
	}
	before := s.Chosen.Get()
	if err := runScript(ctx, s, c, args.Name, text); err != nil {
		if _, back := s.Choose(before); back != nil {
			return Answer{}, errors.Join(err, back)
		}
		return Answer{}, err
	}
	return chose(s, s.Chosen.Get())
}

// runScript runs the commands of a text of that name, one a line.
func runScript(ctx context.Context, s *agent.Session, c Call, name, text string) error {
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		where := fmt.Sprintf("%s:%d", name, n+1)
		a, rest, ok := CommandOf(c.Table, line)
		if !ok || !a.Chooses {
			return fmt.Errorf("%s: cannot use %q in a command file; nothing was loaded", where, line)
		}
		words, err := a.Words(rest)
		if err == nil {
			_, err = a.Run.Do(ctx, s, Call{Args: a.Given(words...), Ports: c.Ports, Table: c.Table})
		}
		if err != nil {
			return fmt.Errorf("%s: %w; nothing was loaded", where, err)
		}
	}
	return nil
}

// keptChoice is what was chosen in another process.
type keptChoice struct {
	At     time.Time
	Choice chosen.Choice
	Pages  []mention.Page // those of the choice: another process need not fetch them again
}

// kept is the file in which the command line keeps what was chosen.
func kept(s *agent.Session) string {
	if dir := chats(s); dir != "" {
		return dir + ".json"
	}
	return ""
}

// KeepChoice keeps what was chosen for the next command of the command line that goes on with the conversation.
func KeepChoice(s *agent.Session) error {
	file := kept(s)
	if file == "" {
		return nil
	}
	raw, err := json.Marshal(choiceToKeep(s))
	if err == nil {
		err = replaceFile(file, string(raw))
	}
	if err != nil {
		return fmt.Errorf("cannot save the session's choices: %w", err)
	}
	return nil
}

func choiceToKeep(s *agent.Session) keptChoice {
	c := s.Chosen.Get()
	return keptChoice{s.Engine.Options().Clock(), c, s.Chosen.Pages.Of(c.Pages)}
}

// RestoreChoice makes what KeepChoice kept the session's, and says whether there was anything. The files of
// an exchange after it stay.
func RestoreChoice(s *agent.Session) bool {
	raw, err := os.ReadFile(kept(s))
	var k keptChoice
	if err != nil || json.Unmarshal(raw, &k) != nil {
		return false // there is none, or it is of another version
	}
	if last, ok := s.Conversation.History.Last(); ok && last.At.After(k.At) {
		now := s.Chosen.Get()
		k.Choice.Files, k.Choice.ReadOnly = namesOf(k.Choice.Files, now.Files), namesOf(k.Choice.ReadOnly, now.ReadOnly)
	}
	for _, page := range k.Pages {
		s.Chosen.Pages.Put(page)
	}
	_, err = s.Choose(k.Choice)
	return err == nil
}

// namesOf is both lists, each name once.
func namesOf(list, more []string) []string {
	for _, name := range more {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// ForgetChoice drops what KeepChoice kept.
func ForgetChoice(s *agent.Session) error {
	if err := os.Remove(kept(s)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot delete the session's saved choices: %w", err)
	}
	return nil
}

// replaceFile writes a file of ours as a whole.
func replaceFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "new-")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(text)
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
