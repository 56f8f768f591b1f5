package edits

import "testing"

// Of two long lines the part is left in which they begin to differ, with three characters before that where six are left. Bytes
// of a letter stay together.
func TestCut(t *testing.T) {
	for _, c := range [][2]pair{
		{{"before", "beside"}, {"before", "beside"}},
		{{"0123456789x", "0123456789y"}, {"…789x", "…789y"}},
		{{"xBCDEFGH", "yBCDEFGH"}, {"xBCDEF…", "yBCDEF…"}},
		{{"abcdX234567", "abcdY234567"}, {"…bcdX23…", "…bcdY23…"}},
		{{"abcX23", "abcY23xyz"}, {"abcX23", "abcY23…"}},
		{{"üüüüüx", "üüüüüy"}, {"…üüx", "…üüy"}},
		{{"aaaaaaaaaä", "aaaaaaaaaö"}, {"…aaä", "…aaö"}},
		{{"0123456789", "01234567890123"}, {"…789", "…789012…"}},
	} {
		if got := c[0].cut(6); got != c[1] {
			t.Errorf("of %q is left %q, want %q", c[0], got, c[1])
		}
	}
}
