package openai

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// dialect writes messages as one server takes them.
type dialect struct {
	profile model.Profile
	without wire.Adaptations
}

func (d dialect) messages(list []llm.Message) []map[string]any {
	var out []map[string]any
	for i, m := range list {
		switch m.Role {
		case llm.RoleTool:
			out = append(out, d.results(m)...)
			continue
		case llm.RoleUser:
			if n := len(out); n > 0 && d.mistral() && out[n-1]["role"] == string(llm.RoleTool) {
				out = append(out, map[string]any{"role": llm.RoleAssistant, "content": "Ok."}) // it wants one between
			}
		case llm.RoleSystem:
			if n := len(out); n > 0 && list[i-1].Role == llm.RoleUser && d.role(m, n) == llm.RoleUser { // whose roles have to alternate
				last := list[i-1]
				last.Parts = append(slices.Clone(last.Parts), llm.Part{Kind: llm.PartText, Text: "\n\n" + m.String()})
				out[n-1] = d.message(last, n-1)
				continue
			}
		case llm.RoleAssistant:
		}
		out = append(out, d.message(m, len(out)))
	}
	return out
}

// role is in whose name a message goes that has so many before it.
func (d dialect) role(m llm.Message, before int) llm.Role {
	if m.Role == llm.RoleSystem && (!d.profile.UseSystemPrompt || before > 0 && d.without[wire.WithoutMixture]) {
		return llm.RoleUser
	}
	return m.Role
}

func (d dialect) message(m llm.Message, before int) map[string]any {
	role := d.role(m, before)
	var calls []map[string]any
	said := m
	said.Parts = nil
	for _, p := range m.Parts {
		if p.Kind == llm.PartCall {
			calls = append(calls, d.call(*p.Call))
			continue
		}
		said.Parts = append(said.Parts, p)
	}
	out := map[string]any{}
	if len(m.Back) > 0 && !d.without[wire.WithoutBack] && (len(calls) == 0 || !d.without[wire.WithoutMixture]) {
		maps.Copy(out, wire.FieldsOf(m.Back))
	}
	out["role"], out["content"] = string(role), contentOf(said)
	if len(calls) > 0 {
		out["tool_calls"] = calls
		if strings.TrimSpace(said.String()) == "" || d.without[wire.WithoutMixture] {
			out["content"] = nil // some refuse an empty text, and some a text beside calls
		}
	}
	return out
}

func (d dialect) call(c llm.Call) map[string]any {
	out := map[string]any{}
	if !d.without[wire.WithoutBack] {
		maps.Copy(out, wire.FieldsOf(c.Back))
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
func (d dialect) results(m llm.Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		if p.Kind != llm.PartResult {
			continue
		}
		out = append(out, map[string]any{"role": string(llm.RoleTool), "tool_call_id": d.id(p.Call.ID), "name": p.Call.Name, "content": wire.ResultOf(p)})
	}
	return out
}

func (d dialect) mistral() bool { return d.profile.Provider == "mistral" }

var mistralID = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)

// id writes the id of a call as the server allows it. Calls that another model made have other ids.
func (d dialect) id(id string) string {
	fits := wire.PlainID
	switch {
	case d.mistral():
		fits = mistralID
	case !strings.Contains(strings.ToLower(d.profile.ID), "claude"):
		return id
	}
	if fits.MatchString(id) {
		return id
	}
	return wire.ShortID(id)
}
