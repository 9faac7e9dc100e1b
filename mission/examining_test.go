package mission

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A tenant's turn is put off by what its files cost, and never by more than the debt: who used the processor while
// nobody else needed it isn't kept waiting for that.
func TestNextTurn(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ turn, cost, want time.Duration }{
		"the first":        {-1e6 * time.Hour, 20 * time.Second, 20 * time.Second},
		"long ago":         {-time.Minute, time.Second, time.Second},
		"another's beside": {5 * time.Second, time.Second, 6 * time.Second},
		"a debt":           {MaxDebt - time.Second, 20 * time.Second, MaxDebt},
		"no cost":          {-time.Minute, 0, 0},
	} {
		if got := NextTurn(now.Add(c.turn), now, c.cost, MaxDebt).Sub(now); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		turn, cost := rapid.Int64Range(-1e12, 1e12).Draw(t, "turn"), rapid.Int64Range(0, 1e12).Draw(t, "cost")
		if got := NextTurn(now.Add(time.Duration(turn)), now, time.Duration(cost), MaxDebt).Sub(now); got < 0 || got > MaxDebt {
			t.Fatalf("got %s", got)
		}
	})
}

func TestCheckExamining(t *testing.T) {
	if err := CheckExamining(MaxExamining - 1); err != nil {
		t.Error(err)
	}
	if err := CheckExamining(MaxExamining); CodeOf(err) != CodeRateLimitExceeded {
		t.Errorf("got %v", err)
	}
}
