package idempotency_test

import (
	"context"
	"errors"
	"testing"

	"missiond/internal/service/idempotency"
	"missiond/internal/testkit"
	"missiond/store"
)

// A request is charged once, with its first change; a charge that is refused undoes the change.
func TestCharge(t *testing.T) {
	db := idempotency.Of(testkit.SQLite(t, store.Options{}))
	step := func(ctx context.Context, result int) (int, error) {
		return idempotency.Once(ctx, db, func(store.Tx) (int, error) { return result, nil })
	}

	var charged []any
	ctx := idempotency.WithCharge(t.Context(), func(_ context.Context, _ store.Tx, result any) error {
		charged = append(charged, result)
		return nil
	})
	for i := range 3 {
		if got, err := step(ctx, i); got != i || err != nil {
			t.Fatalf("got %d, %v", got, err)
		}
	}
	if len(charged) != 1 || charged[0] != 0 {
		t.Errorf("charged for %v, want the first change alone", charged)
	}

	refusal := errors.New("refused")
	tries := 0
	refused := idempotency.WithCharge(t.Context(), func(context.Context, store.Tx, any) error { tries++; return refusal })
	for range 2 {
		if _, err := step(refused, 1); !errors.Is(err, refusal) {
			t.Errorf("got %v", err)
		}
	}
	if tries != 2 {
		t.Errorf("tried %d times, want each time: nothing was charged", tries)
	}
}
