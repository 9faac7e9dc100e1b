package store_test

import (
	"strings"
	"testing"
	"time"

	"missiond/store"
)

// Responses that aren't small have a quota together, which is given back when they are
// deleted or their key is used again later; small ones are always kept.
func TestKeptResponsesHaveAQuota(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		large, small := strings.Repeat("x", 2*store.SmallResponse), strings.Repeat("x", store.SmallResponse)
		const day = 24 * time.Hour
		most := 2*len(large) + 1
		complete := func(key string, at time.Time, sealed string, want bool) {
			t.Helper()
			r := store.KeyedRequest{TenantID: f.tenant.ID, Key: key, Fingerprint: "f", Holder: "one", CreatedAt: at}
			_, claimed, err := f.db.ClaimRequest(ctx, r, time.Minute, at.Add(-day))
			f.must(err)
			f.must(f.tx(func(tx store.Tx) error { return tx.KeepResult(ctx, r, 1, "result") }))
			if kept, err := f.db.CompleteRequest(ctx, r, sealed, most); err != nil || !claimed || kept != want {
				t.Errorf("%s is claimed %v and kept %v, %v; want %v", key, claimed, kept, err, want)
			}
			if _, ok, err := f.db.KeptResult(ctx, r, 1); err != nil || ok != (!want || len(sealed) == len(small)) {
				t.Errorf("the result of %s is left: %v, %v", key, ok, err)
			}
		}
		complete("one", start, large, true)
		complete("two", start.Add(time.Hour), large, true)
		complete("three", start.Add(time.Hour), large, false)
		complete("four", start.Add(time.Hour), small, true)
		complete("one", start.Add(day+time.Minute), large, true) // in place of the first
		complete("five", start.Add(day+time.Minute), large, false)
		f.must(f.tx(func(tx store.Tx) error { _, err := tx.DropRequests(ctx, start.Add(2*time.Hour), 100); return err }))
		complete("six", start.Add(day+time.Minute), large, true)
		complete("seven", start.Add(day+time.Minute), large, false)
	})
}
