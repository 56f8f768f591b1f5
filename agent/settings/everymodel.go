package settings

import (
	"maps"

	"coauthor/agent/model"
)

// everyModel is the name of the entry of models that holds for all of them.
const everyModel = "*"

// forEvery takes the entry for all models out of them: it is no model that could be asked.
func (l *loader) forEvery() {
	u, ok := l.s.Models[everyModel]
	if !ok {
		return
	}
	all := maps.Clone(l.s.Models)
	delete(all, everyModel)
	l.s.Models, l.s.ExtraBody = all, u.ExtraBody
}

// withExtra puts into a profile what every request is to have. What the model's own entry says of a field stands
// above it; of a field that is a map in both, each name by itself.
func (s Settings) withExtra(p *model.Profile) {
	if len(s.ExtraBody) == 0 {
		return
	}
	body := maps.Clone(s.ExtraBody)
	for name, own := range p.ExtraBody {
		inner, isMap := own.(map[string]any)
		below, both := body[name].(map[string]any)
		if isMap && both {
			own = layered(below, inner)
		}
		body[name] = own
	}
	p.ExtraBody = body
}
