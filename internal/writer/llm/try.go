package llm

import (
	"missiond/internal/checks"
	"missiond/mission"
)

// Try is a response of a model, and what is wrong with it.
type Try struct {
	Draft mission.Draft
	// Broken is what breaks the rules of all posts.
	Broken []checks.Finding
	// Wrong says why the response has no draft; "" if it has one.
	Wrong string
	// Input and Output are the tokens that the endpoint reports; 0 if it reports none.
	Input, Output int64
}

// read returns the draft in a response, or what is wrong with it.
func (w *Writer) read(o order, r response) (mission.Draft, *fault) {
	d, f := o.read(r)
	if w.o.Tried == nil {
		return d, f
	}
	t := Try{Draft: d}
	if r.used != nil {
		t.Input, t.Output = r.used.PromptTokens.n, r.used.CompletionTokens.n
	}
	switch {
	case f == nil:
	case f.kind == broken:
		t.Broken = o.bar.Check(d)
	default:
		t.Wrong = f.failure().Failure.Message
		if f.words != "" {
			t.Wrong = f.words
		}
	}
	w.o.Tried(t)
	return d, f
}
