package media

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"missiond/mission"
)

// take takes turns of a tenant until there is none, and returns them with the error.
func take(t *turns, tenant string) (taken []*Turn, err error) {
	for {
		turn, err := t.enter(tenant)
		if err != nil {
			return taken, err
		}
		taken = append(taken, turn)
	}
}

func wantRefusal(t *testing.T, err error, code mission.Code, words string) {
	t.Helper()
	refused := (*mission.Error)(nil)
	if !errors.As(err, &refused) || refused.Code != code || !strings.Contains(refused.Message, words) || refused.RetryAfter != turnWait {
		t.Errorf("got %+v, want %s with %q", err, code, words)
	}
}

// However many turns some tenants take, others have one, and are told the truth about a second.
func TestTurnForEveryTenant(t *testing.T) {
	shared := newTurns("uploads", 4, 16, 32, time.Hour)
	for i := range 8 {
		took, err := take(shared, fmt.Sprint("crowd ", i))
		if i < 5 {
			wantRefusal(t, err, mission.CodeRateLimitExceeded, "uploads at once: 4 of a tenant")
		} else {
			wantRefusal(t, err, mission.CodeServiceUnavailable, "of all tenants")
		}
		if len(took) == 0 {
			t.Errorf("tenant %d has none", i)
		}
	}
	others := map[int]*Turn{}
	for i := range 32 - 8 - 16 {
		took, err := take(shared, fmt.Sprint("other ", i))
		wantRefusal(t, err, mission.CodeServiceUnavailable, "of all tenants")
		if len(took) != 1 {
			t.Fatalf("another tenant has %d", len(took))
		}
		others[i] = took[0]
	}
	_, err := shared.enter("late")
	wantRefusal(t, err, mission.CodeServiceUnavailable, "of all tenants")
	others[3].Leave()
	others[3].Leave() // once
	if _, err := shared.enter("late"); err != nil {
		t.Errorf("after one has left: %v", err)
	}
	if _, err := shared.enter("later"); err == nil {
		t.Error("a turn was left twice")
	}
}

// Where no turn is left, the transfer that is furthest behind ends; one that is hardly behind doesn't.
func TestSlowestMakesRoom(t *testing.T) {
	full := newTurns("uploads", 2, 1, 3, time.Hour)
	behind := func(turn *Turn, by time.Duration) *Turn { turn.left = full.patience - by; return turn }
	enter := func(tenant string) *Turn {
		turn, err := full.enter(tenant)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	crowd, second := enter("crowd"), enter("crowd")
	other := behind(enter("other"), 30*time.Minute)
	if _, err := full.enter("late"); err != nil || !other.over || crowd.over || second.over {
		t.Fatalf("got %v; it ended %v, %v and %v", err, other.over, crowd.over, second.over)
	}
	behind(crowd, 10*time.Minute)
	if _, err := full.enter("later"); err == nil || crowd.over {
		t.Error("one that is hardly behind ended")
	}
	// A tenant's second turn comes from those who have several.
	late := full.by["late"]
	for turn := range full.on {
		behind(turn, 20*time.Minute)
	}
	if _, err := full.enter("late"); err != nil || full.by["crowd"] != 1 || full.by["late"] != late+1 {
		t.Errorf("got %v with %v", err, full.by)
	}
	if len(full.on) != 3 {
		t.Errorf("%d turns are taken of 3", len(full.on))
	}
}

// A client that is waited for is woken when its transfer ends for another.
func TestEndWakes(t *testing.T) {
	full := newTurns("downloads", 1, 1, 1, time.Millisecond)
	turn, err := full.enter("slow")
	if err != nil {
		t.Fatal(err)
	}
	begun, woken, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		deadlines := 0
		_, err := turn.Move(func(time.Time) error {
			if deadlines++; deadlines == 2 {
				close(woken)
			}
			return nil
		}, func() (int, error) {
			close(begun)
			<-woken
			return 0, fmt.Errorf("read: %w", os.ErrDeadlineExceeded)
		})
		ended <- err
	}()
	<-begun
	for _, err = full.enter("other"); err != nil; _, err = full.enter("other") { // once a millisecond is over
	}
	if err := <-ended; mission.CodeOf(err) != mission.CodeInvalidRequest {
		t.Errorf("got %v", err)
	}
	if n, err := turn.Move(func(time.Time) error { t.Error("it goes on"); return nil }, nil); n != 0 || err == nil {
		t.Errorf("got %d, %v after its end", n, err)
	}
}

// What is moved pays for the waiting, and no more than that: the rate is kept on average.
func TestLeastRate(t *testing.T) {
	kind := newTurns("uploads", 4, 4, 4, time.Minute)
	turn, err := kind.enter("tenant")
	if err != nil {
		t.Fatal(err)
	}
	// second moves n bytes after a second of waiting.
	second := func(n int) error {
		_, err := turn.Move(func(time.Time) error { return nil }, func() (int, error) {
			turn.since -= time.Second
			return n, nil
		})
		return err
	}
	lasts := func(n, most int) (seconds int) {
		for seconds < most && second(n) == nil {
			seconds++
		}
		return seconds
	}
	if n := lasts(leastRate+100, 600); n != 600 {
		t.Errorf("a client at the rate is ended after %d s", n)
	}
	if err := second(1 << 30); err != nil || turn.left != time.Minute {
		t.Errorf("a fast client may pause for %v", turn.left)
	}
	if n := lasts(leastRate/2, 600); n < 115 || n > 120 {
		t.Errorf("a client at half of the rate is ended after %d s", n)
	}
	turn.left = time.Minute
	if n := lasts(2, 600); n < 59 || n > 61 {
		t.Errorf("a trickle is ended after %d s", n)
	}
	turn.left, turn.ends = time.Minute, 1 // it began long ago
	if err := second(leastRate); err == nil || !strings.Contains(err.Error(), "longer than 1h0m0s") {
		t.Errorf("got %v of one that takes too long", err)
	}
}
