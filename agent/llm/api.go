package llm

import (
	"strings"

	"coauthor/agent/model"
)

// apiOf is the interface through which a model is asked.
func apiOf(p model.Profile, without adaptations) string {
	if without[overResponses] {
		return model.Responses
	}
	if p.API == model.Ollama && without[overChat] {
		return model.Chat
	}
	return orElse(p.API, model.Chat)
}

func protocolOf(api string) protocol {
	switch api {
	case model.Responses:
		return Responses{}
	case model.Anthropic:
		return Anthropic{}
	case model.Ollama:
		return Ollama{}
	}
	return Chat{}
}

func pathOf(api string) string { return protocolOf(api).Form().Path }

// bodyOf writes a request for the interface of its model.
func bodyOf(r Request, without adaptations) body {
	api := apiOf(r.Model, without)
	return newBody(protocolOf(api), api, r, without)
}

// TrimCall takes the path of a call off a URL, which some copy together with the address.
func TrimCall(url string) string {
	for _, api := range model.APIs() {
		url = strings.TrimSuffix(url, pathOf(api))
	}
	return url
}
