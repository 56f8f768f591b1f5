package review

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/yamltext"
)

// A prompt document is where a session is talked to in an editor that has no input box: a markdown file below .coauthor
// whose head says what is in the session and what the next instruction is about. Its body is the conversation: see Section.

// promptName matches the documents' names.
var promptName = regexp.MustCompile(`^\.coauthor/prompt-[0-9]+\.md$`)

// IsPrompt reports whether a path of a root is a prompt document.
func IsPrompt(path string) bool { return promptName.MatchString(path) }

// PromptHead is the front matter: what the instruction is about. It is for the user, who may change it.
type PromptHead struct {
	File      string   `yaml:"file,omitempty"`
	Selection string   `yaml:"selection,omitempty"`
	Version   int32    `yaml:"version,omitempty"`
	Files     []string `yaml:"files,omitempty"`
	Coder     string   `yaml:"coder,omitempty"`
	Model     string   `yaml:"model,omitempty"`
	FollowUp  string   `yaml:"followUp,omitempty"`
	// Arguments are those of a command that is no coder, by their names, beside the ones that have a field here.
	Arguments map[string]any `yaml:"arguments,omitempty"`
}

// PromptHint is the comment at the head of a document for an instruction: how to go on, by which coders, and what
// was chosen when it is opened, such as the files of the chat; "" for nothing.
func PromptHint(coders []string, now string) string {
	return "# Type your instruction below the second line of dashes. Then choose the code action\n" +
		"# \"Coauthor: run this instruction\".\n" +
		"# To choose a coder, add one of these lines: coder: " + strings.Join(coders, ", coder: ") + ".\n" +
		nowLine(now) + "\n" +
		"# To change this, use commands such as /add FILE, /drop FILE and /model NAME. For all commands, use /help.\n"
}

// beforeNow begins the line of a head that says what is in the session.
const beforeNow = "# Now: "

func nowLine(now string) string {
	if now == "" {
		now = "no files in the chat, only those in each request"
	}
	return beforeNow + Cut(now, 400) + "."
}

// WithNow has the head of a prompt document say what is in the session now; "" is nothing. changed is false where it says so
// already, or says nothing of it.
func WithNow(text, now string) (with string, changed bool) {
	head := text[:PromptBody(text)]
	if !promptEnd.MatchString(text) {
		return text, false // the head is being written
	}
	at := strings.Index(head, "\n"+beforeNow) + 1
	if at == 0 {
		return text, false
	}
	end := at + strings.IndexByte(head[at:], '\n')
	end -= len(head[at:end]) - len(strings.TrimRight(head[at:end], "\r"))
	if head[at:end] == nowLine(now) {
		return text, false
	}
	return text[:at] + nowLine(now) + text[end:], true
}

// beforeUsed begins the line of a head that says what the session has used.
const beforeUsed = "# Used: "

// WithUsed has the head of a prompt document say what the session has used so far, below what is in it.
func WithUsed(text, used string) string {
	head := text[:PromptBody(text)]
	if used == "" || !promptEnd.MatchString(text) {
		return text
	}
	at := strings.Index(head, "\n"+beforeUsed) + 1
	var from int // what follows the line
	if at == 0 {
		now := strings.Index(head, "\n"+beforeNow) + 1
		if now == 0 {
			return text // the user wants none of this
		}
		at = now + strings.IndexByte(head[now:], '\n') + 1
		from = at
	} else {
		from = at + strings.IndexByte(head[at:], '\n') + 1
	}
	return text[:at] + beforeUsed + Cut(used, 200) + "." + lineEnd(text) + text[from:]
}

