// Package arg reads the arguments of commands. A command's arguments are a struct: its tags say what the documents, the
// menus and the command line are made from, and Decode fills it from what a client or a user gave.
//
// It knows no command and nothing of editors. Package command has the structs. Start at Of and Decode.
package arg

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"coauthor/agent/settings"
)

// Arg is one field of a command's argument object. A command is given the fields of its row and
// nothing else, whatever the client sends.
type Arg struct {
	Name    string
	Also    []string // other names of the field, which some clients use
	Bare    bool     // plain strings beside or in the place of the object are this field's
	Type    string   // string, string[], integer, integer[], boolean, range, object[]
	Values  []string // of a string, all that it may be; nil: any
	Setting string   // the setting whose values it may be
	Doc     string
}

// Allowed returns all that a string may be; nil for anything.
func (a Arg) Allowed() []string {
	if a.Setting == "" {
		return a.Values
	}
	for _, row := range settings.Rows() {
		if row.Name == a.Setting {
			return row.Enum
		}
	}
	return nil
}

// Of returns the arguments that the fields of a struct stand for, in order; those of embedded structs stand in their place.
// The tag arg has the name; also, bare ("yes" or "no"), type, values, setting and doc say the rest, lists with commas. What a
// tag leaves out is taken from the argument of that name in shared. A name in braces in a doc is code: {files} is `files`.
// A blank field is an argument that the server reads itself. It panics for a struct that says no type. The result is the
// caller's own.
func Of[T any](shared ...Arg) []Arg {
	return argsOf(reflect.TypeFor[T](), shared)
}

func argsOf(t reflect.Type, shared []Arg) []Arg {
	var list []Arg
	for i := range t.NumField() {
		f := t.Field(i)
		name, is := f.Tag.Lookup("arg")
		switch {
		case is:
			list = append(list, argOf(name, f, shared))
		case f.Anonymous:
			list = append(list, argsOf(f.Type, shared)...)
		}
	}
	return list
}

func argOf(name string, f reflect.StructField, shared []Arg) Arg {
	a := Arg{Name: name}
	if i := slices.IndexFunc(shared, func(s Arg) bool { return s.Name == name }); i >= 0 {
		a = shared[i]
		a.Also, a.Values = slices.Clone(a.Also), slices.Clone(a.Values)
	}
	if said, is := f.Tag.Lookup("also"); is {
		a.Also = words(said)
	}
	if said, is := f.Tag.Lookup("bare"); is {
		a.Bare = said == "yes"
	}
	if said, is := f.Tag.Lookup("values"); is {
		a.Values = words(said)
	}
	if said, is := f.Tag.Lookup("setting"); is {
		a.Setting = said
	}
	if said, is := f.Tag.Lookup("doc"); is {
		a.Doc = code.Replace(said)
	}
	if said, is := f.Tag.Lookup("type"); is {
		a.Type = said
	} else if f.Name != "_" {
		a.Type = typeOf(f.Type)
	}
	if a.Type == "" {
		panic(fmt.Sprintf("argument %s of %s has no type", name, f.Type))
	}
	return a
}

// code is how a doc marks what is code.
var code = strings.NewReplacer("{", "`", "}", "`")

// words are the parts of a list in a tag; none for an empty one.
func words(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// typeOf is how the documents call a Go type; "" for none that they know.
func typeOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() { //nolint:exhaustive // the others are no arguments
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Slice:
		if of := typeOf(t.Elem()); of != "" {
			return of + "[]"
		}
	}
	return ""
}

// Described returns the list with another doc for one of its arguments.
func Described(list []Arg, name, doc string) []Arg {
	return With(list, name, func(a *Arg) { a.Doc = doc })
}

// Limited returns the list with all that one of its arguments may be.
func Limited(list []Arg, name string, values []string) []Arg {
	return With(list, name, func(a *Arg) { a.Values = values })
}

// Pick returns some arguments of a list, in the order of their names.
func Pick(list []Arg, names ...string) []Arg {
	var picked []Arg
	for _, name := range names {
		picked = append(picked, list[indexOf(list, name)])
	}
	return picked
}

// With returns the list with one of its arguments changed.
func With(list []Arg, name string, change func(*Arg)) []Arg {
	list = slices.Clone(list)
	change(&list[indexOf(list, name)])
	return list
}

// indexOf is where an argument stands in a list. It panics where there is none of that name.
func indexOf(list []Arg, name string) int {
	i := slices.IndexFunc(list, func(a Arg) bool { return a.Name == name })
	if i < 0 {
		panic("no argument " + name)
	}
	return i
}
