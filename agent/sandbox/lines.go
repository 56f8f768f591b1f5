package sandbox

import (
	"io"
	"strings"
	"sync"
)

// Bounds of what is told of a command while it runs. All that it writes is still read, and kept as its limits say.
const (
	mostToldLines = 2000
	mostToldLine  = 4 << 10 // bytes of a line
)

// untold is the line in the place of those that are too many.
const untold = "[more output than is shown here]"

// lines tells the lines of a command's streams as they come, whole ones only.
type lines struct {
	tell     func(line string)
	from, to string // what stands for what in them; an empty from for nothing

	mu      sync.Mutex
	streams []*lineStream // guarded by mu
	told    int           // guarded by mu
}

// out makes what gets one of the streams; nil where nobody is told.
func (l *lines) out() func() io.Writer {
	if l == nil {
		return nil
	}
	return l.stream
}

// stream is another of the command's streams; its last line is told by end.
func (l *lines) stream() io.Writer {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &lineStream{all: l}
	l.streams = append(l.streams, s)
	return s
}

// end tells the lines that have no end.
func (l *lines) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.streams {
		if len(s.line) > 0 {
			l.say(s)
		}
	}
	l.streams = nil
}

// say tells the line that a stream has. The caller holds mu.
func (l *lines) say(s *lineStream) {
	line := string(s.line)
	s.line = s.line[:0]
	switch l.told++; {
	case l.told > mostToldLines+1:
		return
	case l.told > mostToldLines:
		line = untold
	case len(line) > mostToldLine:
		line = line[:mostToldLine] + "…"
	}
	if l.from != "" {
		line = strings.ReplaceAll(line, l.from, l.to)
	}
	l.tell(strings.ReplaceAll(strings.ToValidUTF8(strings.TrimSuffix(line, "\r"), "\uFFFD"), "\x00", "\uFFFD"))
}

// lineStream is one of the streams.
type lineStream struct {
	all  *lines
	line []byte // guarded by all.mu; what has come of a line
}

// Write implements io.Writer.
func (s *lineStream) Write(p []byte) (int, error) {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	text := string(p)
	for rest, ended := text, true; ended; {
		var part string
		part, rest, ended = strings.Cut(rest, "\n")
		s.line = append(s.line, part[:min(len(part), max(mostToldLine+1-len(s.line), 0))]...)
		if ended {
			s.all.say(s)
		}
	}
	return len(p), nil
}
