package llm

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/model"
)

// dialect writes messages as one server takes them.
type dialect struct {
	profile model.Profile
	without map[adaptation]bool
}

// nothing stands where a server refuses an empty text.
const nothing = "(nothing)"

func (d dialect) messages(list []Message) []map[string]any {
	var out []map[string]any
	for i, m := range list {
		switch m.Role {
		case RoleTool:
			out = append(out, d.results(m)...)
			continue
		case RoleUser:
			if n := len(out); n > 0 && d.mistral() && out[n-1]["role"] == string(RoleTool) {
				out = append(out, map[string]any{"role": RoleAssistant, "content": "Ok."}) // it wants one between
			}
		case RoleSystem:
			if n := len(out); n > 0 && list[i-1].Role == RoleUser && d.role(m, n) == RoleUser { // whose roles have to alternate
				last := list[i-1]
				last.Parts = append(slices.Clone(last.Parts), Part{Kind: PartText, Text: "\n\n" + m.String()})
				out[n-1] = d.message(last, n-1)
				continue
			}
		case RoleAssistant:
		}
		out = append(out, d.message(m, len(out)))
	}
	return out
}

// role is in whose name a message goes that has so many before it.
func (d dialect) role(m Message, before int) Role {
	if m.Role == RoleSystem && (!d.profile.UseSystemPrompt || before > 0 && d.without[withoutMixture]) {
		return RoleUser
	}
	return m.Role
}

func (d dialect) message(m Message, before int) map[string]any {
	role := d.role(m, before)
	var calls []map[string]any
	said := m
	said.Parts = nil
	for _, p := range m.Parts {
		if p.Kind == PartCall {
			calls = append(calls, d.call(*p.Call))
			continue
		}
		said.Parts = append(said.Parts, p)
	}
	out := map[string]any{}
	if len(m.Back) > 0 && !d.without[withoutBack] && (len(calls) == 0 || !d.without[withoutMixture]) {
		maps.Copy(out, fieldsOf(m.Back))
	}
	out["role"], out["content"] = string(role), contentOf(said)
	if len(calls) > 0 {
		out["tool_calls"] = calls
		if strings.TrimSpace(said.String()) == "" || d.without[withoutMixture] {
			out["content"] = nil // some refuse an empty text, and some a text beside calls
		}
	}
	return out
}

func (d dialect) call(c Call) map[string]any {
	out := map[string]any{}
	if !d.without[withoutBack] {
		maps.Copy(out, fieldsOf(c.Back))
	}
	args := strings.TrimSpace(c.Arguments)
	if !json.Valid([]byte(args)) || args == "null" {
		args = "{}" // templates of servers read them; what was wrong stands in the result
	}
	out["id"], out["type"] = d.id(c.ID), "function"
	out["function"] = map[string]any{"name": c.Name, "arguments": args}
	return out
}

// results are a message for each call.
func (d dialect) results(m Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		if p.Kind != PartResult {
			continue
		}
		text := p.Text
		if strings.TrimSpace(text) == "" {
			text = nothing
		}
		out = append(out, map[string]any{"role": string(RoleTool), "tool_call_id": d.id(p.Call.ID), "name": p.Call.Name, "content": text})
	}
	return out
}

func (d dialect) mistral() bool { return d.profile.Provider == "mistral" }

var (
	mistralID = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)
	claudeID  = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// id writes the id of a call as the server allows it. Calls that another model made have other ids.
func (d dialect) id(id string) string {
	fits := claudeID
	switch {
	case d.mistral():
		fits = mistralID
	case !strings.Contains(strings.ToLower(d.profile.ID), "claude"):
		return id
	}
	if fits.MatchString(id) {
		return id
	}
	return shortID(id)
}

// shortID makes an id that every server takes, another one for another id.
func shortID(id string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(id)))[:9] }

// fieldsOf reads what a server wants back.
func fieldsOf(raw json.RawMessage) map[string]any {
	fields := map[string]json.RawMessage{}
	if len(raw) == 0 || json.Unmarshal(raw, &fields) != nil {
		return nil // the kind of interface that it came by was another one
	}
	out := make(map[string]any, len(fields))
	for name, v := range fields {
		out[name] = v
	}
	return out
}

// Prefixed is a prompt as a model gets it: behind the line by which the model is switched, where it has one. The line is
// the first of all that the model reads, in whichever role that stands. Every call goes through here, so that the model that
// answers gets its own line, be it the one that was chosen, a fall-back or the one for small tasks. The messages given are
// not changed.
func Prefixed(p model.Profile, list []Message) []Message {
	if p.SystemPrefix == "" || len(list) == 0 {
		return list
	}
	list = slices.Clone(list)
	parts := list[0].Parts
	line := Part{Kind: PartText, Text: p.SystemPrefix + "\n"}
	if len(parts) > 0 && parts[0].Kind == PartText {
		line.Text, line.Cache = line.Text+parts[0].Text, parts[0].Cache
		parts = parts[1:]
	}
	list[0].Parts = append([]Part{line}, parts...)
	return list
}
