package lsptest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// schema checks a decoded tree and says every departure through say; where names the place.
type schema func(where string, v any, say func(format string, args ...any))

type field struct {
	name     string
	must     bool
	contents schema
}

func must(name string, s schema) field { return field{name, true, s} }
func may(name string, s schema) field  { return field{name, false, s} }

// object allows exactly the named fields.
func object(fields ...field) schema {
	return func(where string, v any, say func(string, ...any)) {
		m, ok := v.(map[string]any)
		if !ok {
			say("%s is %s, not an object", where, kindOf(v))
			return
		}
		known := map[string]bool{}
		for _, f := range fields {
			known[f.name] = true
			e, has := m[f.name]
			switch {
			case has:
				f.contents(where+"."+f.name, e, say)
			case f.must:
				say("%s lacks %q", where, f.name)
			}
		}
		for key := range m {
			if !known[key] {
				say("%s has the unknown field %q", where, key)
			}
		}
	}
}

func array(s schema) schema {
	return func(where string, v any, say func(string, ...any)) {
		list, ok := v.([]any)
		if !ok {
			say("%s is %s, not an array", where, kindOf(v))
			return
		}
		for i, e := range list {
			s(fmt.Sprintf("%s[%d]", where, i), e, say)
		}
	}
}

func mapOf(key func(string) string, s schema) schema {
	return func(where string, v any, say func(string, ...any)) {
		m, ok := v.(map[string]any)
		if !ok {
			say("%s is %s, not an object", where, kindOf(v))
			return
		}
		for k, e := range m {
			if wrong := key(k); wrong != "" {
				say("%s: the key %q %s", where, k, wrong)
			}
			s(where+"["+k+"]", e, say)
		}
	}
}

// either passes when one of the alternatives has nothing to say.
func either(list ...schema) schema {
	return func(where string, v any, say func(string, ...any)) {
		var all []string
		for _, s := range list {
			clean := true
			s(where, v, func(f string, a ...any) {
				clean = false
				all = append(all, fmt.Sprintf(f, a...))
			})
			if clean {
				return
			}
		}
		say("%s fits no form: %s", where, strings.Join(all, "; "))
	}
}

func anything(string, any, func(string, ...any)) {}

func null(where string, v any, say func(string, ...any)) {
	if v != nil {
		say("%s is %s, not null", where, kindOf(v))
	}
}

func str(where string, v any, say func(string, ...any)) {
	if _, ok := v.(string); !ok {
		say("%s is %s, not a string", where, kindOf(v))
	}
}

func text(where string, v any, say func(string, ...any)) {
	if s, ok := v.(string); !ok || strings.TrimSpace(s) == "" {
		say("%s is %s, not a text to show", where, kindOf(v))
	}
}

func boolean(where string, v any, say func(string, ...any)) {
	if _, ok := v.(bool); !ok {
		say("%s is %s, not a boolean", where, kindOf(v))
	}
}

func integer(low, high int64) schema {
	return func(where string, v any, say func(string, ...any)) {
		n, ok := v.(json.Number)
		if !ok {
			say("%s is %s, not a number", where, kindOf(v))
			return
		}
		i, err := strconv.ParseInt(n.String(), 10, 64)
		if err != nil || i < low || i > high {
			say("%s is %s, not an integer from %d to %d", where, n, low, high)
		}
	}
}

func oneOf(values ...string) schema {
	return func(where string, v any, say func(string, ...any)) {
		if s, ok := v.(string); !ok || !slices.Contains(values, s) {
			say("%s is %v, not one of %s", where, v, strings.Join(values, ", "))
		}
	}
}

func uriKey(s string) string {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "is no URI: " + err.Error()
	case u.Scheme == "":
		return "has no scheme"
	case u.Scheme == "file" && !strings.HasPrefix(u.Path, "/"):
		return "is a file URI without an absolute path"
	case u.Scheme == "file" && (u.RawQuery != "" || u.Fragment != ""):
		return "is a file URI with an unescaped ? or #"
	case strings.ContainsAny(s, " \"<>\\^`{|}"):
		return "holds characters that a URI must escape"
	}
	for _, r := range s {
		if r > 126 || r < 33 {
			return "holds characters that a URI must escape"
		}
	}
	return ""
}

func uri(where string, v any, say func(string, ...any)) {
	s, ok := v.(string)
	if !ok {
		say("%s is %s, not a URI", where, kindOf(v))
		return
	}
	if wrong := uriKey(s); wrong != "" {
		say("%s: %q %s", where, s, wrong)
	}
}

func anyKey(s string) string {
	if s == "" {
		return "is empty"
	}
	return ""
}

func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the string %q", v)
	case bool:
		return fmt.Sprintf("the boolean %v", v)
	case json.Number:
		return "the number " + v.String()
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}
