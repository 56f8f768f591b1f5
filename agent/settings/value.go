package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"coauthor/agent/model"
	"coauthor/agent/yamltext"
)

// set converts v, a decoded value of YAML or JSON or the text of a flag, and puts it into s. adds
// appends to a list instead of replacing it. The error is the second half of a sentence.
func (r Row) set(s *Settings, v any, adds bool) error {
	switch p := r.field(s).(type) {
	case *string:
		return put(p, v, r.asText)
	case *bool:
		return put(p, v, asBool)
	case *int:
		return put(p, v, r.asWhole)
	case **float64:
		return put(p, v, r.asFraction)
	case *time.Duration:
		return put(p, v, r.asTime)
	case *[]string:
		below := *p
		return put(p, v, func(v any) ([]string, error) {
			list, err := r.asList(v)
			if adds {
				list = append(slices.Clone(below), list...)
			}
			return list, err
		})
	case *[]CheckCommand:
		return put(p, v, asCommands)
	case *[]Action:
		below := *p
		return put(p, v, func(v any) ([]Action, error) {
			list, err := asActions(v)
			return mergeLayers(below, list), err
		})
	case *map[string]bool:
		return put(p, v, asSwitches)
	case *map[string]model.UserModel:
		// Entries add up over the layers; an entry replaces the one of the same name as a whole.
		return put(p, v, above(*p, asModels))
	}
	return nil
}

// put sets a field to what v converts to, and leaves it where v does not convert.
func put[T any](field *T, v any, convert func(any) (T, error)) error {
	value, err := convert(v)
	if err == nil {
		*field = value
	}
	return err
}

// above puts what a value converts to over the layers below.
func above[V any](below map[string]V, convert func(any) (map[string]V, error)) func(any) (map[string]V, error) {
	return func(v any) (map[string]V, error) {
		m, err := convert(v)
		return layered(below, m), err
	}
}

// asText reads a text, which an enum must name.
func (r Row) asText(v any) (string, error) {
	text, err := asString(v)
	if err == nil && r.Type == Enum && !slices.Contains(r.Enum, text) {
		err = fmt.Errorf("must be one of %s, not %q%s", strings.Join(r.Enum, ", "), text, didYouMean(text, r.Enum))
	}
	return text, err
}

// asWhole reads a whole number within the row's limits.
func (r Row) asWhole(v any) (int, error) {
	if r.Type == Tokens {
		v = asTokens(v)
	}
	n, err := asNumber(v)
	if err != nil || n != math.Trunc(n) {
		return 0, fmt.Errorf("must be a whole number, not %s", show(v))
	}
	return int(n), r.within(n, "")
}

// asFraction reads a number within the row's limits; nil for none.
func (r Row) asFraction(v any) (*float64, error) {
	if v == nil {
		return nil, nil
	}
	n, err := asNumber(v)
	if err == nil {
		err = r.within(n, "")
	}
	return &n, err
}

// asTime reads a duration within the row's limits.
func (r Row) asTime(v any) (time.Duration, error) {
	d, err := asDuration(v)
	if err == nil {
		err = r.within(d.Seconds(), " seconds")
	}
	return d, err
}

// layered puts the entries of one layer over those of the layers below.
func layered[V any](below, m map[string]V) map[string]V {
	all := map[string]V{}
	maps.Copy(all, below)
	maps.Copy(all, m)
	return all
}

func (r Row) within(n float64, unit string) error {
	if r.Min == 0 && r.Max == 0 || n >= r.Min && n <= r.Max {
		return nil
	}
	return fmt.Errorf("must be between %g and %g%s, not %g", r.Min, r.Max, unit, n)
}

func asString(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case nil:
		return "", nil
	case bool:
		// YAML reads a bare off as false; people mean the word.
		if v {
			return "on", nil
		}
		return "off", nil
	case map[string]any, []any:
		return "", fmt.Errorf("must be a string, not %s", show(v))
	}
	return fmt.Sprint(v), nil
}

// asBool takes the words that YAML 1.1 has for true and false too, which people go on writing and
// which YAML 1.2 reads as strings, and 1 and 0.
func asBool(v any) (bool, error) {
	switch v.(type) {
	case nil, map[string]any, []any:
	default:
		switch strings.ToLower(strings.TrimSpace(fmt.Sprint(v))) {
		case "true", "yes", "y", "on", "1":
			return true, nil
		case "false", "no", "n", "off", "0":
			return false, nil
		}
	}
	return false, fmt.Errorf("must be true or false, not %s", show(v))
}

// mostThinking is how many tokens a model may be given to think with.
const mostThinking = 1 << 20

// asTokens makes the number of "8k" and "0.5M"; what is neither stays as it is.
func asTokens(v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	text = strings.TrimSpace(text)
	for suffix, factor := range map[string]float64{"k": 1 << 10, "K": 1 << 10, "m": 1 << 20, "M": 1 << 20} {
		if digits, ok := strings.CutSuffix(text, suffix); ok {
			if n, err := strconv.ParseFloat(digits, 64); err == nil {
				return math.Round(n * factor)
			}
		}
	}
	return v
}

