package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/model"
	"coauthor/agent/prompt"
)

// modelsDoc writes what is known of models and of those who serve them.
func modelsDoc() []byte {
	c, err := model.Load(nil)
	if err != nil {
		panic(err) // the table is part of the program, and its own test reads it
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Models\n\n<!-- %s -->\n\n", notice)
	b.WriteString(`Coauthor works with any server that has OpenAI's Chat Completions or Responses API, Anthropic's API or Ollama's API: set ` + "`model` and `apiBase`" + ` ([SETTINGS.md](SETTINGS.md)).
This page lists the built-in models. ` + "`coauthor models`" + ` also prints what your endpoint offers, and ` + "`coauthor models PATTERN`" + ` searches by name.

## Providers

The part of a model's name before the slash chooses the endpoint, as in ` + "`groq/NAME`" + `. The key goes only to that host.

| prefix | endpoint | variable with the key |
|---|---|---|
`)
	for _, p := range c.Providers() {
		at := "`" + p.APIBase + "`"
		if p.BaseEnv != "" {
			at = "the address in `" + p.BaseEnv + "`, then `" + p.BasePath + "`"
		}
		key := "none"
		if p.APIKeyEnv != "" {
			key = "`" + p.APIKeyEnv + "`"
		}
		fmt.Fprintf(&b, "| `%s/` | %s | %s |\n", p.Provider, at, key)
	}
	b.WriteString(`
- *Servers on this machine* (` + "`" + strings.Join(local(c), "`, `") + "`" + `): if the port is not the usual one, set ` + "`apiBase`" + `.
  Set the model's ` + "`contextWindow`" + ` to the size that the server was started with.
- *GitHub Models* needs a token with the permission ` + "`models: read`" + `, and names such as ` + "`github/openai/gpt-4.1`" + `.
- *Azure*: the name is your deployment's. If it is also the name of a model, that model's sizes apply.
- *OpenAI* and *Azure*: models named ` + "`-pro` or `-codex`" + ` are used through the Responses API, and so are models from 5.4 on,
  for tools together with reasoning. ` + "`api`" + ` in the model's entry of ` + "`models`" + ` overrides this.
- *OpenAI* streams some models only to verified organizations. For others, the answer arrives all at once, and Coauthor tells you.
  ` + "`streaming: false`" + ` avoids the failing first attempt.
- *Fireworks* has long names, such as ` + "`fireworks_ai/accounts/fireworks/models/deepseek-v3p1`" + `.
- *Anthropic* is used through its own API. For a gateway with the same API, set ` + "`api: anthropic`" + `.
- *Ollama* is used through its own API. Each request asks for a context window that is large enough: 16384 tokens, doubled as needed
  up to ` + "`contextWindow`" + `. To set another size, use ` + "`extraBody: {options: {num_ctx: 32768}}`" + `. For an Ollama elsewhere, set ` + "`apiBase`" + `
  and keep the name ` + "`ollama/NAME`" + `. Servers without this API are used through Chat Completions.
- *Amazon Bedrock and Google Vertex AI* work only through a gateway with OpenAI's API, such as LiteLLM's proxy: set ` + "`apiBase`" + `
  to the gateway and ` + "`model`" + ` to its name for the model.

## Default model

If ` + "`model`" + ` is not set, Coauthor uses the first of these whose key is in the environment:

`)
	for i, p := range c.Defaults() {
		fmt.Fprintf(&b, "%d. `%s` (`%s`)\n", i+1, p.Name, p.APIKeyEnv)
	}
	b.WriteString("\n## Short names\n\n| alias | model |\n|---|---|\n")
	aliases := c.Aliases()
	for _, name := range slices.Sorted(maps.Keys(aliases)) {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", name, aliases[name])
	}
	b.WriteString("\n")
	older := c.OlderAliases()
	for i, name := range slices.Sorted(maps.Keys(older)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s` (`%s`)", name, older[name])
	}
	b.WriteString(" also work.\n")
	b.WriteString("\nAdd your own in `model.aliases`.\n\n## Built-in models\n\n")
	b.WriteString(`Context window and answer are in tokens. Prices are US dollars per million tokens at the maker's endpoint on the day in the last column:
prompt / answer / cache read / cache write. The first row that matches the last part of a name counts; ` + "`*`" + ` matches anything, ` + "`?`" + ` one character.

| model | provider | context window | answer | edit format | price | checked |
|---|---|---|---|---|---|---|
`)
	for _, r := range c.Rows() {
		p := r.Profile
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | `%s` | %s | %s |\n", strings.Join(r.Names, "`, `"), p.Provider,
			tokens(p.ContextWindow), tokens(p.MaxOutput), p.EditFormat, prices(p.Price), p.Checked)
	}
	fmt.Fprintf(&b, "\nModels with %d billion parameters or fewer by their name (`:%[1]db`, `-1.5b`) get no tools, because they make up results;\n`tools: native` in their entry of `models` turns tools on.\n", model.Smallest)
	b.WriteString("\nIf a model has a price for cache reads, the provider caches prompts. Coauthor keeps the beginning of prompts unchanged for this, and marks it for Anthropic;\nsee `repoMap.refresh` and `model.cacheKeepalivePings`.\n")
	b.WriteString("\n## When a prompt is too large\n\nCoauthor leaves out these parts, in this order, until the rest fits next to the answer, and tells you which. If your request, the rules and the\nfiles of the context are too large even then, Coauthor asks whether to send them anyway. Use `/clear` to start a new conversation, `/drop` to remove a file, or a model with a larger context window.\n\n")
	for i, what := range prompt.Expendable() {
		fmt.Fprintf(&b, "%d. %s\n", i+1, what)
	}
	b.WriteString("\nOpen documents that you did not name take at most half of the model's input limit, and rules at most 32 KiB.\n")
	b.WriteString("\n## Corrections\n\nCorrect wrong or outdated values in your own settings file:\n\n```yaml\n" + corrected + "```\n")
	return b.Bytes()
}

// corrected is read by the test, so it cannot be wrong.
const corrected = `models:
  claude-sonnet-4-5:
    contextWindow: 1000000
    price: {in: 3, out: 15, cacheRead: 0.3, cacheWrite: 3.75}
    checked: 2026-11-01
model.aliases:
  fast: gemini-2.5-flash
`

func local(c *model.Catalog) []string {
	var names []string
	for _, p := range c.Providers() {
		if p.Local && p.Provider != "local" {
			names = append(names, p.Provider+"/")
		}
	}
	return names
}

func tokens(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func prices(p model.Price) string {
	if p == (model.Price{}) {
		return ""
	}
	var parts []string
	for _, n := range []float64{p.In, p.Out, p.CacheRead, p.CacheWrite} {
		text := ""
		if n > 0 {
			text = strconv.FormatFloat(n, 'f', -1, 64)
		}
		parts = append(parts, cmp.Or(text, "-"))
	}
	for len(parts) > 2 && parts[len(parts)-1] == "-" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, " / ")
}
