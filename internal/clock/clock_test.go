package clock

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAnchorRunsAtItsSpeed(t *testing.T) {
	real := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	a := Anchor{Real: real, Domain: real.Add(time.Hour), Speed: 1440}
	if got, want := a.At(real.Add(time.Minute)), real.Add(25*time.Hour); !got.Equal(want) {
		t.Errorf("a minute on it is %s, want %s", got, want)
	}
	c := New(a)
	if got := c.Domain(time.Second); got != 24*time.Minute || c.Speed() != 1440 {
		t.Errorf("a second is %s", got)
	}
	if now := c.Now(); now.Nanosecond()%1e6 != 0 || now.Location() != time.UTC {
		t.Errorf("now is %s", now)
	}
	if left := c.Until(c.Now().Add(24 * time.Hour)); left <= 0 || left > time.Minute {
		t.Errorf("a day is %s away", left)
	}
}

func TestRealClockIsReal(t *testing.T) {
	before := time.Now().Add(-time.Millisecond)
	if now := Real().Now(); now.Before(before) || now.After(time.Now()) {
		t.Errorf("now is %s", now)
	}
	if Real().Speed() != 1 || Real().Domain(time.Hour) != time.Hour {
		t.Error("real time has another speed")
	}
}

func TestSleepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("it answers %v", err)
	}
	if err := Sleep(context.Background(), 0); err != nil {
		t.Error(err)
	}
}

func TestManualStandsStill(t *testing.T) {
	m := NewManual(time.Unix(0, 1_999_999))
	m.Advance(time.Second)
	if got := m.Now(); !got.Equal(time.Unix(1, 1_000_000)) || m.Until(got.Add(time.Hour)) != time.Hour || m.Domain(time.Hour) != time.Hour {
		t.Errorf("it stands at %s", got)
	}
}
