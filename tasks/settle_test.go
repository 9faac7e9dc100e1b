package tasks

import (
	"context"
	"database/sql/driver"
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
		want mission.Trouble
	}{
		"a mistake of the program":         {t.Context(), io.ErrUnexpectedEOF, ""},
		"the writer's outage":              {t.Context(), &mission.OutageError{Err: context.DeadlineExceeded}, ""},
		"a platform's refusal":             {t.Context(), errors.Join(&mission.PublishError{}, errTrouble), ""},
		"a run that took too long":         {over, fmt.Errorf("read: %w", over.Err()), ""},
		"a mail server that is down":       {t.Context(), refused, ""},
		"a lease that runs out":            {t.Context(), fmt.Errorf("publish: %w", errTrouble), mission.TroubleWorker},
		"a run that Asynq has canceled":    {canceled, canceled.Err(), mission.TroubleWorker},
		"a database that is away":          {t.Context(), driver.ErrBadConn, mission.TroubleDatabase},
		"a failure that came of a refusal": {t.Context(), mission.Conflict("settled"), ""},
	} {
		if got := trouble(c.ctx, c.err); got != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
