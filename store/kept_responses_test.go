package store_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/store"
)

// Responses that aren't small have a quota together, which is given back when they are
// deleted or their key is used again later; small ones are always kept.
func TestKeptResponsesHaveAQuota(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		large, small := strings.Repeat("x", 2*store.SmallResponse), strings.Repeat("x", store.SmallResponse)
		const day = 24 * time.Hour
		most := 2*len(large) + 100 // for results
		complete := func(key string, at time.Time, sealed string, want bool) {
			t.Helper()
			r := store.KeyedRequest{TenantID: f.tenant.ID, Key: key, Fingerprint: "f", Holder: "one", CreatedAt: at}
			_, claimed, err := f.db.ClaimRequest(ctx, r, time.Minute, at.Add(-day))
			f.must(err)
			f.must(f.tx(func(tx store.Tx) error { return tx.StoreResult(ctx, r, 1, "result") }))
			if kept, err := f.db.CompleteRequest(ctx, r, sealed, most); err != nil || !claimed || kept != want {
				t.Errorf("%s is claimed %v and kept %v, %v; want %v", key, claimed, kept, err, want)
			}
			if _, ok, err := f.db.StoredResult(ctx, r, 1); err != nil || ok == want {
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

// The results of a request without a response count too: those of requests that are given up
// again and again are at most the quota, and a later response takes their place.
func TestKeptResultsHaveAQuota(t *testing.T) {
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		result := strings.Repeat("x", 2*store.SmallResponse)
		most := 2 * len(result)
		begin := func(key string, steps int) store.KeyedRequest {
			t.Helper()
			r := store.KeyedRequest{TenantID: f.tenant.ID, Key: key, Fingerprint: "f", Holder: "one", CreatedAt: start}
			_, _, err := f.db.ClaimRequest(ctx, r, time.Minute, start.Add(-time.Hour))
			f.must(err)
			for step := range steps {
				f.must(f.tx(func(tx store.Tx) error { return tx.StoreResult(ctx, r, step+1, result) }))
			}
			return r
		}
		release := func(r store.KeyedRequest, want bool) {
			t.Helper()
			if kept, err := f.db.ReleaseRequest(ctx, r, most); err != nil || kept != want {
				t.Errorf("%s is kept: %v, %v; want %v", r.Key, kept, err, want)
			}
		}
		complete := func(r store.KeyedRequest, sealed string, want bool) {
			t.Helper()
			if kept, err := f.db.CompleteRequest(ctx, r, sealed, most); err != nil || kept != want {
				t.Errorf("the response of %s is kept: %v, %v; want %v", r.Key, kept, err, want)
			}
		}
		one := begin("one", 1)
		release(one, true)
		two := begin("two", 2)
		release(two, false)
		release(begin("nothing", 0), true)
		complete(two, "small", true)
		three := begin("three", 0)
		complete(three, result+"x", false)
		complete(three, result, true)
		complete(one, "small", true)
		release(begin("four", 1), true)
		if rows := rowsOf(t, raw, "idempotency_results"); rows != 1 {
			t.Errorf("%d results are left, want that of the last", rows)
		}
	})
}
