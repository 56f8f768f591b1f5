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
	b.WriteString(`Coauthor works with any server that supports OpenAI's Chat Completions or Responses API, Anthropic's API or Ollama's API. Set ` + "`model` and `apiBase`" + ` ([SETTINGS.md](SETTINGS.md)).
This page lists the built-in models. ` + "`coauthor models`" + ` also lists the models of your endpoint, and ` + "`coauthor models PATTERN`" + ` searches by name.

## Providers

The part of a model's name before the slash selects the endpoint, as in ` + "`groq/NAME`" + `. Coauthor sends the key only to that host.

| prefix | endpoint | API key variable |
|---|---|---|
`)
	providerRows(&b, c)
	b.WriteString(`
- *Servers on this machine* (` + "`" + strings.Join(local(c), "`, `") + "`" + `): if the server uses another port, set ` + "`apiBase`" + `.
  Set the model's ` + "`contextWindow`" + ` to the server's context size.
- *GitHub Models* needs a token with the ` + "`models: read`" + ` permission, and names such as ` + "`github/openai/gpt-4.1`" + `.
- *Azure*: use your deployment's name, as in ` + "`azure/NAME`" + `. If it is also the name of a built-in model, Coauthor uses that model's limits.
  For an API version, add it to the URL, in ` + "`AZURE_OPENAI_ENDPOINT`" + ` or in the model's ` + "`apiBase`" + `: with ` + "`https://RESOURCE.openai.azure.com?api-version=2024-10-21`" + `,
  requests go to ` + "`/openai/deployments/NAME/chat/completions`" + `. Next to ` + "`apiBase`" + `, also set ` + "`apiKeyEnv: AZURE_OPENAI_API_KEY`" + `.
- *OpenAI* and *Azure*: Coauthor uses the Responses API for models whose names contain ` + "`-pro` or `-codex`" + `, and for GPT-5.4 and later,
  which need it to combine tools with reasoning. To override this, set ` + "`api`" + ` in the model's entry in ` + "`models`" + `.
- *OpenAI* streams some models only to verified organizations. Without verification, the answer arrives all at once, and Coauthor notifies you.
  To avoid the failing first attempt, set ` + "`streaming: false`" + `.
- *Fireworks* uses long names, such as ` + "`fireworks_ai/accounts/fireworks/models/deepseek-v3p1`" + `.
- *Anthropic*: Coauthor uses Anthropic's own API. For a gateway with the same API, set ` + "`api: anthropic`" + `.
- *Ollama*: Coauthor uses Ollama's own API. Each request sets a large enough context window: 16384 tokens, doubled as needed
  up to ` + "`contextWindow`" + `. To set another size, use ` + "`extraBody: {options: {num_ctx: 32768}}`" + `. If Ollama runs on another machine, set ` + "`apiBase`" + `
  and keep the name ` + "`ollama/NAME`" + `. For servers without this API, Coauthor uses Chat Completions.
- *Amazon Bedrock and Google Vertex AI* work only through a gateway with OpenAI's API, such as the LiteLLM proxy. Set ` + "`apiBase`" + `
  to the gateway's URL and ` + "`model`" + ` to the gateway's name for the model.

## Default model

If ` + "`model`" + ` is not set, Coauthor uses the first of these models that has an API key in the environment:

`)
	for i, p := range c.Defaults() {
		fmt.Fprintf(&b, "%d. `%s` (`%s`)\n", i+1, p.Name, p.APIKeyEnv)
	}
	aliasRows(&b, c)
	b.WriteString("\nAdd your own aliases in `models`.\n\n## Built-in models\n\n")
	b.WriteString(`The columns *context window* and *answer* show sizes in tokens. Prices are in US dollars per million tokens at the provider's endpoint on the date in the last column:
prompt / answer / cache read / cache write. Coauthor uses the first row that matches the part of the name after the last slash. ` + "`*`" + ` matches any text, and ` + "`?`" + ` matches one character.

| model | provider | context window | answer | edit format | price | checked |
|---|---|---|---|---|---|---|
`)
	for _, r := range c.Rows() {
		p := r.Profile
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | `%s` | %s | %s |\n", strings.Join(r.Names, "`, `"), p.Provider,
			tokens(p.ContextWindow), tokens(p.MaxOutput), p.EditFormat, prices(p.Price), p.Checked)
	}
	fmt.Fprintf(&b, "\nCoauthor offers no tools to models whose names indicate %d billion parameters or fewer (`:%[1]db`, `-1.5b`), because they tend to make up results.\nIt offers none to local models that it does not know and that write whole files either: their prompt is then a fraction as long.\nTo turn tools on, set `tools: native` in the model's entry in `models`.\n", model.Smallest)
	b.WriteString("\nIf the table shows a price for cache reads, the provider caches prompts. Coauthor keeps the start of prompts unchanged for the cache, and adds cache markers for Anthropic.\nSee `repoMap.refresh` and `model.cacheKeepalivePings`.\n")
	b.WriteString("\n## When a prompt is too large\n\nCoauthor omits the following parts, in this order, until the prompt and the answer fit, and lists the omitted parts. If your request, the rules and the\nfiles in the context are still too large, Coauthor asks whether to send them anyway. To shorten the prompt, use `/clear` to start a new conversation or `/drop` to remove a file, or choose a model with a larger context window.\n\n")
	for i, what := range prompt.Expendable() {
		fmt.Fprintf(&b, "%d. %s\n", i+1, what)
	}
	b.WriteString("\nOpen documents that your request does not mention use up to half of the model's input limit, and rules use up to 32 KiB.\n")
	b.WriteString("\n## Corrections\n\nOverride wrong or outdated values in your settings file:\n\n```yaml\n" + corrected + "```\n")
	return b.Bytes()
}

// providerRows are the rows of the table of providers.
func providerRows(b *bytes.Buffer, c *model.Catalog) {
	for _, p := range c.Providers() {
		at := "`" + p.APIBase + "`"
		if p.BaseEnv != "" {
			at = "the URL in `" + p.BaseEnv + "`, followed by `" + p.BasePath + "`"
		}
		key := "none"
		if p.APIKeyEnv != "" {
			key = "`" + p.APIKeyEnv + "`"
		}
		fmt.Fprintf(b, "| `%s/` | %s | %s |\n", p.Provider, at, key)
	}
}

// aliasRows are the short names of models, and the older ones.
func aliasRows(b *bytes.Buffer, c *model.Catalog) {
	b.WriteString("\n## Short names\n\n| alias | model |\n|---|---|\n")
	aliases := c.Aliases()
	for _, name := range slices.Sorted(maps.Keys(aliases)) {
		fmt.Fprintf(b, "| `%s` | `%s` |\n", name, aliases[name])
	}
	b.WriteString("\n")
	b.WriteString("Older aliases: ")
	older := c.OlderAliases()
	for i, name := range slices.Sorted(maps.Keys(older)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "`%s` (`%s`)", name, older[name])
	}
	b.WriteString(".\n")
}

// corrected is read by the test, so it cannot be wrong.
const corrected = `models:
  claude-sonnet-4-5:
    contextWindow: 1000000
    price: {in: 3, out: 15, cacheRead: 0.3, cacheWrite: 3.75}
    checked: 2026-11-01
  fast: {model: gemini-2.5-flash}
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
