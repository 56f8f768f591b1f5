package document

import (
	"encoding/json"
	"math"
	"testing"
)

// Lines and characters are whole numbers however a client writes them; what no text has is cut to what fits.
func TestUnits(t *testing.T) {
	for raw, want := range map[string]Unit{
		"0": 0, "7": 7, "7.0": 7, "7.9": 7, "-1": 0, "-0.5": 0, "1e3": 1000, "1e300": math.MaxInt32, "4294967295": math.MaxUint32, "4294967296": math.MaxInt32,
	} {
		var u Unit
		if err := json.Unmarshal([]byte(raw), &u); err != nil || u != want {
			t.Errorf("%s is %d, %v; want %d", raw, u, err, want)
		}
	}
	for _, raw := range []string{`"7"`, `{}`, `[]`, `true`} {
		var u Unit
		if err := json.Unmarshal([]byte(raw), &u); err == nil {
			t.Errorf("%s is %d", raw, u)
		}
	}
	for v, want := range map[float64]int32{0: 0, 3: 3, -2: -2, 1e12: math.MaxInt32, -1e12: math.MinInt32, 2.5: 2} {
		if got := Version(v); got != want {
			t.Errorf("version %v is %d, want %d", v, got, want)
		}
	}
}

// What a client complains about is read whether it is a string or a markup, and has no text else.
func TestMessagesOfComplaints(t *testing.T) {
	for raw, want := range map[string]string{
		`"plain"`: "plain", `{"kind":"markdown","value":"*m*"}`: "*m*", `""`: "", `7`: "", `null`: "", `{}`: "", `[]`: "",
	} {
		if got := (Diagnostic{Message: json.RawMessage(raw)}).Text(); got != want {
			t.Errorf("%s is %q", raw, got)
		}
	}
	if got := (Diagnostic{}).Text(); got != "" {
		t.Errorf("none is %q", got)
	}
}
