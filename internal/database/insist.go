package database

import (
	"context"
	"time"

	"missiond/internal/clock"
)

// Limits of Insist, in real time.
const (
	// tryLimit is the time limit of one try.
	tryLimit = 10 * time.Second
	// firstPause and longestPause bound the pauses between tries, which double.
	firstPause   = 50 * time.Millisecond
	longestPause = time.Second
)

// Insist calls record until it succeeds, fails for another reason than that the
// database is unavailable, or limit has passed; it does so even if ctx is
// canceled. It is for the result of a call that nobody can repeat. record may be
// called again although its transaction was committed, if the reply was lost.
// Errors: record's last.
func Insist(ctx context.Context, limit time.Duration, record func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := try(ctx, record)
		if !Unavailable(err) || clock.Sleep(ctx, pause/2+clock.Jitter(pause)) != nil {
			return err
		}
	}
}

func try(ctx context.Context, record func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	return record(ctx)
}