// WithHead has a document be about something else: the comments of its head stay, but for what the hint says of the session
// now, and so does what the user chose there.
func WithHead(text string, h PromptHead, hint string) (string, error) {
	if text = strings.TrimPrefix(text, "\ufeff"); !wholeHead(text) {
		return "", errors.New("the front matter of the prompt document is not closed; add a second line of dashes")
	}
	body := PromptBody(text)
	if body == 0 {
		head, _, err := h.Document(hint)
		return strings.TrimSuffix(head, "\n") + text, err
	}
	was, _, err := ParsePrompt(text)
	if err != nil {
		return "", err
	}
	if h.Model == "" {
		h.Model = was.Model
	}
	if len(h.Files) == 0 {
		h.Files = was.Files
	}
	var comments strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text[:body], "\r\n", "\n")) {
		if at := strings.Index(hint, beforeNow); at >= 0 && strings.HasPrefix(line, beforeNow) {
			line = hint[at:at+strings.IndexByte(hint[at:]+"\n", '\n')] + "\n"
		}
		if strings.HasPrefix(line, "#") {
			comments.WriteString(line)
		}
	}
	head, _, err := h.Document(comments.String())
	return strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", lineEnd(text)) + text[body:], err
}

// Document is the text of a new prompt document with a hint (lines that begin with "#"), and the line,
// counted from 0, on which the user begins to write.
func (h PromptHead) Document(hint string) (text string, line int, err error) {
	head, err := yaml.Marshal(h)
	if err != nil {
		return "", 0, fmt.Errorf("write the front matter of the prompt document: %w", err)
	}
	if strings.TrimSpace(string(head)) == "{}" {
		head = nil // a head of nothing but its hint
	}
	text = "---\n" + hint + string(head) + "---\n\n"
	// The empty line that is there, not the one behind it: Neovim refuses to open a document at a
	// line that it does not have.
	return text, strings.Count(text, "\n") - 1, nil
}

// ParsePrompt splits a prompt document into its head and what the user writes now: what stands behind the conversation so
// far. Without a head and a conversation that is all of it.
func ParsePrompt(text string) (PromptHead, string, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return PromptHead{}, written(text), nil
	}
	var head string
	body, ok := strings.CutPrefix(rest, "---")
	if !ok {
		if head, body, ok = strings.Cut(rest, "\n---"); !ok {
			return PromptHead{}, "", errors.New("the front matter is not closed; add a second line of dashes")
		}
	}
	line, _, _ := strings.Cut(body, "\n")
	if strings.Trim(line, "- \t") != "" {
		return PromptHead{}, "", errors.New("the front matter is not closed; remove the text after the second line of dashes")
	}
	var h PromptHead
	if err := yamltext.Decode([]byte(head), &h, yaml.Strict()); err != nil {
		return PromptHead{}, "", fmt.Errorf("cannot read the front matter: %w", err)
	}
	return h, written(text), nil
}

// written is what the user writes now.
func written(doc string) string {
	start, end := OpenText(doc)
	return strings.TrimSpace(doc[start:end])
}

// PromptBody is where the instruction of a prompt document begins: behind its head. While that is not closed it is the
// end of the text.
func PromptBody(text string) int {
	if !promptHead.MatchString(text) {
		return 0
	}
	if at := promptEnd.FindStringIndex(text); at != nil {
		return at[1]
	}
	return len(text)
}

var (
	promptHead = regexp.MustCompile(`^\x{feff}?---\r?\n`)
	promptEnd  = regexp.MustCompile(`^\x{feff}?---\r?\n(?:---|(?s:.*?)\n---)[- \t]*(?:\r?\n|$)`)
)

// AnswerHint is the hint of a document for the answer to a question.
func AnswerHint(q *event.Question) string {
	hint := commented(q.Text) + "# Type your answer below the second line of dashes. Then choose the code action\n" +
		"# \"Coauthor: run this instruction\".\n"
	if len(q.Choices) > 0 {
		hint += "# Choices: " + strings.Join(q.Choices, ", ") + ".\n"
	}
	return hint
}

// commented is a text, as models ask in it, in lines that a prompt document passes over. One without an end is cut.
func commented(text string) string {
	const mostLines, mostWidth = 60, 400
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i == mostLines {
			b.WriteString("# …\n")
			break
		}
		b.WriteString(strings.TrimRight("# "+Cut(display.Line(line), mostWidth), " ") + "\n")
	}
	return b.String()
}

// Cut shortens a text to one line of at most so many characters.
func Cut(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
