package chat

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// lineConsole is a console of lines: for a terminal that cannot move its cursor. What moves is not shown there.
type lineConsole struct {
	out   io.Writer
	width int
	lines chan typedLine
	once  sync.Once
	in    io.Reader
}

type typedLine struct {
	text string
	err  error
}

func newLineConsole(in io.Reader, out io.Writer, width int) *lineConsole {
	if width <= 0 {
		width = 80
	}
	return &lineConsole{in: in, out: out, width: width, lines: make(chan typedLine)}
}

// read hands over the lines of the input, one when it is asked for. The last one waits until the process ends.
func (c *lineConsole) read() {
	from := bufio.NewReader(c.in)
	for {
		text, err := from.ReadString('\n')
		c.lines <- typedLine{strings.TrimRight(text, "\r\n"), err} // the end comes as often as it is asked for
	}
}

func (c *lineConsole) line(ctx context.Context, before string) (string, error) {
	c.once.Do(func() { go c.read() })
	fmt.Fprint(c.out, before+" ")
	select {
	case l := <-c.lines:
		if l.err != nil && l.text == "" {
			fmt.Fprintln(c.out)
			return "", io.EOF
		}
		return l.text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Read implements console. A backslash at the end of a line goes on with the next.
func (c *lineConsole) Read(ctx context.Context) (string, error) {
	text, err := c.line(ctx, ">")
	for err == nil && strings.HasSuffix(text, `\`) {
		var more string
		more, err = c.line(ctx, " ")
		text = strings.TrimSuffix(text, `\`) + "\n" + more
	}
	return text, err
}

// Ask implements console. The end of the input is no answer.
func (c *lineConsole) Ask(ctx context.Context, l line) (string, error) {
	before := l.before
	if l.text != "" {
		before += " (" + l.text + ")"
	}
	answer, err := c.line(ctx, Fold(before, c.width))
	if errors.Is(err, io.EOF) && !l.must {
		return "", nil
	}
	return answer, err
}

// Edit implements console.
func (c *lineConsole) Edit(_ context.Context, text, ending string) (string, error) {
	return EditText(text, ending, os.Stdin, c.out)
}

// Page implements console.
func (c *lineConsole) Page(_ context.Context, text string) error {
	c.Print(text)
	return nil
}

// Print implements console.
func (c *lineConsole) Print(text string) { fmt.Fprintln(c.out, strings.TrimSuffix(text, "\n")) }

// Moving implements console.
func (c *lineConsole) Moving(func(width, most int) []string) {}

// Changed implements console.
func (c *lineConsole) Changed() {}

// Working implements console.
func (c *lineConsole) Working(func()) {}

// Width implements console.
func (c *lineConsole) Width() int { return c.width }

// Height implements console.
func (c *lineConsole) Height() int { return 24 }
