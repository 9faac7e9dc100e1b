package tasks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// installationKey has the id of the installation that uses a Redis database.
	installationKey = "missiond:installation"
	// installationLife is how long a Redis database stays an installation's after the last
	// of its processes has stopped.
	installationLife = 2 * time.Minute
)

// ErrOtherInstallation is the error of a Redis database that another installation, with
// another database, uses: each would take the other's entries.
var ErrOtherInstallation = errors.New("this Redis database is used by another installation of missiond, with another database; " +
	"give each a Redis, or a number of its own, as in redis://host:6379/1. After that installation has stopped, it is free in two minutes, " +
	"or at once without the key " + installationKey)

// Claim has a Redis database be that of an installation, by its id, for the next two
// minutes. Errors: ErrOtherInstallation; Redis's.
func Claim(ctx context.Context, r redis.UniversalClient, installation string) error {
	free, err := r.SetNX(ctx, installationKey, installation, installationLife).Result()
	if err != nil || free {
		return err
	}
	owner, err := r.Get(ctx, installationKey).Result()
	switch {
	case errors.Is(err, redis.Nil): // it has just become free: the next claim gets it
		return nil
	case err != nil:
		return fmt.Errorf("read whose Redis this is: %w", err)
	case owner != installation:
		return ErrOtherInstallation
	}
	return r.Expire(ctx, installationKey, installationLife).Err()
}
