package console

import (
	"io"
	"os"
)

// Draws says whether out is a terminal that does what escape sequences say: moves its cursor, and has colours; the variable TERM may
// deny that. One of Windows reads them from when it is told to, which stays so: whatever is written to it next relies on it.
func Draws(out io.Writer) bool {
	f, is := Unwrap(out).(*os.File)
	return is && Is(f) && canDraw(modesOf(f))
}

// Types says whether in is a terminal that tells each key as it is pressed.
func Types(in io.Reader) bool {
	f, is := Unwrap(in).(*os.File)
	return is && Is(f) && canType(modesOf(f))
}

// modes gets and sets what a terminal of Windows does, as its bits; nil where a terminal has none. Who has one elsewhere that
// cannot read escape sequences sets TERM.
type modes interface {
	get() (uint32, error)
	set(bits uint32) error
}

// The modes of Windows that a screen is drawn with. Consoles before Windows 10, and those with the option "Use legacy console",
// refuse them.
const (
	modeSequences = 0x4   // ENABLE_VIRTUAL_TERMINAL_PROCESSING
	modeNoReturn  = 0x8   // DISABLE_NEWLINE_AUTO_RETURN
	modeKeys      = 0x200 // ENABLE_VIRTUAL_TERMINAL_INPUT
)

func canDraw(m modes) bool {
	return m == nil || hasMode(m, modeSequences, true) && hasMode(m, modeNoReturn, false)
}

func canType(m modes) bool { return m == nil || hasMode(m, modeKeys, false) }

// hasMode says whether a terminal can be in a mode, and leaves it there where keep says so.
func hasMode(m modes, bit uint32, keep bool) bool {
	was, err := m.get()
	if err != nil || m.set(was|bit) != nil {
		return false
	}
	return keep || m.set(was) == nil
}
