package chat

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// mostPast is how many messages of a folder are remembered.
const mostPast = 1000

// past is the file of what was sent in a folder before: a message a line, as JSON, since messages have line ends.
type past string

// read returns the messages, the oldest first. A file that cannot be read has none.
func (p past) read() (list []string) {
	if p == "" {
		return nil
	}
	data, err := os.ReadFile(string(p))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		var text string
		if json.Unmarshal([]byte(line), &text) == nil && text != "" {
			list = append(list, text)
		}
	}
	return list[max(0, len(list)-mostPast):]
}

// add remembers a message. What cannot be written is forgotten with the session.
func (p past) add(text string) {
	if p == "" {
		return
	}
	line, err := json.Marshal(text)
	if err != nil || os.MkdirAll(filepath.Dir(string(p)), 0o700) != nil {
		return
	}
	if info, err := os.Stat(string(p)); err == nil && info.Size() > mostPastBytes {
		p.shorten()
	}
	f, err := os.OpenFile(string(p), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(append(line, '\n')) // there is nobody to tell
	_ = f.Close()
}

// mostPastBytes is how long the file may become before its beginning goes.
const mostPastBytes = 1 << 20

// shorten keeps the newer half of the messages.
func (p past) shorten() {
	list := p.read()
	var b strings.Builder
	for _, text := range list[len(list)/2:] {
		if line, err := json.Marshal(text); err == nil {
			b.Write(append(line, '\n'))
		}
	}
	_ = os.WriteFile(string(p), []byte(b.String()), 0o600)
}
