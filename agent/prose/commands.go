package prose

import (
	"slices"
	"strings"
)

// shells are the words behind a fence that say that commands for a shell follow.
var shells = []string{"bash", "sh", "shell", "zsh", "fish", "console", "shell-session", "powershell", "pwsh", "bat", "cmd"}

// mostSuggested is how many commands of an answer are offered, as the model is told too.
const mostSuggested = 3

// Commands are the commands in the last block of a text that is for a shell: its lines, or all of it as one where a line
// alone would make no sense. More than three lines are no commands to try but a script, which is one.
func Commands(text string) []string {
	block := lastShellBlock(text)
	var list []string
	prompts := slices.ContainsFunc(block, func(line string) bool { return strings.HasPrefix(line, "$ ") })
	for _, line := range block {
		command, prompt := strings.CutPrefix(line, "$ ")
		if prompts && !prompt { // what the command says
			continue
		}
		if line := strings.TrimSpace(command); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, strings.TrimRight(command, " \t"))
		}
	}
	if len(list) > mostSuggested || slices.ContainsFunc(list, partOfScript) {
		list = []string{strings.Join(list, "\n")}
	}
	return slices.DeleteFunc(list, func(command string) bool {
		return strings.ContainsFunc(command, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f })
	})
}

// partOfScript says that a line goes on in the next one, or goes on from the one before.
func partOfScript(line string) bool {
	for _, open := range []string{"\\", "|", "&&", "||", "{", "(", " do", " then", " in", "`"} {
		if strings.HasSuffix(line, open) {
			return true
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.Contains(line, "<<") ||
		slices.Contains([]string{"if", "for", "while", "case", "do", "done", "then", "else", "fi", "esac", "}", "EOF"}, first) ||
		strings.Count(line, `"`)%2 == 1 || strings.Count(line, "'")%2 == 1
}

// lastShellBlock are the lines of the last fenced block that is for a shell, and is closed.
func lastShellBlock(text string) []string {
	var last, block []string
	fence, shell := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		mark := fenceMark(line)
		rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), mark))
		switch {
		case fence == "" && mark != "":
			word, _, _ := strings.Cut(rest, " ")
			fence, shell, block = mark, slices.Contains(shells, strings.ToLower(word)), nil
		case fence != "" && mark != "" && rest == "" && mark[0] == fence[0] && len(mark) >= len(fence):
			if shell {
				last = block
			}
			fence = ""
		case fence != "":
			block = append(block, line)
		}
	}
	return last
}

// fenceMark is the fence that a line begins with; "" for none.
func fenceMark(line string) string {
	line = strings.TrimSpace(line)
	for _, sign := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, sign); len(line)-len(rest) >= 3 && !strings.Contains(rest, "`") {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}
