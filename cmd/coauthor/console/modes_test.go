package console

import (
	"errors"
	"testing"
)

// oldConsole is a terminal of Windows with bits that are set, and those that it knows.
type oldConsole struct {
	bits, knows uint32
	none        bool // it is no console
}

func (c *oldConsole) get() (uint32, error) {
	if c.none {
		return 0, errors.New("the handle is invalid")
	}
	return c.bits, nil
}

func (c *oldConsole) set(bits uint32) error {
	if bits&^c.knows != 0 {
		return errors.New("the parameter is incorrect")
	}
	c.bits = bits
	return nil
}

// TestModesOfConsoles: a console that refuses one of the modes of a screen gets plain lines. Where it draws, it reads escape
// sequences from then on; all else stays as it was.
func TestModesOfConsoles(t *testing.T) {
	const plain = 0x1 | 0x2
	for name, x := range map[string]struct {
		knows      uint32
		none       bool
		draws, can bool
		left       uint32
	}{
		"Windows 10":      {plain | modeSequences | modeNoReturn | modeKeys, false, true, true, plain | modeSequences},
		"Windows 7":       {plain, false, false, false, plain},
		"without returns": {plain | modeSequences | modeKeys, false, false, true, plain | modeSequences},
		"without keys":    {plain | modeSequences | modeNoReturn, false, true, false, plain | modeSequences},
		"no console":      {plain | modeSequences | modeNoReturn | modeKeys, true, false, false, plain},
	} {
		c := &oldConsole{bits: plain, knows: x.knows, none: x.none}
		if draws, can := canDraw(c), canType(c); draws != x.draws || can != x.can || c.bits != x.left {
			t.Errorf("%s: draws %v, types %v, left in %#x", name, draws, can, c.bits)
		}
	}
	if !canDraw(nil) || !canType(nil) {
		t.Error("a terminal without modes is refused")
	}
}
