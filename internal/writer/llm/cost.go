package llm

import (
	"strconv"

	"missiond/mission"
)

// Bounds of a call's tokens.
const (
	// perMessage and perCall are what chat templates add to a prompt, generously.
	perMessage = 16
	perCall    = 512
	// maxTokens is beyond any call's bound, and small enough to be multiplied.
	maxTokens int64 = 1 << 22
	// maxCalls is how many calls of a Write may cost something.
	maxCalls = 3
	million  = 1_000_000
)

// purse is the money of one Write.
type purse struct {
	price, spent mission.Micros
	calls        int
}

// affords reports whether one more call may be made. Calls are counted too, since
// a model may be free.
func (p *purse) affords(bound mission.Micros) bool {
	return p.calls < maxCalls && p.spent+bound <= p.price
}

func (p *purse) pay(cost mission.Micros) {
	p.calls++
	p.spent += cost
}

// bound is the most that one call may cost. No tokenizer makes more than one
// token of a byte.
func (w *Writer) bound(talk []message) mission.Micros {
	tokens := int64(perCall + schemaSize)
	for _, m := range talk {
		tokens += int64(perMessage + len(m.text))
	}
	return w.cost(tokens, int64(w.o.MaxOutputTokens))
}

// cost is what tokens cost, rounded up. Figures beyond maxTokens count as that.
func (w *Writer) cost(input, output int64) mission.Micros {
	input, output = min(input, maxTokens), min(output, maxTokens)
	return (mission.Micros(input)*w.o.InputPrice + mission.Micros(output)*w.o.OutputPrice + million - 1) / million
}

// usage is what an endpoint says that a call took.
type usage struct {
	PromptTokens     count `json:"prompt_tokens"`
	CompletionTokens count `json:"completion_tokens"`
}

// count is a number of tokens; what isn't one counts as missing.
type count struct {
	n     int64
	known bool
}

// UnmarshalJSON reads a whole number that isn't negative. It never fails.
func (c *count) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	*c = count{n, err == nil && n >= 0}
	return nil
}

// charge is the cost of an answered call. Without a usage that makes sense it
// is the bound; one beyond the bound is cut to it, for no budget was reserved
// for more.
func (w *Writer) charge(u *usage, bound mission.Micros) mission.Micros {
	if u == nil || !u.PromptTokens.known || !u.CompletionTokens.known {
		return bound
	}
	cost := w.cost(u.PromptTokens.n, u.CompletionTokens.n)
	if cost > bound {
		w.o.Log.Warn("llm: the endpoint counts more than the call can have taken; the cost is cut to its bound",
			"prompt_tokens", u.PromptTokens.n, "completion_tokens", u.CompletionTokens.n, "micros", cost, "bound", bound)
		return bound
	}
	return cost
}
