package remote

import (
	"context"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
)

// asked reads how long the server wants us to wait, from the head of its answer, else from what it says; 0 when it
// does not say. A limit that will be lifted at some time is told with every answer, so that counts for one that was
// refused because of a limit only.
func askedToWait(h http.Header, se wire.ServerError, limited bool, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if d := waitOf(h.Get("Retry-After"), now); d > 0 {
		return d
	}
	for _, s := range se.Waits {
		if d := waitOf(s, now); d > 0 {
			return d
		}
	}
	if m := tryAgainIn.FindStringSubmatch(se.Message); m != nil {
		if d := waitOf(m[1], now); d > 0 {
			return d
		}
	}
	if !limited {
		return 0
	}
	var longest time.Duration
	for name := range h {
		of, ok := resetOf(name)
		if left := h.Get(strings.Replace(name, "Reset", "Remaining", 1)); ok && (left == "0" || left == "" && of == "") {
			longest = max(longest, waitOf(h.Get(name), now))
		}
	}
	return longest
}

// resetOf reads the name of a header that says when a limit is lifted: of all, or of requests, of tokens.
func resetOf(name string) (of string, ok bool) {
	for _, begin := range []string{"X-Ratelimit-Reset", "Ratelimit-Reset"} {
		if rest, found := strings.CutPrefix(name, begin); found {
			return rest, true
		}
	}
	if of, found := strings.CutPrefix(name, "Anthropic-Ratelimit-"); found && strings.HasSuffix(of, "-Reset") {
		return of, true
	}
	return "", false
}

// tryAgainIn are the words in which OpenAI and those who copy it say how long to wait.
var tryAgainIn = regexp.MustCompile(`(?i)\b(?:try again|retry|wait)(?:ing)?(?: again)?(?: in| after| for)? +((?:about +)?[0-9]+(?:\.[0-9]+)? *(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b(?: *[0-9]+(?:\.[0-9]+)? *(?:ms|s|secs?|seconds?|m|mins?|minutes?)\b)*|` +
	`(?:[0-9]+(?:\.[0-9]+)?(?:h|ms|m|s))+)`)

var timePart = regexp.MustCompile(`([0-9]+(?:\.[0-9]+)?) *([a-z]*)`)

// waitOf reads a time to wait: seconds, a moment as the seconds or milliseconds since 1970, a date, or the sum of
// what has units, as 1m30.5s and 20 seconds. 0 is for what is none of these, or past.
func waitOf(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		switch {
		case n > 1e11:
			return later(n/1000, now)
		case n > 1e8:
			return later(n, now)
		case n > 0 && n < 1e6:
			return seconds(n)
		}
		return 0
	}
	for _, read := range []func(string) (time.Time, error){
		http.ParseTime, func(s string) (time.Time, error) { return time.Parse(time.RFC3339, s) },
	} {
		if t, err := read(s); err == nil {
			return max(t.Sub(now), 0)
		}
	}
	var sum float64
	units := map[string]float64{"ms": 1e-3, "mi": 1e-3, "s": 1, "se": 1, "m": 60, "h": 3600, "ho": 3600}
	rest := timePart.ReplaceAllStringFunc(strings.TrimPrefix(strings.ToLower(s), "about "), func(part string) string {
		m := timePart.FindStringSubmatch(part)
		n, err := strconv.ParseFloat(m[1], 64)
		unit := m[2]
		if strings.HasPrefix(unit, "min") {
			unit = "m"
		}
		length, ok := units[unit[:min(len(unit), 2)]]
		if err != nil || !ok {
			return part
		}
		sum += n * length
		return ""
	})
	if strings.TrimSpace(rest) != "" || sum <= 0 || sum >= 1e6 {
		return 0
	}
	return seconds(sum)
}

func seconds(n float64) time.Duration { return time.Duration(math.Round(n*1e3)) * time.Millisecond }

// later is how long it is to a moment in seconds since 1970.
func later(n float64, now time.Time) time.Duration {
	if n > 1e10 {
		return 0
	}
	return max(time.Unix(0, 0).Add(seconds(n)).Sub(now), 0)
}

func (e endpoint) silent(d time.Duration) *llm.Error {
	err := &llm.Error{
		Kind: llm.Timeout, Err: context.DeadlineExceeded,
		Message: e.host + " did not start to answer within " + d.String() + ".",
		Advice:  "Try again, raise network.requestTimeout, or choose a faster model.",
	}
	if e.local {
		err.Advice = "Local models need time to process long prompts. Raise network.requestTimeout, close documents that you do not need, or choose a smaller model."
	}
	return err
}

func (e endpoint) stalled(d time.Duration) *llm.Error {
	return &llm.Error{
		Kind: llm.Timeout, Err: context.DeadlineExceeded,
		Message: "The answer of " + e.host + " stopped in the middle: no data arrived for " + d.String() + ".",
		Advice:  "Nothing was changed. Try again, or raise network.requestTimeout.",
	}
}
