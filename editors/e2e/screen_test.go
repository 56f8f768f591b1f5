package e2e

import "strings"

// screen keeps the cells that Neovim draws.
type screen struct {
	cells [][]string
}

func newScreen(width, height int) *screen {
	s := &screen{cells: make([][]string, height)}
	for i := range s.cells {
		s.cells[i] = blank(width)
	}
	return s
}

func blank(width int) []string {
	row := make([]string, width)
	for i := range row {
		row[i] = " "
	}
	return row
}

// draw applies one redraw event with all its calls.
func (s *screen) draw(event any) {
	e, _ := event.([]any)
	if len(e) == 0 {
		return
	}
	for _, c := range e[1:] {
		args, _ := c.([]any)
		switch e[0] {
		case "grid_line":
			s.line(args)
		case "grid_scroll":
			s.scroll(args)
		case "grid_clear":
			for i := range s.cells {
				s.cells[i] = blank(len(s.cells[i]))
			}
		}
	}
}

func number(v any) int {
	n, _ := v.(int64)
	return int(n)
}

func (s *screen) line(args []any) {
	row, col := number(args[1]), number(args[2])
	cells, _ := args[3].([]any)
	for _, c := range cells {
		cell, _ := c.([]any)
		text, _ := cell[0].(string)
		times := 1
		if len(cell) > 2 {
			times = number(cell[2])
		}
		for range times {
			if row < len(s.cells) && col < len(s.cells[row]) {
				s.cells[row][col] = text
			}
			col++
		}
	}
}

func (s *screen) scroll(args []any) {
	top, bottom, left, right, by := number(args[1]), number(args[2]), number(args[3]), number(args[4]), number(args[5])
	old := make([][]string, len(s.cells))
	for i := range s.cells {
		old[i] = append([]string(nil), s.cells[i]...)
	}
	for row := top; row < bottom; row++ {
		if from := row + by; from >= top && from < bottom {
			copy(s.cells[row][left:right], old[from][left:right])
		}
	}
}

func (s *screen) text() string {
	var b strings.Builder
	for _, row := range s.cells {
		b.WriteString(strings.TrimRight(strings.Join(row, ""), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
