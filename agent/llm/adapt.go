package llm

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/model"
)

// refusable lists the refused field names and what follows from each.
func refusable() map[string]adaptation {
	return map[string]adaptation{
		"stream": withoutStream, "stream_options": withoutUsage, "include_usage": withoutUsage,
		"temperature": withoutTemperature,
		"max_tokens":  otherMaxTokens, "max_completion_tokens": otherMaxTokens,
		"tool_choice": withoutForce, "reasoning_effort": withoutEffort,
		"include": withoutInclude, "reasoning.summary": withoutSummary,
	}
}

// refusedField finds the request field that a refusal names.
func refusedField(se serverError) string {
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
func toolsRefused(r Request, status int, se serverError) bool {
	return len(toolsOf(r)) > 0 && status >= 400 && noTools.MatchString(se.Message) && refusedField(se) != "reasoning_effort"
}

// adaptationTo finds what a request that an interface refused can do without; "" for nothing.
func adaptationTo(r Request, api string, err *Error) adaptation {
	field := refusable()[err.field]
	switch {
	case api == model.Chat && onlyResponses.MatchString(err.said):
		return overResponses
	case api == model.Ollama && err.pathMissing:
		return overChat
	case api == model.Responses:
		return adaptationOfResponses(r, err, field)
	case api == model.Anthropic && err.Kind == BadRequest && badSignature.MatchString(err.said) && givesBack(r):
		return withoutBack
	case err.Kind == BadRequest && field == withoutForce && r.Tool == nil,
		err.Kind == BadRequest && field == withoutEffort && len(toolsOf(r)) == 0:
		return ""
	case err.Kind == BadRequest && field != "":
		return field
	case err.NoTools:
		return ""
	case err.Kind == BadRequest && namesBack(r, err):
		return withoutBack
	case err.Status == http.StatusInternalServerError && badTemplate.MatchString(err.said) && mixes(r):
		return withoutMixture
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
func adaptationOfResponses(r Request, err *Error, field adaptation) adaptation {
	switch {
	case err.Kind != BadRequest && err.Kind != NotFound || err.NoTools:
		return ""
	case field == withoutStream, field == withoutTemperature, field == withoutInclude, field == withoutSummary, field == withoutForce && r.Tool != nil:
		return field
	case noSummary.MatchString(err.said):
		return withoutSummary
	case noInclude.MatchString(err.said):
		return withoutInclude
	case backNoGood.MatchString(err.said) && givesBack(r):
		return withoutBack
	}
	return ""
}

// givesBack says whether the request has what an answer left to be given back.
func givesBack(r Request) bool {
	return slices.ContainsFunc(r.Messages, func(m Message) bool { return len(m.Back) > 0 })
}

// namesBack says whether a refusal names a field that goes back unread.
func namesBack(r Request, err *Error) bool {
	for _, m := range r.Messages {
		names := fieldsOf(m.Back)
		for _, p := range m.Parts {
			if p.Call != nil {
				for name := range fieldsOf(p.Call.Back) {
					if strings.Contains(err.said, name) {
						return true
					}
				}
			}
		}
		for name := range names {
			if strings.Contains(err.said, name) {
				return true
			}
		}
	}
	return false
}

// mixes says whether the request has what templates fail at.
func mixes(r Request) bool {
	for i, m := range r.Messages {
		calls := slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == PartCall })
		if i > 0 && m.Role == RoleSystem || calls && (len(m.Back) > 0 || strings.TrimSpace(m.String()) != "") {
			return true
		}
	}
	return false
}

// onlyResponses are the words with which OpenAI and Azure refuse chat for a model that has only Responses.
var onlyResponses = regexp.MustCompile(`(?i)only supported in v1/responses|chatcompletion operation does not work with the specified model`)
