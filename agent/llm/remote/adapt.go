package remote

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// refusable lists the refused field names and what follows from each.
func refusable() map[string]wire.Adaptation {
	return map[string]wire.Adaptation{
		"stream": wire.WithoutStream, "stream_options": wire.WithoutUsage, "include_usage": wire.WithoutUsage,
		"temperature": wire.WithoutTemperature,
		"max_tokens":  wire.OtherMaxTokens, "max_completion_tokens": wire.OtherMaxTokens,
		"tool_choice": wire.WithoutForce, "reasoning_effort": wire.WithoutEffort,
		"include": wire.WithoutInclude, "reasoning.summary": wire.WithoutSummary,
	}
}

// refusedField finds the request field that a refusal names.
func refusedField(se wire.ServerError) string {
	if _, ok := refusable()[se.Param]; ok {
		return se.Param
	}
	// Longest first: one name contains the other.
	for _, name := range []string{"max_completion_tokens", "reasoning_effort", "stream_options", "include_usage",
		"tool_choice", "max_tokens", "temperature"} {
		if strings.Contains(se.Message, name) {
			return name
		}
	}
	if noStream.MatchString(se.Message) {
		return "stream"
	}
	return ""
}

var (
	// OpenAI streams some models to accounts alone whose owner has shown papers; others lack streaming altogether.
	noStream = regexp.MustCompile(`(?i)verified to stream\b|\bnot support stream(ing|ed)?\b|n't support stream(ing|ed)?\b|\bstreaming( is| of responses is)? (not|un)[ -]?(supported|available|allowed)\b|unsupported (value|parameter): '?stream\b`)
	// Servers say in many words that they have no tools; vLLM and llama.cpp name the flag that they lack.
	noTools = regexp.MustCompile(`(?i)\b(tools?|functions?)\b[^.]{0,40}\b(not|n't|un)[ -]?(be )?(supported|enabled|available|allowed)|` +
		`not? support[^.]{0,40}\b(tools?|functions?)\b|no endpoints found that support tool|requires? --jinja|--enable-auto-tool-choice`)
	// A chat template that fails says so as an error of the server.
	badTemplate = regexp.MustCompile(`(?i)\b(jinja|minja|chat template|template)\b|system message must be`)
)

// toolsRefused says whether a refusal is one of the tools that were offered or forced.
func toolsRefused(r llm.Request, status int, se wire.ServerError) bool {
	return len(wire.ToolsOf(r)) > 0 && status >= 400 && noTools.MatchString(se.Message) && refusedField(se) != "reasoning_effort"
}

// adaptationTo finds what a request that an interface refused can do without; "" for nothing.
func adaptationTo(r llm.Request, api string, err *llm.Error) wire.Adaptation {
	field := refusable()[err.Field]
	switch {
	case api == model.Chat && onlyResponses.MatchString(err.Said):
		return wire.OverResponses
	case api == model.Ollama && err.PathMissing:
		return wire.OverChat
	case api == model.Responses:
		return adaptationOfResponses(r, err, field)
	case api == model.Anthropic && err.Kind == llm.BadRequest && badSignature.MatchString(err.Said) && givesBack(r):
		return wire.WithoutBack
	case err.Kind == llm.BadRequest && field == wire.WithoutForce && r.Tool == nil,
		err.Kind == llm.BadRequest && field == wire.WithoutEffort && len(wire.ToolsOf(r)) == 0:
		return ""
	case err.Kind == llm.BadRequest && field != "":
		return field
	case err.NoTools:
		return ""
	case err.Kind == llm.BadRequest && namesBack(r, err):
		return wire.WithoutBack
	case err.Status == http.StatusInternalServerError && badTemplate.MatchString(err.Said) && mixes(r):
		return wire.WithoutMixture
	}
	return ""
}

var (
	noSummary    = regexp.MustCompile(`(?i)reasoning[. _]summar`)
	noInclude    = regexp.MustCompile(`(?i)encrypted content is not supported`)
	badSignature = regexp.MustCompile(`(?i)\bsignature\b`)
	backNoGood   = regexp.MustCompile(`(?i)encrypted[ _]content|item with id|required following item|type 'reasoning'`)
)

// adaptationOfResponses is adaptationTo for a request through Responses.
func adaptationOfResponses(r llm.Request, err *llm.Error, field wire.Adaptation) wire.Adaptation {
	switch {
	case err.Kind != llm.BadRequest && err.Kind != llm.NotFound || err.NoTools:
		return ""
	case field == wire.WithoutStream, field == wire.WithoutTemperature, field == wire.WithoutInclude, field == wire.WithoutSummary, field == wire.WithoutForce && r.Tool != nil:
		return field
	case noSummary.MatchString(err.Said):
		return wire.WithoutSummary
	case noInclude.MatchString(err.Said):
		return wire.WithoutInclude
	case backNoGood.MatchString(err.Said) && givesBack(r):
		return wire.WithoutBack
	}
	return ""
}

// givesBack says whether the request has what an answer left to be given back.
func givesBack(r llm.Request) bool {
	return slices.ContainsFunc(r.Messages, func(m llm.Message) bool { return len(m.Back) > 0 })
}

// namesBack says whether a refusal names a field that goes back unread.
func namesBack(r llm.Request, err *llm.Error) bool {
	for _, m := range r.Messages {
		names := wire.FieldsOf(m.Back)
		for _, p := range m.Parts {
			if p.Call != nil {
				for name := range wire.FieldsOf(p.Call.Back) {
					if strings.Contains(err.Said, name) {
						return true
					}
				}
			}
		}
		for name := range names {
			if strings.Contains(err.Said, name) {
				return true
			}
		}
	}
	return false
}

// mixes says whether the request has what templates fail at.
func mixes(r llm.Request) bool {
	for i, m := range r.Messages {
		calls := slices.ContainsFunc(m.Parts, func(p llm.Part) bool { return p.Kind == llm.PartCall })
		if i > 0 && m.Role == llm.RoleSystem || calls && (len(m.Back) > 0 || strings.TrimSpace(m.String()) != "") {
			return true
		}
	}
	return false
}

// onlyResponses are the words with which OpenAI and Azure refuse chat for a model that has only Responses.
var onlyResponses = regexp.MustCompile(`(?i)only supported in v1/responses|chatcompletion operation does not work with the specified model`)
