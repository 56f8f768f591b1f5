package lsptest

import (
	"encoding/json"
	"fmt"
	"go/build"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// metaModel is the protocol's description of itself: which messages there are, who sends them, and what they hold. The
// module of the protocol's Go types ships it, with what 3.18 added, although it calls itself 3.17.
type metaModel struct {
	messages     map[string]*metaMessage
	structures   map[string]*metaStructure
	enumerations map[string]*metaEnumeration
	aliases      map[string]*metaType

	mu     sync.Mutex
	fields map[string]map[string]metaField // by structure, with what it takes over from others; guarded by mu
}

// metaMessage is a request or notification.
type metaMessage struct {
	Method     string    `json:"method"`
	Direction  string    `json:"messageDirection"`
	Params     *metaType `json:"params"`
	Result     *metaType `json:"result"`
	Options    *metaType `json:"registrationOptions"`
	Capability string    `json:"clientCapability"`
	request    bool
}

type metaStructure struct {
	Name       string      `json:"name"`
	Properties []metaField `json:"properties"`
	Extends    []*metaType `json:"extends"`
	Mixins     []*metaType `json:"mixins"`
}

type metaField struct {
	Name     string    `json:"name"`
	Type     *metaType `json:"type"`
	Optional bool      `json:"optional"`
}

type metaEnumeration struct {
	Name   string    `json:"name"`
	Type   *metaType `json:"type"`
	Custom bool      `json:"supportsCustomValues"`
	Values []struct {
		Value any `json:"value"`
	} `json:"values"`
}

// metaType is a type; which of the fields are set depends on its kind.
type metaType struct {
	Kind    string          `json:"kind"`
	Name    string          `json:"name"`    // of a base type or reference
	Items   []*metaType     `json:"items"`   // of or, and, tuple
	Element *metaType       `json:"element"` // of an array
	Key     *metaType       `json:"key"`     // of a map
	Value   json.RawMessage `json:"value"`   // of a map, a literal, a stringLiteral

	of    *metaType   // of a map
	parts []metaField // of a literal
	text  string      // of a stringLiteral
}

// UnmarshalJSON reads a type with what its value is in its kind.
func (t *metaType) UnmarshalJSON(raw []byte) error {
	type plain metaType
	if err := json.Unmarshal(raw, (*plain)(t)); err != nil {
		return err
	}
	switch t.Kind {
	case "map":
		return json.Unmarshal(t.Value, &t.of)
	case "stringLiteral":
		return json.Unmarshal(t.Value, &t.text)
	case "literal":
		var literal struct {
			Properties []metaField `json:"properties"`
		}
		err := json.Unmarshal(t.Value, &literal)
		t.parts = literal.Properties
		return err
	}
	return nil
}

// theMetaModel reads the description out of the module, once. Where there is no Go command, as in a test that was built
// for another machine, there is none.
var theMetaModel = sync.OnceValues(func() (*metaModel, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	with := build.Default
	if with.GOROOT == "" { // of a test that was built with -trimpath
		with.GOROOT = goRoot(os.Getenv("PATH"))
	}
	p, err := with.Import("go.lsp.dev/protocol", here, build.FindOnly) // asks go list
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(p.Dir, "internal", "genlsp", "testdata", "metaModel.json"))
	if err != nil {
		return nil, err
	}
	return readMetaModel(raw)
})

// goRoot is the folder of the Go command in a list of folders; "" for none.
func goRoot(path string) string {
	for _, dir := range filepath.SplitList(path) {
		real, err := filepath.EvalSymlinks(filepath.Join(dir, "go"))
		if err != nil {
			continue
		}
		root := filepath.Dir(filepath.Dir(real))
		if _, err := os.Stat(filepath.Join(root, "src", "fmt")); err == nil {
			return root
		}
	}
	return ""
}

