package editstest

import (
	"fmt"
	"strings"
)

// Source returns that many lines that look like code, most of them different and 58 bytes long on
// average, so that 10,000 of them are a file of about 591 KB.
func Source(lines int) []string {
	out := make([]string, 0, lines+10)
	for i := 0; len(out) < lines; i++ {
		out = append(out,
			fmt.Sprintf("def convert_measurement_%d(reading, scale=%d, *, strict=False):", i, i*7919%1000),
			fmt.Sprintf("    \"\"\"Convert one reading of channel %d into the unit that the caller asked for.\"\"\"", i),
			fmt.Sprintf("    total = calibrate(reading, table=CALIBRATION_%d, offset=%d)", i%97, i*31%1009),
			"    if strict and total > MAXIMUM_OF_THE_SENSOR * scale:",
			fmt.Sprintf("        raise OutOfRange(\"channel %d\", total, allowed=MAXIMUM_OF_THE_SENSOR)", i),
			fmt.Sprintf("    history_%d.append((reading, total, scale, clock.monotonic()))", i),
			"    for listener in registered_listeners(reading.channel):",
			fmt.Sprintf("        listener.measured(channel=%d, value=total / scale, unit=UNITS[%d])", i, i%13),
			"    return round(total / scale, 3)",
			"")
	}
	return out[:lines]
}

// functionLines is how many lines of Source belong together.
const functionLines = 10

// Blocks is a reply of n SEARCH/REPLACE blocks of six lines each, spread over a file of Source, of
// which each changes one line. spoil changes the lines as they are quoted; nil leaves them.
func Blocks(path string, file []string, n int, spoil func(lines []string) []string) string {
	var out strings.Builder
	for i := range n {
		at := i * (len(file) / n) / functionLines * functionLines
		old := append([]string(nil), file[at:at+6]...)
		new := append([]string(nil), old...)
		new[2] = fmt.Sprintf("    total = changed_%d(reading, scale)", i)
		if spoil != nil {
			old, new = spoil(old), spoil(new)
		}
		fmt.Fprintf(&out, "%s\n```python\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n```\n\n",
			path, strings.Join(old, "\n"), strings.Join(new, "\n"))
	}
	return out.String()
}

// Indented quotes every line two blanks further in than it stands.
func Indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "  " + l
	}
	return out
}

// Mistyped leaves a letter out of one line that is not the one to change.
func Mistyped(lines []string) []string {
	out := append([]string(nil), lines...)
	out[5] = strings.Replace(out[5], "reading", "readng", 1)
	return out
}

// Spoilings are the ways in which the blocks of the benchmark are quoted.
var Spoilings = []struct {
	Name  string
	Spoil func([]string) []string
}{{"exact", nil}, {"indented", Indented}, {"typos", Mistyped}}

// Lines joins lines to a text.
func Lines(lines []string) string { return strings.Join(lines, "\n") + "\n" }
