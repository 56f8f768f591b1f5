package wire

import (
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// Usage is what a provider says it counted.
type Usage struct {
	Prompt     Count  `json:"prompt_tokens"`
	Completion Count  `json:"completion_tokens"`
	Cost       Amount `json:"cost"`
	Details    struct {
		Cached Count `json:"cached_tokens"`
		Write  Count `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit      Count `json:"prompt_cache_hit_tokens"`
	CacheRead     Count `json:"cache_read_input_tokens"`
	CacheCreation Count `json:"cache_creation_input_tokens"`
}

// event converts to our own count, in which Prompt is all that was read.
func (u Usage) event(p model.Profile) event.Usage {
	if u.CacheRead+u.CacheCreation > 0 && u.Details.Cached == 0 && u.CacheRead+u.CacheCreation > u.Prompt {
		u.Prompt += u.CacheRead + u.CacheCreation // this dialect counts the cache apart
	}
	e := event.Usage{
		Prompt: int(u.Prompt), Completion: int(u.Completion),
		CacheRead:  int(max(u.Details.Cached, u.CacheHit, u.CacheRead)),
		CacheWrite: int(max(u.Details.Write, u.CacheCreation)),
		Cost:       float64(u.Cost),
	}
	if e.Cost == 0 {
		e.Cost = model.Cost(p.Price, e)
	}
	return e
}

// finishOf maps a provider's word for the end of a reply.
func finishOf(reason string) llm.Finish {
	switch strings.ToLower(reason) {
	case "", "network_error", "error": // GLM's servers and some routers end a stream with these when what is behind them broke off
		return llm.FinishCut
	case "length", "max_tokens", "max_output_tokens", "model_length", "incomplete", "model_context_window_exceeded":
		return llm.FinishLength
	case "content_filter", "refusal", "safety", "recitation", "prohibited_content", "sensitive":
		return llm.FinishRefused
	}
	return llm.FinishStop // stop, eos, end_turn, tool_calls, function_call, …
}
