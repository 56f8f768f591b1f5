package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"go.lsp.dev/protocol"
)

// Unit is a line or a character. Clients send 1.0 and 1e9 too; what is out of range is clamped.
type Unit uint32

// UnmarshalJSON implements json.Unmarshaler.
func (u *Unit) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.ParseUint(string(raw), 10, 32); err == nil {
		*u = Unit(n)
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return fmt.Errorf("%.40q is not a position", raw)
	}
	*u = Unit(min(max(f, 0), math.MaxInt32))
	return nil
}

// Position is a place in a text as the client counts.
type Position struct {
	Line      Unit `json:"line"`
	Character Unit `json:"character"`
}

// Range is a range of the client.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Protocol returns the range in the type of package protocol.
func (r Range) Protocol() protocol.Range {
	return protocol.Range{
		Start: protocol.Position{Line: uint32(r.Start.Line), Character: uint32(r.Start.Character)},
		End:   protocol.Position{Line: uint32(r.End.Line), Character: uint32(r.End.Character)},
	}
}

// Diagnostic is a complaint that the client shows. Message may be a string or a markup object.
type Diagnostic struct {
	Range    Range           `json:"range"`
	Severity json.RawMessage `json:"severity,omitempty"` // a number from 1, an error, to 4
	Source   string          `json:"source,omitempty"`
	Message  json.RawMessage `json:"message"`
	Code     json.RawMessage `json:"code,omitempty"`

	raw json.RawMessage // as the client sent it
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Diagnostic) UnmarshalJSON(raw []byte) error {
	type fields Diagnostic
	*d = Diagnostic{raw: bytes.Clone(raw)}
	return json.Unmarshal(raw, (*fields)(d))
}

// Protocol returns the diagnostic as the client sent it, to name it to the client. ok is false for one that package
// protocol does not understand.
func (d Diagnostic) Protocol() (told protocol.Diagnostic, ok bool) {
	if d.raw == nil {
		return told, false
	}
	err := protocol.Unmarshal(d.raw, &told)
	return told, err == nil
}

// SeverityName returns the severity as a word, "" where it is not known.
func (d Diagnostic) SeverityName() string {
	names := []string{"error", "warning", "information", "hint"}
	var n int
	if json.Unmarshal(d.Severity, &n) != nil || n < 1 || n > len(names) {
		return ""
	}
	return names[n-1]
}

// Text returns the message, without its markup's kind; "" for what is neither text nor markup.
func (d Diagnostic) Text() string {
	var text string
	var markup struct {
		Value string `json:"value"`
	}
	if json.Unmarshal(d.Message, &text) == nil {
		return text
	}
	_ = json.Unmarshal(d.Message, &markup) // what is neither has no text
	return markup.Value
}

// FromProtocol returns a range of package protocol as the client's.
func FromProtocol(r protocol.Range) Range {
	return Range{
		Start: Position{Line: Unit(r.Start.Line), Character: Unit(r.Start.Character)},
		End:   Position{Line: Unit(r.End.Line), Character: Unit(r.End.Character)},
	}
}

// Version reads a document's version; clients that count in floating point exist.
func Version(v float64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }
