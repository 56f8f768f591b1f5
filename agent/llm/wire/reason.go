package wire

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// ServerError is the error object of an answer or of a stream, in any of the shapes in use.
type ServerError struct {
	Message string // all that is said, that of the provider behind a router too
	Code    string
	Type    string
	Param   string
	words   []string // every code and type in it
	Waits   []string // what it says of the time to wait
}

// ParseServerError reads {"error": {...}}, {"error": "text"}, {"message": …}, {"detail": …} and
// lists of these. ok is false when b is nothing of the kind.
func ParseServerError(b []byte) (e ServerError, ok bool) {
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '[' {
		if list := Objects(b); len(list) > 0 {
			b = list[0]
		}
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(b, &outer) != nil {
		return e, false
	}
	var base MinimaxError
	if Decode(outer["base_resp"], &base) && base.Failed() {
		return ServerError{Message: string(base.Message), Code: base.status()}, true
	}
	if e, ok = ReadError(outer["error"]); ok {
		return e, true
	}
	if e, ok = ReadError(outer["errors"]); ok {
		return e, true
	}
	if outer["choices"] != nil || outer["message"] == nil && outer["detail"] == nil {
		return ServerError{}, false
	}
	e, ok = ReadError(b)
	return e, ok && e.Message != ""
}

// ReadError reads what stands at "error". ok is false where that says nothing: null, false, an empty object.
func ReadError(raw json.RawMessage) (e ServerError, ok bool) {
	if b := bytes.TrimSpace(raw); len(b) == 0 || strings.IndexByte(`"{[`, b[0]) < 0 {
		return e, false
	}
	e.Message = e.reason(raw, Deepest)
	return e, e.Message != "" || e.Code != "" || e.Type != ""
}

// The fields in which servers say what is wrong, and those in which routers keep what their provider said, which may
// be JSON in a string. The first of each kind that says something counts.
var (
	reasonFields = []string{"message", "detail", "msg", "error_message", "error_msg", "errorMessage", "error_description", "description", "title", "reason"}
	behindFields = []string{"error", "errors", "raw", "body", "response", "cause", "innererror", "upstream_error", "provider_error", "reasons"}
	waitFields   = []string{"retryafter", "retryaftersec", "retryafterseconds", "retryafterms", "retrydelay", "xratelimitreset"}
)

// reason is what a value of any kind says in words, and notes the codes in it.
func (e *ServerError) reason(raw json.RawMessage, depth int) string {
	b := bytes.TrimSpace(raw)
	if len(b) == 0 || depth == 0 {
		return ""
	}
	switch b[0] {
	case '"':
		s, _ := Unquoted(b)
		return e.reasonIn(Joined(s), depth)
	case '[':
		var list []json.RawMessage
		var said []string
		if json.Unmarshal(b, &list) != nil {
			return ""
		}
		for _, one := range list[:min(len(list), 3)] {
			if s := e.reason(one, depth-1); s != "" && !slices.Contains(said, s) {
				said = append(said, s)
			}
		}
		return strings.Join(said, "; ")
	case '{':
		return e.reasonOf(b, depth)
	}
	return ""
}

// reasonOf is what an object says.
func (e *ServerError) reasonOf(b []byte, depth int) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(b, &fields) != nil {
		return ""
	}
	for name, at := range map[string]*string{"code": &e.Code, "type": &e.Type, "param": &e.Param} {
		if *at == "" {
			*at = scalarOnly(fields[name])
		}
	}
	if e.Code == "" {
		e.Code = scalarOnly(fields["status"])
	}
	for _, name := range []string{"code", "type", "status"} {
		if s := scalarOnly(fields[name]); s != "" {
			e.words = append(e.words, s)
		}
	}
	e.waitsIn(fields)
	first := func(names []string) string {
		for _, name := range names {
			if number(fields[name]) && name == "message" {
				return string(fields[name])
			}
			if s := e.reason(fields[name], depth-1); s != "" {
				return s
			}
		}
		return ""
	}
	own := first(reasonFields)
	if loc := pathIn(fields["loc"]); own != "" && loc != "" {
		own += " (" + loc + ")"
	}
	behind := first(behindFields)
	var more struct {
		Provider Word `json:"provider_name"`
	}
	if raw := fields["metadata"]; len(raw) > 0 && raw[0] == '{' {
		if s := e.reason(raw, depth-1); s != "" {
			behind = s
		}
		if Decode(raw, &more); more.Provider != "" && own != "" {
			own += " (" + Joined(string(more.Provider)) + ")"
		}
	}
	for _, name := range []string{"details", "headers"} { // of use for the time to wait, and where nothing else is said
		if s := e.reason(fields[name], depth-1); own+behind == "" {
			own = s
		}
	}
	return bothOf(own, behind)
}

