package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"missiond/mission"
)

// trouble tells whose fault an error is.
func TestTroubleIsOurs(t *testing.T) {
	over, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	canceled, cancelIt := context.WithCancel(t.Context())
	cancelIt()
	refused := errors.New("dial tcp: connection refused")
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		ours bool
	}{
		"a mistake of the program":         {t.Context(), io.ErrUnexpectedEOF, false},
		"the writer's outage":              {t.Context(), &mission.OutageError{Err: context.DeadlineExceeded}, false},
		"a platform's refusal":             {t.Context(), errors.Join(&mission.PublishError{}, errTrouble), false},
		"a run that took too long":         {over, fmt.Errorf("read: %w", over.Err()), false},
		"a mail server that is down":       {t.Context(), refused, false},
		"a lease that runs out":            {t.Context(), fmt.Errorf("publish: %w", errTrouble), true},
		"a run that Asynq has canceled":    {canceled, canceled.Err(), true},
		"a failure that came of a refusal": {t.Context(), mission.Conflict("settled"), false},
	} {
		if got := trouble(c.ctx, c.err); got != c.ours {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
