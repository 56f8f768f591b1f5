package lsptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// parseTree decodes one JSON value, refusing what lax decoders let pass: bytes that are not UTF-8, a key that stands
// twice in one object, anything after the value. Numbers stay json.Number.
func parseTree(raw []byte) (any, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("the JSON is not valid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := parseValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON value")
	}
	return v, nil
}

func parseValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	open, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if open == '[' {
		list := []any{}
		for d.More() {
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	object := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, ok := t.(string)
		if !ok {
			return nil, fmt.Errorf("object key %v is no string", t)
		}
		if _, double := object[key]; double {
			return nil, fmt.Errorf("the key %q stands twice in one object", key)
		}
		if object[key], err = parseValue(d); err != nil {
			return nil, err
		}
	}
	_, err = d.Token()
	return object, err
}

// at walks a decoded tree by keys; nil when a step is missing.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

// truth reports whether the value at the keys is the literal true.
func truth(v any, keys ...string) bool {
	b, ok := at(v, keys...).(bool)
	return ok && b
}

// texts collects every string value of a tree.
func texts(v any, into []string) []string {
	switch v := v.(type) {
	case string:
		return append(into, v)
	case []any:
		for _, e := range v {
			into = texts(e, into)
		}
	case map[string]any:
		for _, e := range v {
			into = texts(e, into)
		}
	}
	return into
}
