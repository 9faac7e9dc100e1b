package mission

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A key that was created with a key, directly or through other keys and rotations,
// is invalid whenever its creator is.
func TestKeysEndWithTheirMakers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := sessionStart
		first, err := NewAPIKey("key_0", "p", KeyInput{Name: "a", ExpiresInDays: days(rapid.IntRange(1, 20).Draw(t, "life"))}, maker, now)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "the maker was rotated") {
			until := now.Add(time.Duration(rapid.IntRange(1, 30).Draw(t, "grace")) * 24 * time.Hour)
			first.GraceUntil = &until
		}
		line := []APIKey{first}
		for i := range rapid.IntRange(1, 5).Draw(t, "makes") {
			with := line[len(line)-1]
			now = now.Add(time.Duration(rapid.IntRange(0, 48).Draw(t, "hours")) * time.Hour)
			made, err := NewAPIKey("key_n", "p", KeyInput{Name: "a"}, maker, now)
			if err != nil {
				t.Fatal(err)
			}
			if made, err = made.Under(with, now); err != nil {
				if with.EndedAt(now) == nil {
					t.Fatalf("a valid key creates none: %v", err)
				}
				break
			}
			if i%2 == 1 { // its successor, alternately by a user and by itself
				by := []*APIKey{nil, &made}[rapid.IntRange(0, 1).Draw(t, "by")]
				_, made, err = made.Rotate("key_r", "q", nil, maker, by, now)
				if err != nil {
					t.Fatal(err)
				}
			}
			line = append(line, made)
		}
		end := first.ExpiresAt
		if first.GraceUntil != nil && first.GraceUntil.Before(*end) {
			end = first.GraceUntil
		}
		for i, k := range line {
			if k.EndedAt(*end) == nil {
				t.Fatalf("key %d, %+v, is valid after the first ended at %s", i, k, end)
			}
			if i > 0 && k.MadeByKey == "" {
				t.Fatalf("key %d doesn't name its creator", i)
			}
		}
	})
}

// Rotating a key with another key makes a key of that other one; by a user, it gets a
// new lifetime.
func TestSuccessorsMakers(t *testing.T) {
	old, err := NewAPIKey("key_1", "p", KeyInput{Name: "a", ExpiresInDays: days(30)}, maker, sessionStart)
	if err != nil {
		t.Fatal(err)
	}
	now := sessionStart.Add(24 * time.Hour)
	brief := APIKey{ID: "key_brief", ExpiresAt: ptr(now.Add(time.Hour))}
	_, next, err := old.Rotate("key_2", "q", nil, maker, &brief, now)
	if err != nil || next.MadeByKey != brief.ID || !next.ExpiresAt.Equal(*brief.ExpiresAt) {
		t.Errorf("got a brief key's successor %+v, %v", next, err)
	}
	_, next, err = old.Rotate("key_2", "q", nil, maker, nil, now)
	if err != nil || next.MadeByKey != "" || !next.ExpiresAt.Equal(now.Add(30*24*time.Hour)) {
		t.Errorf("got a user's successor %+v, %v", next, err)
	}
	brief.RevokedAt = &now
	_, _, err = old.Rotate("key_2", "q", nil, maker, &brief, now)
	wantCode(t, err, CodeUnauthorized, "")
}

func TestNoticeOfAllScopes(t *testing.T) {
	if (KeyInput{}).Notice() == "" || (KeyInput{Scopes: []Scope{ScopeAdmin}}).Notice() != "" {
		t.Error("want the notice without scopes, and only then")
	}
}