// reasonIn is what a text says: of JSON in it what that says.
func (e *ServerError) reasonIn(s string, depth int) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "{["); i >= 0 && json.Valid([]byte(s[i:])) {
		before := strings.TrimRight(s[:i], " \t\r\n:-=")
		if said := e.reason(json.RawMessage(s[i:]), depth-1); said != "" {
			return bothOf(before, said)
		}
	}
	if markup.MatchString(s) {
		return strings.TrimSpace(StripTags(s))
	}
	return s
}

var markup = regexp.MustCompile(`(?i)^\s*<(!doctype|html|head|body)\b`)

// bothOf joins what two say, unless one says what the other does.
func bothOf(own, behind string) string {
	switch {
	case behind == "" || strings.Contains(own, behind):
		return own
	case own == "" || strings.Contains(behind, own):
		return behind
	}
	return strings.TrimRight(own, ".:") + ": " + behind
}

// pathIn is a place in the request that a server names in a list.
func pathIn(raw json.RawMessage) string {
	var list []Mark
	if len(raw) == 0 || raw[0] != '[' || !Decode(raw, &list) {
		return ""
	}
	parts := make([]string, len(list))
	for i, part := range list {
		parts[i] = string(part)
	}
	return strings.Join(parts, ".")
}

// waitsIn notes what an object says of the time to wait.
func (e *ServerError) waitsIn(fields map[string]json.RawMessage) {
	for name, raw := range fields {
		plain := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
		s := scalarOnly(raw)
		if s == "" || !slices.Contains(waitFields, plain) {
			continue
		}
		if plain == "retryafterms" {
			s += "ms"
		}
		e.Waits = append(e.Waits, s)
	}
}

// scalarOnly is a JSON string or number as text, and "" for anything else.
func scalarOnly(raw json.RawMessage) string {
	var m Mark
	if len(raw) > 0 {
		Decode(raw, &m)
	}
	return Joined(string(m))
}

// MinimaxError is how MiniMax says what went wrong, in an answer with status 200.
type MinimaxError struct {
	Code    Count `json:"status_code"`
	Message Word  `json:"status_msg"`
}

// Failed says whether it is an error.
func (m MinimaxError) Failed() bool { return m.Code != 0 }

// status is the HTTP status that others would have sent.
func (m MinimaxError) status() string {
	switch m.Code {
	case 1002, 1039, 1041:
		return "429"
	case 1004, 2049:
		return "401"
	case 1008:
		return "402"
	case 1000, 1001, 1013, 1024, 1033:
		return "503"
	}
	return "400"
}

// Has says whether any of some words stands in what is said, or in a code.
func (e ServerError) Has(words ...string) bool {
	all := strings.ToLower(e.Message + "\n" + e.Code + "\n" + e.Type + "\n" + strings.Join(e.words, "\n"))
	for _, w := range words {
		if strings.Contains(all, w) {
			return true
		}
	}
	return false
}

var tag = regexp.MustCompile(`<(?:script|style)[^>]*>[^<]*</[^>]*>|<[^>]*>`)

// StripTags makes something readable of the HTML pages that proxies answer with.
func StripTags(s string) string {
	if len(s) > 4096 {
		s = s[:4096]
	}
	return tag.ReplaceAllString(s, " ")
}
