package database

import (
	"context"
	"errors"
)

// columnBytes is what a column of a row takes beside its value, in bytes.
const columnBytes = 24

type meterKey struct{}

// Metered returns a context whose reads call take before each of their rows, with the row's bytes. They end
// with its error. Those of a transaction aren't metered: what it reads has bounds of its own, and it must not end
// halfway because its response is too large.
func Metered(ctx context.Context, take func(bytes int64) error) context.Context {
	return context.WithValue(ctx, meterKey{}, take)
}

// meterOf returns what counts ctx's rows; nil if nothing does.
func meterOf(ctx context.Context) func(bytes int64) error {
	take, _ := ctx.Value(meterKey{}).(func(bytes int64) error)
	return take
}

// overdrawn is the error of a read that take has ended.
type overdrawn struct{ err error }

func (e *overdrawn) Error() string { return e.err.Error() }
func (e *overdrawn) Unwrap() error { return e.err }

// isOverdrawn reports whether a read was ended by its meter, so that it would be again.
func isOverdrawn(err error) bool {
	var over *overdrawn
	return errors.As(err, &over)
}

// meter takes a row's bytes.
func (r rows) meter(values [][]byte) error {
	if r.take == nil {
		return nil
	}
	bytes := int64(columnBytes * len(values))
	for _, v := range values {
		bytes += int64(len(v))
	}
	return r.charge(bytes)
}

// meterScanned is meter for what SQLite's driver has scanned.
func (r rows) meterScanned(values []any) error {
	if r.take == nil {
		return nil
	}
	bytes := int64(columnBytes * len(values))
	for _, v := range values {
		switch v := v.(type) {
		case string:
			bytes += int64(len(v))
		case []byte:
			bytes += int64(len(v))
		}
	}
	return r.charge(bytes)
}

func (r rows) charge(bytes int64) error {
	if err := r.take(bytes); err != nil {
		return &overdrawn{err}
	}
	return nil
}
