package app

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"missiond/internal/tracing"
)

// AdoptLoggers has all that log lines come from in a process write them to log: its
// libraries, which otherwise write to standard error in forms of their own. It is for a
// program's start, before it uses them.
func AdoptLoggers(log *slog.Logger) {
	slog.SetDefault(log) // the standard library's log, too
	redis.SetLogger(redisLog{log})
	tracing.SetLogger(log)
}

// redisLog writes the log lines of Redis's client to slog.
type redisLog struct{ log *slog.Logger }

// Printf is called for what goes wrong outside a command, such as a failed dial.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	l.log.WarnContext(ctx, "redis", "message", fmt.Sprintf(format, v...))
}
