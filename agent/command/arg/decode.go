package arg

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Files are names of files: a list, or one alone. What is read is added.
type Files []string

// UnmarshalJSON implements json.Unmarshaler.
func (f *Files) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*f = append(*f, one)
		return nil
	}
	var list []string
	err := json.Unmarshal(raw, &list)
	*f = append(*f, list...)
	return err
}

// Ref is a string that may also come as a number.
type Ref string

// UnmarshalJSON implements json.Unmarshaler.
func (r *Ref) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] != '"' && json.Unmarshal(raw, new(float64)) == nil {
		*r = Ref(raw)
		return nil
	}
	return json.Unmarshal(raw, (*string)(r))
}

// Decode takes the arguments of a command as loosely as people type them: one object, several,
// bare strings, or both. Bare strings together are the argument that the row says; fields that are not
// in the row, or not in the struct that into points to, are passed over. Its error is for whoever gave them.
func Decode(given []json.RawMessage, row []Arg, into any) error {
	fields := fieldsOf(into)
	words, err := read(given, row, fields)
	if err != nil {
		return err
	}
	for _, a := range row {
		field, is := fields[a.Name]
		if !is {
			continue
		}
		if list, ok := field.Addr().Interface().(*Files); ok && a.Bare {
			*list = append(*list, words...)
		}
		if field.Kind() != reflect.String {
			continue
		}
		text := field.String()
		if a.Bare && text == "" {
			text = strings.Join(words, " ")
		}
		text = strings.TrimSpace(text)
		field.SetString(text)
		if allowed := a.Allowed(); allowed != nil && text != "" && !slices.Contains(allowed, text) {
			return fmt.Errorf("%s cannot be %q; choose one of: %s", a.Name, text, strings.Join(allowed, ", "))
		}
	}
	return nil
}

// SetBare puts plain words into the argument of a row that they are, as they are.
func SetBare(into any, row []Arg, words []string) {
	fields := fieldsOf(into)
	for _, a := range row {
		field, is := fields[a.Name]
		switch {
		case !is || !a.Bare:
		case field.Kind() == reflect.String:
			field.SetString(strings.Join(words, " "))
		case field.Kind() == reflect.Slice:
			field.Set(reflect.ValueOf(Files(slices.Clone(words))).Convert(field.Type()))
		}
	}
}

// Values returns what a struct says, by the names of its arguments, without what is zero.
func Values(of any) map[string]any {
	fields, values := fieldsOf(of), map[string]any{}
	for name, field := range fields {
		if field.IsZero() {
			continue
		}
		values[name] = field.Interface()
		if files, is := values[name].(Files); is {
			values[name] = []string(files)
		}
	}
	return values
}

// EachFiles calls f for each argument of a row that names files, with the place of those names in a struct.
func EachFiles(of any, row []Arg, f func(Arg, *Files) error) error {
	fields := fieldsOf(of)
	for _, a := range row {
		field, is := fields[a.Name]
		if !is {
			continue
		}
		if list, ok := field.Addr().Interface().(*Files); ok {
			if err := f(a, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// fieldsOf are the fields of a struct by the names of their arguments.
func fieldsOf(pointer any) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	collect(reflect.ValueOf(pointer).Elem(), fields)
	return fields
}

func collect(v reflect.Value, into map[string]reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, is := f.Tag.Lookup("arg")
		switch {
		case is && f.Name != "_":
			into[name] = v.Field(i)
		case !is && f.Anonymous:
			collect(v.Field(i), into)
		}
	}
}

// read takes over the objects of a list and returns its bare strings.
func read(given []json.RawMessage, row []Arg, fields map[string]reflect.Value) (words []string, err error) {
	for _, raw := range given {
		var word string
		var several []json.RawMessage
		switch {
		case len(raw) == 0 || string(raw) == "null":
		case json.Unmarshal(raw, &word) == nil:
			words = append(words, word)
		case raw[0] == '{':
			if err := object(raw, row, fields); err != nil {
				return nil, err
			}
		case json.Unmarshal(raw, &several) == nil: // an array of arguments within the array of arguments
			inner, err := read(several, row, fields)
			if err != nil {
				return nil, err
			}
			words = append(words, inner...)
		default:
			words = append(words, string(raw)) // a number or a word without quotes
		}
	}
	return words, nil
}

// object reads the fields of one object. One of a wrong type is an error here: what a person typed
// should not be half understood.
func object(raw json.RawMessage, row []Arg, fields map[string]reflect.Value) error {
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(raw, &sent); err != nil {
		return fmt.Errorf("invalid arguments: %w", err)
	}
	for _, a := range row {
		field, is := fields[a.Name]
		if !is {
			continue
		}
		for _, name := range append([]string{a.Name}, a.Also...) {
			value := valueIn(sent, name)
			if value == nil {
				continue
			}
			into := field.Addr().Interface()
			if err := json.Unmarshal(value, into); err != nil {
				return fmt.Errorf("invalid argument %s: %w", name, err)
			}
			if _, adds := into.(*Files); !adds {
				break // what goes under several names is meant by the first
			}
		}
	}
	return nil
}

// valueIn returns what an object has under a name; nil for nothing, which null and an empty string are too.
func valueIn(sent map[string]json.RawMessage, name string) json.RawMessage {
	value := sent[name]
	if name == "textDocument" {
		var document struct{ URI json.RawMessage }
		_ = json.Unmarshal(value, &document) // what is no object names no document
		value = document.URI
	}
	if len(value) == 0 || string(value) == "null" || string(value) == `""` {
		return nil
	}
	return value
}
