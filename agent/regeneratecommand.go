package agent

import "context"

// runRegenerate asks the last request once more.
func runRegenerate(ctx context.Context, s *Session, c Call) (Answer, error) {
	r, err := s.Again(ctx, c.Text)
	if err != nil {
		return Answer{}, err
	}
	if choose, _ := c.More["choose"].(bool); !choose || c.Text != "" {
		return Answer{Then: &r}, nil
	}
	model, err := s.chooseModel(ctx, r.Model, c.Ports)
	if err != nil || model == "" {
		return Answer{Data: map[string]any{"status": "none"}}, err
	}
	if r, err = s.Again(ctx, model); err != nil { // the session went on meanwhile
		return Answer{}, err
	}
	return Answer{Then: &r}, nil
}
