package llm

import (
	"strconv"

	"missiond/mission"
)

// Bounds of a call's tokens.
const (
	// perMessage and perCall are generous bounds of what chat templates add to
	// a prompt.
	perMessage = 16
	perCall    = 512
	// maxTokens is above any call's bound, and small enough not to overflow
	// when multiplied.
	maxTokens int64 = 1 << 22
	// maxCalls is how many calls of a Write may be charged.
	maxCalls = 3
	million  = 1_000_000
)

// costTracker tracks the cost of one Write.
type costTracker struct {
	price, spent mission.Micros
	calls        int
}

// affords reports whether another call may be made. Calls are counted too,
// since a model may be free.
func (p *costTracker) affords(bound mission.Micros) bool {
	return p.calls < maxCalls && p.spent+bound <= p.price
}

func (p *costTracker) pay(cost mission.Micros) {
	p.calls++
	p.spent += cost
}

// bound returns the most that one call may cost. No tokenizer makes more than
// one token per byte.
func (w *Writer) bound(talk []message) mission.Micros {
	tokens := int64(perCall + schemaSize)
	for _, m := range talk {
		tokens += int64(perMessage + len(m.text))
	}
	return w.cost(tokens, int64(w.o.MaxOutputTokens))
}

// cost returns what tokens cost, rounded up. Numbers above maxTokens count as
// maxTokens.
func (w *Writer) cost(input, output int64) mission.Micros {
	input, output = min(input, maxTokens), min(output, maxTokens)
	return (mission.Micros(input)*w.o.InputPrice + mission.Micros(output)*w.o.OutputPrice + million - 1) / million
}

// usage is the token usage that an endpoint reports for a call.
type usage struct {
	PromptTokens     count `json:"prompt_tokens"`
	CompletionTokens count `json:"completion_tokens"`
}

// count is a number of tokens; anything else counts as missing.
type count struct {
	n     int64
	known bool
}

// UnmarshalJSON reads a non-negative integer. It never fails.
func (c *count) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	*c = count{n, err == nil && n >= 0}
	return nil
}

// charge returns the cost of a successful call. Without a plausible usage it is
// the bound; a cost above the bound is reduced to it, because no budget was
// reserved for more.
func (w *Writer) charge(u *usage, bound mission.Micros) mission.Micros {
	if u == nil || !u.PromptTokens.known || !u.CompletionTokens.known {
		return bound
	}
	cost := w.cost(u.PromptTokens.n, u.CompletionTokens.n)
	if cost > bound {
		w.o.Log.Warn("llm: the endpoint reports more tokens than the call can have used; the cost is reduced to its bound",
			"prompt_tokens", u.PromptTokens.n, "completion_tokens", u.CompletionTokens.n, "micros", cost, "bound", bound)
		return bound
	}
	return cost
}
