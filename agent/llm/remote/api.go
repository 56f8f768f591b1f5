package remote

import (
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/llm/anthropic"
	"coauthor/agent/llm/ollama"
	"coauthor/agent/llm/openai"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// apiOf is the interface through which a model is asked.
func apiOf(p model.Profile, without wire.Adaptations) string {
	if without[wire.OverResponses] {
		return model.Responses
	}
	if p.API == model.Ollama && without[wire.OverChat] {
		return model.Chat
	}
	return wire.OrElse(p.API, model.Chat)
}

func protocolOf(api string) wire.Protocol {
	switch api {
	case model.Responses:
		return openai.Responses{}
	case model.Anthropic:
		return anthropic.Anthropic{}
	case model.Ollama:
		return ollama.Ollama{}
	}
	return openai.Chat{}
}

func pathOf(api string) string { return protocolOf(api).Form().Path }

// bodyOf writes a request for the interface of its model.
func bodyOf(r llm.Request, without wire.Adaptations) wire.Body {
	api := apiOf(r.Model, without)
	return wire.NewBody(protocolOf(api), api, r, without)
}

// TrimCall takes the path of a call off a URL, which some copy together with the address.
func TrimCall(url string) string {
	for _, api := range model.APIs() {
		url = strings.TrimSuffix(url, pathOf(api))
	}
	return url
}