func asNumber(v any) (float64, error) {
	n := math.NaN()
	switch v := v.(type) {
	case int:
		n = float64(v)
	case int64:
		n = float64(v)
	case uint64:
		n = float64(v)
	case float64:
		n = v
	case string:
		if f, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			n = f
		}
	}
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("must be a number, not %s", show(v))
	}
	return n, nil
}

func asDuration(v any) (time.Duration, error) {
	if n, err := asNumber(v); err == nil {
		if math.Abs(n) > 1e9 {
			return 0, fmt.Errorf("must be a duration such as 90s or 10m, not %s", show(v))
		}
		return time.Duration(n * float64(time.Second)), nil
	}
	if s, ok := v.(string); ok {
		if d, err := time.ParseDuration(strings.ReplaceAll(s, " ", "")); err == nil {
			return d, nil
		}
	}
	return 0, fmt.Errorf("must be a duration such as 90s or 10m, not %s", show(v))
}

func (r Row) asList(v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		if v == "" {
			return nil, nil
		}
		return []string{v}, nil
	case []any:
		var out []string
		for _, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("must be a list of strings, but contains %s", show(item))
			}
			out = append(out, s)
		}
		return out, nil
	}
	return nil, fmt.Errorf("must be a list of strings, not %s", show(v))
}

func asSwitches(v any) (map[string]bool, error) {
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("must be a map of names to true or false, not %s", show(v))
	}
	out := map[string]bool{}
	for name, item := range m {
		b, err := asBool(item)
		if err != nil {
			return nil, fmt.Errorf("%s %w", name, err)
		}
		out[name] = b
	}
	return out, nil
}

// asModels reads the map of models; a field that does not exist is an error of the whole entry, because
// a model that half works is worse than one that says why it does not.
func asModels(v any) (map[string]model.UserModel, error) {
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("must be a map of names to models, not %s", show(v))
	}
	out := map[string]model.UserModel{}
	for name, item := range m {
		if item == nil && name != everyModel {
			out[name] = model.UserModel{}
			continue
		}
		fields, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("entry %q must be a map of fields, not %s", name, show(item))
		}
		fields, err := modelFields(name, fields)
		if err != nil {
			return nil, err
		}
		if _, body := fields["extraBody"]; name == everyModel && (len(fields) != 1 || !body) {
			return nil, fmt.Errorf("entry %q applies to every model and can contain only extraBody", name)
		}
		b, err := json.Marshal(fields)
		if err != nil {
			return nil, fmt.Errorf("entry %q: %w", name, err)
		}
		var u model.UserModel
		if err := yamltext.Decode(b, &u); err != nil { // JSON is YAML; its messages say what was expected
			return nil, fmt.Errorf("entry %q: %s", name, firstLine(yaml.FormatError(err, false, false)))
		}
		if !slices.Contains([]string{"", "user", "sys", "none"}, u.Reminder) {
			return nil, fmt.Errorf("entry %q: reminder must be user, sys or none, not %q", name, u.Reminder)
		}
		if u.API != "" && !slices.Contains(model.APIs(), u.API) {
			return nil, fmt.Errorf("entry %q: api must be %s, not %q", name, strings.Join(model.APIs(), ", "), u.API)
		}
		if n := u.ThinkingTokens; n != nil && (*n < 0 || *n > mostThinking) {
			return nil, fmt.Errorf("entry %q: thinkingTokens must be between 0 and %d, not %d", name, mostThinking, *n)
		}
		if !slices.Contains([]string{"", "none", "plain", "prefix", "partial", "continue"}, u.Prefill) {
			return nil, fmt.Errorf("entry %q: prefill must be none, plain, prefix, partial or continue, not %q", name, u.Prefill)
		}
		if _, err := time.Parse(time.DateOnly, u.Checked); u.Checked != "" && err != nil {
			return nil, fmt.Errorf("entry %q: checked must be a date such as 2026-07-02, not %q", name, u.Checked)
		}
		out[name] = u
	}
	return out, nil
}

// modelFields checks the names of an entry's fields, and reads its switches as every other switch.
func modelFields(name string, fields map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		i := slices.IndexFunc(ModelFieldDocs(), func(d FieldDoc) bool { return d.Name == f })
		if i < 0 {
			return nil, fmt.Errorf("entry %q has the unknown field %q%s", name, f, didYouMean(f, entryFields()))
		}
		out[f] = fields[f]
		if ModelFieldDocs()[i].Type == "bool" && fields[f] != nil {
			b, err := asBool(fields[f])
			if err != nil {
				return nil, fmt.Errorf("entry %q: %s %w", name, f, err)
			}
			out[f] = b
		}
		if ModelFieldDocs()[i].Type == "tokens" {
			out[f] = asTokens(fields[f])
		}
	}
	return out, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// show writes a wrong value for a message, without its content where that may be long.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		if len(v) > 40 {
			return strconv.Quote(v[:40]) + "…"
		}
		return strconv.Quote(v)
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	}
	return fmt.Sprint(v)
}
