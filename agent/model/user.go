package model

// Auto is the reasoning effort that is not sent: the model decides.
const Auto = "auto"

// UserModel is one entry of the setting "models". Nil and empty fields keep what the catalogue says of
// the model it names.
type UserModel struct {
	Model            string            `json:"model" yaml:"model"`
	APIBase          string            `json:"apiBase" yaml:"apiBase"`
	API              string            `json:"api" yaml:"api"`
	APIKeyEnv        string            `json:"apiKeyEnv" yaml:"apiKeyEnv"`
	APIKeyCommand    string            `json:"apiKeyCommand" yaml:"apiKeyCommand"`
	Headers          map[string]string `json:"headers" yaml:"headers"`
	ContextWindow    int               `json:"contextWindow" yaml:"contextWindow"`
	MaxOutput        int               `json:"maxOutputTokens" yaml:"maxOutputTokens"`
	EditFormat       string            `json:"editFormat" yaml:"editFormat"`
	WeakModel        string            `json:"weakModel" yaml:"weakModel"`
	EditorModel      string            `json:"editorModel" yaml:"editorModel"`
	FallbackModel    string            `json:"fallbackModel" yaml:"fallbackModel"`
	EditorFormat     string            `json:"editorFormat" yaml:"editorFormat"`
	Temperature      *float64          `json:"temperature" yaml:"temperature"`
	UseTemperature   *bool             `json:"useTemperature" yaml:"useTemperature"`
	Streaming        *bool             `json:"streaming" yaml:"streaming"`
	UseSystemPrompt  *bool             `json:"useSystemPrompt" yaml:"useSystemPrompt"`
	SystemPrefix     *string           `json:"systemPrefix" yaml:"systemPrefix"`
	ExamplesAsSystem *bool             `json:"examplesAsSystem" yaml:"examplesAsSystem"`
	CacheMarks       *bool             `json:"cacheMarks" yaml:"cacheMarks"`
	ShortPrompt      *bool             `json:"shortPrompt" yaml:"shortPrompt"`
	Vision           *bool             `json:"vision" yaml:"vision"`
	PDF              *bool             `json:"pdf" yaml:"pdf"`
	Lazy             *bool             `json:"lazy" yaml:"lazy"`
	Overeager        *bool             `json:"overeager" yaml:"overeager"`
	Reminder         string            `json:"reminder" yaml:"reminder"`
	Tools            string            `json:"tools" yaml:"tools"`
	ReasoningTag     string            `json:"reasoningTag" yaml:"reasoningTag"`
	ReasoningEffort  string            `json:"reasoningEffort" yaml:"reasoningEffort"`
	ThinkingTokens   *int              `json:"thinkingTokens" yaml:"thinkingTokens"`
	Prefill          string            `json:"prefill" yaml:"prefill"`
	Tokenizer        string            `json:"tokenizer" yaml:"tokenizer"`
	ExtraBody        map[string]any    `json:"extraBody" yaml:"extraBody"`
	Price            *Price            `json:"price" yaml:"price"`
	Checked          string            `json:"checked" yaml:"checked"` // the day from which price and sizes are, as 2006-01-02
}

// over puts the user's word over a profile.
func (u UserModel) over(p *Profile) {
	if u.APIBase != "" {
		*p = p.At(u.APIBase, "")
		if p.APIBase == u.APIBase { // else it is a deployment of an Azure resource
			p.ID = orElse(u.Model, p.ID) // to an endpoint of their own, exactly what the user wrote
		}
		p.WeakModel, p.EditorModel, p.Price = "", "", Price{}
	}
	*p = p.Through(u.API)
	*p = p.withKey(u.APIKeyEnv)
	if u.APIKeyCommand != "" {
		p.APIKeyCommand, p.NoKey = u.APIKeyCommand, false
	}
	if u.ReasoningEffort != Auto {
		p.ReasoningEffort = orElse(u.ReasoningEffort, p.ReasoningEffort)
	}
	if u.ThinkingTokens != nil {
		p.ThinkingTokens = *u.ThinkingTokens
	}
	p.EditFormat = orElse(u.EditFormat, p.EditFormat)
	p.WeakModel = orElse(u.WeakModel, p.WeakModel)
	p.EditorModel = orElse(u.EditorModel, p.EditorModel)
	p.FallbackModel = orElse(u.FallbackModel, p.FallbackModel)
	p.EditorFormat = orElse(u.EditorFormat, p.EditorFormat)
	p.Reminder = orElse(u.Reminder, p.Reminder)
	p.Tools = orElse(u.Tools, p.Tools)
	p.ReasoningTag = orElse(u.ReasoningTag, p.ReasoningTag)
	p.Tokenizer = orElse(u.Tokenizer, p.Tokenizer)
	if u.Prefill == "none" {
		p.Prefill = ""
	} else {
		p.Prefill = orElse(u.Prefill, p.Prefill)
	}
	if u.Checked != "" || u.Price != nil || u.ContextWindow > 0 || u.MaxOutput > 0 {
		p.Checked = u.Checked // the table's day is not that of the user's figures
	}
	if u.ContextWindow > 0 {
		p.ContextWindow = u.ContextWindow
	}
	if u.MaxOutput > 0 {
		p.MaxOutput = u.MaxOutput
	}
	if u.Temperature != nil {
		p.Temperature, p.UseTemperature = u.Temperature, true
	}
	if u.SystemPrefix != nil {
		p.SystemPrefix = *u.SystemPrefix
	}
	if u.Price != nil {
		p.Price = *u.Price
	}
	if u.Headers != nil {
		p.Headers = u.Headers
	}
	if u.ExtraBody != nil {
		p.ExtraBody = u.ExtraBody
	}
	for _, b := range []struct {
		from *bool
		to   *bool
	}{
		{u.UseTemperature, &p.UseTemperature}, {u.Streaming, &p.Streaming},
		{u.UseSystemPrompt, &p.UseSystemPrompt}, {u.ExamplesAsSystem, &p.ExamplesAsSystem},
		{u.CacheMarks, &p.CacheMarks}, {u.Vision, &p.Vision}, {u.PDF, &p.PDF}, {u.ShortPrompt, &p.Short}, {u.Lazy, &p.Lazy}, {u.Overeager, &p.Overeager},
	} {
		if b.from != nil {
			*b.to = *b.from
		}
	}
}
