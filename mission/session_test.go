package mission

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var sessionStart = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

func newTestSession() Session {
	return NewSession("ses_1", User{ID: "usr_1", TenantID: "tnt_1"}, sessionStart)
}

// Concurrent refreshes get tokens of one family; a refresh with an old token after the
// leeway ends it.
func TestRefresh(t *testing.T) {
	s := newTestSession()
	now := sessionStart.Add(time.Minute)
	for range 50 {
		next, ok := s.Refresh(1, now)
		if !ok || next.Generation != 2 {
			t.Fatalf("a concurrent first refresh got generation %d, %v", next.Generation, ok)
		}
		s = next
	}
	late := now.Add(RefreshLeeway)
	for _, tt := range []struct {
		generation int
		at         time.Time
		want       bool
	}{
		{1, late.Add(-time.Millisecond), true}, {1, late, false}, {2, late, true}, {3, now, false}, {0, now, false}, {-1, now, false},
		{2, s.ExpiresAt.Add(-time.Millisecond), true}, {2, s.ExpiresAt, false},
	} {
		if got := s.Accepts(tt.generation, tt.at); got != tt.want {
			t.Errorf("generation %d at %s: got valid %v", tt.generation, tt.at.Sub(now), got)
		}
	}
	if forged, ok := s.Refresh(3, late); ok || forged.EndedAt != nil {
		t.Error("a future generation was refreshed, or ended the session")
	}
	if _, ok := s.Refresh(2, s.ExpiresAt); ok {
		t.Error("a session was refreshed past its end")
	}
	if kept, ok := s.Renew(1, late); ok || kept.EndedAt != nil {
		t.Errorf("a late renewal got a token (%t), or ended the session at %v", ok, kept.EndedAt)
	}
	if renewed, ok := s.Renew(1, late.Add(-time.Millisecond)); !ok || renewed.Generation != 2 {
		t.Errorf("a concurrent renewal got generation %d, %t", renewed.Generation, ok)
	}
	if renewed, ok := s.Renew(2, late); !ok || renewed.Generation != 3 {
		t.Errorf("a renewal got generation %d, %t", renewed.Generation, ok)
	}
	replayed, ok := s.Refresh(1, late)
	if ok || replayed.EndedAt == nil || replayed.Accepts(2, late) {
		t.Errorf("after a replay got the session %+v", replayed)
	}
	if _, ok := replayed.Refresh(2, late); ok {
		t.Error("a session that ended was refreshed")
	}
}

func TestTokenExpiry(t *testing.T) {
	s := newTestSession()
	if got := s.TokenExpiry(sessionStart.Add(500 * time.Millisecond)); !got.Equal(sessionStart.Add(TokenLife)) {
		t.Errorf("got the token's expiry %s", got)
	}
	if got := s.TokenExpiry(s.ExpiresAt.Add(-time.Minute)); !got.Equal(s.ExpiresAt) {
		t.Errorf("got the last token's expiry %s", got)
	}
}

// Whatever clients do, an active session has one current generation, every valid token
// was issued, and a superseded one expires in time.
func TestSessionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, now := newTestSession(), sessionStart
		ended := map[int]time.Time{} // by generation
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 15_000).Draw(t, "ms")) * time.Millisecond)
			generation := rapid.IntRange(max(1, s.Generation-3), s.Generation+1).Draw(t, "generation")
			at, superseded := ended[generation]
			works := s.Accepts(generation, now)
			switch {
			case s.EndedAt != nil || generation > s.Generation:
				if works {
					t.Fatalf("generation %d is valid", generation)
				}
			case generation == s.Generation:
				if !works {
					t.Fatal("the current generation isn't valid")
				}
			case superseded && works != now.Before(at.Add(RefreshLeeway)):
				t.Fatalf("generation %d, %s after its end: got valid %v", generation, now.Sub(at), works)
			}
			next, ok := s.Refresh(generation, now)
			if ok != works {
				t.Fatalf("a token with valid %v: got refreshed %v", works, ok)
			}
			if next.Generation > s.Generation+1 || next.Generation < s.Generation || len(next.Superseded) > maxSuperseded {
				t.Fatalf("the session went from %+v to %+v", s, next)
			}
			if next.Generation > s.Generation {
				ended[s.Generation] = now
			}
			if s.EndedAt != nil && next.EndedAt == nil {
				t.Fatal("an ended session is active")
			}
			s = next
		}
	})
}