func readMetaModel(raw []byte) (*metaModel, error) {
	var file struct {
		Requests      []*metaMessage     `json:"requests"`
		Notifications []*metaMessage     `json:"notifications"`
		Structures    []*metaStructure   `json:"structures"`
		Enumerations  []*metaEnumeration `json:"enumerations"`
		Aliases       []struct {
			Name string    `json:"name"`
			Type *metaType `json:"type"`
		} `json:"typeAliases"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("read the meta-model: %w", err)
	}
	m := &metaModel{
		messages: map[string]*metaMessage{}, structures: map[string]*metaStructure{},
		enumerations: map[string]*metaEnumeration{}, aliases: map[string]*metaType{}, fields: map[string]map[string]metaField{},
	}
	for _, r := range file.Requests {
		r.request = true
		m.messages[r.Method] = r
	}
	for _, n := range file.Notifications {
		m.messages[n.Method] = n
	}
	for _, s := range file.Structures {
		m.structures[s.Name] = s
	}
	for _, e := range file.Enumerations {
		m.enumerations[e.Name] = e
	}
	for _, a := range file.Aliases {
		m.aliases[a.Name] = a.Type
	}
	return m, nil
}

// own reports whether a message is none of the protocol's.
func own(method string) bool { return strings.HasPrefix(method, "coauthor/") }

// message judges a message of the server.
func (m *metaModel) message(msg Message, say func(string, ...any)) {
	if own(msg.Method) {
		return
	}
	d, known := m.messages[msg.Method]
	switch {
	case !known:
		say("%s is no message of the protocol", msg.Method)
		return
	case d.Direction == "clientToServer":
		say("%s is for clients to send", msg.Method)
		return
	case d.request != (msg.ID != nil):
		say("%s: a request has an id, a notification none", msg.Method)
	}
	switch {
	case d.Params != nil:
		m.value(msg.Method, d.Params, msg.Params, say)
	case msg.Params != nil:
		if v, is := msg.Params.(map[string]any); !is || len(v) > 0 {
			say("%s has no parameters, but came with %s", msg.Method, kindOf(msg.Params))
		}
	}
	switch msg.Method {
	case "$/progress":
		m.progress(at(msg.Params, "value"), say)
	case "client/registerCapability":
		list, _ := at(msg.Params, "registrations").([]any)
		for _, r := range list {
			m.registration(r, say)
		}
	}
}

// progress judges the value of a progress notification, of which the protocol says what it is by its kind.
func (m *metaModel) progress(v any, say func(string, ...any)) {
	kind, _ := at(v, "kind").(string)
	name := map[string]string{"begin": "WorkDoneProgressBegin", "report": "WorkDoneProgressReport", "end": "WorkDoneProgressEnd"}[kind]
	if name == "" {
		say("$/progress of the kind %v", at(v, "kind"))
		return
	}
	m.value("$/progress.value", &metaType{Kind: "reference", Name: name}, v, say)
}

// registration judges the options of one registration by the message that is registered.
func (m *metaModel) registration(r any, say func(string, ...any)) {
	name, _ := at(r, "method").(string)
	d := m.messages[name]
	if d == nil || d.Direction == "serverToClient" {
		say("registers %s, which no client sends", name)
		return
	}
	options := at(r, "registerOptions")
	switch {
	case d.Options != nil && options != nil:
		m.value(name+".registerOptions", d.Options, options, say)
	case options != nil:
		say("registers %s with options, of which the protocol has none", name)
	}
}

// result judges the answer to a request of the client.
func (m *metaModel) result(method string, v any, say func(string, ...any)) {
	d, known := m.messages[method]
	switch {
	case !known || !d.request:
		if !own(method) {
			say("%s was answered, which is no request of the protocol", method)
		}
	case d.Result != nil:
		m.value("the answer to "+method, d.Result, v, say)
	}
}

// value judges a decoded tree by a type.
func (m *metaModel) value(where string, t *metaType, v any, say func(string, ...any)) {
	switch t.Kind {
	case "base":
		m.base(where, t.Name, v, say)
	case "reference":
		m.reference(where, t.Name, v, say)
	case "array":
		array(m.schema(t.Element))(where, v, say)
	case "map":
		mapOf(func(key string) string { return m.complaint(t.Key, key) }, m.schema(t.of))(where, v, say)
	case "or":
		forms := make([]schema, 0, len(t.Items))
		for _, item := range t.Items {
			forms = append(forms, m.schema(item))
		}
		either(forms...)(where, v, say)
	case "and":
		for _, item := range t.Items {
			m.value(where, item, v, say)
		}
	case "tuple":
		list, is := v.([]any)
		if !is || len(list) != len(t.Items) {
			say("%s is %s, not %d values", where, kindOf(v), len(t.Items))
			return
		}
		for i, item := range t.Items {
			m.value(fmt.Sprintf("%s[%d]", where, i), item, list[i], say)
		}
	case "literal":
		m.object(t.parts)(where, v, say)
	case "stringLiteral":
		oneOf(t.text)(where, v, say)
	default:
		say("%s: the meta-model has the kind %q, which nobody here knows", where, t.Kind)
	}
}

func (m *metaModel) schema(t *metaType) schema {
	return func(where string, v any, say func(string, ...any)) { m.value(where, t, v, say) }
}

// complaint is what is wrong with the key of a map, "" for nothing.
func (m *metaModel) complaint(t *metaType, key string) (wrong string) {
	m.value("the key", t, key, func(f string, a ...any) { wrong = fmt.Sprintf(f, a...) })
	return wrong
}

func (m *metaModel) base(where, name string, v any, say func(string, ...any)) {
	switch name {
	case "URI", "DocumentUri":
		uri(where, v, say)
	case "integer":
		integer(math.MinInt32, math.MaxInt32)(where, v, say)
	case "uinteger":
		integer(0, math.MaxInt32)(where, v, say)
	case "decimal":
		if _, is := v.(json.Number); !is {
			say("%s is %s, not a number", where, kindOf(v))
		}
	case "string", "RegExp":
		str(where, v, say)
	case "boolean":
		boolean(where, v, say)
	case "null":
		null(where, v, say)
	default:
		say("%s: the meta-model has the base type %q, which nobody here knows", where, name)
	}
}

func (m *metaModel) reference(where, name string, v any, say func(string, ...any)) {
	switch name {
	case "LSPAny":
		return
	case "LSPObject":
		mapOf(func(string) string { return "" }, anything)(where, v, say)
		return
	case "LSPArray":
		array(anything)(where, v, say)
		return
	}
	if alias, is := m.aliases[name]; is {
		m.value(where, alias, v, say)
		return
	}
	if e, is := m.enumerations[name]; is {
		m.enumerated(where, e, v, say)
		return
	}
	if _, is := m.structures[name]; !is {
		say("%s: the meta-model has no %q", where, name)
		return
	}
	m.object(m.fieldsOf(name))(where, v, say)
}

func (m *metaModel) enumerated(where string, e *metaEnumeration, v any, say func(string, ...any)) {
	m.value(where, e.Type, v, say)
	if e.Custom {
		return
	}
	var known []string
	for _, one := range e.Values {
		known = append(known, fmt.Sprint(one.Value))
	}
	if !slices.Contains(known, fmt.Sprint(v)) {
		say("%s is %s, not one of the values of %s: %s", where, kindOf(v), e.Name, strings.Join(known, ", "))
	}
}

// object allows exactly these fields.
func (m *metaModel) object(list []metaField) schema {
	fields := make([]field, 0, len(list))
	for _, f := range list {
		fields = append(fields, field{f.Name, !f.Optional, m.schema(f.Type)})
	}
	return object(fields...)
}

// fieldsOf gives the fields of a structure, with those of the structures that it extends or mixes in; its own come before
// theirs of the same name.
func (m *metaModel) fieldsOf(name string) []metaField {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]metaField, 0, len(m.gather(name)))
	for _, f := range m.gather(name) {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b metaField) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (m *metaModel) gather(name string) map[string]metaField {
	if all, is := m.fields[name]; is {
		return all
	}
	all := map[string]metaField{}
	s := m.structures[name]
	for _, parent := range slices.Concat(s.Extends, s.Mixins) {
		for _, f := range m.gather(parent.Name) {
			all[f.Name] = f
		}
	}
	for _, f := range s.Properties {
		all[f.Name] = f
	}
	m.fields[name] = all
	return all
}

// ungated are the messages that go to every client although the meta-model names a capability: it says how, not whether.
var ungated = []string{"window/showMessage", "window/showMessageRequest", "textDocument/publishDiagnostics"}

// needs gives the keys of the client capability without which a message must not be sent; nil for none.
func (m *metaModel) needs(method string) []string {
	if m == nil {
		return nil
	}
	d := m.messages[method]
	if d == nil || d.Capability == "" || slices.Contains(ungated, method) {
		return nil
	}
	return strings.Split(d.Capability, ".")
}
