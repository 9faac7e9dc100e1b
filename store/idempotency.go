package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// KeyedRequest is a request with an Idempotency-Key.
type KeyedRequest struct {
	bun.BaseModel `bun:"table:idempotency_keys,alias:ik"`

	TenantID string `bun:",pk"`
	Key      string `bun:",pk"`
	// Fingerprint is a hash of what the request sends. It is written again with a result and with the
	// response: that of a request whose body is a stream is only known then.
	Fingerprint string
	// Holder is who works on the request, or did last.
	Holder string
	// Sealed is the response, encrypted; "" until there is one.
	Sealed    string `bun:",nullzero"`
	CreatedAt time.Time
}

type keyedResultRow struct {
	bun.BaseModel `bun:"table:idempotency_results,alias:ir"`

	TenantID string `bun:",pk"`
	Key      string `bun:",pk"`
	Step     int    `bun:",pk"`
	Sealed   string
}

// ClaimRequest inserts a request that is in progress from now on, under a
// lease. claimed is false if its key has been used since the given time; kept
// is then the earlier request.
func (db *DB) ClaimRequest(ctx context.Context, r KeyedRequest, lease time.Duration, since time.Time) (kept KeyedRequest, claimed bool, err error) {
	err = db.Tx(ctx, func(tx Tx) error {
		err := tx.write(ctx, tx.NewDelete().Model(&r).WherePK().Where("created_at < ?", since).Where("COALESCE(length(sealed), 0) <= ?", SmallResponse))
		if err != nil {
			return err
		}
		n, err := tx.changed(ctx, tx.NewInsert().Model(&r).Value("lease_until", "?", db.leaseEnd(lease)).On("CONFLICT DO NOTHING"))
		if claimed = n == 1; err != nil || claimed {
			return err
		}
		err = database.Scan(ctx, tx.on, tx.NewSelect().Model(&kept).Where("ik.tenant_id = ?", r.TenantID).Where("ik.key = ?", r.Key), &kept)
		if err != nil || !kept.CreatedAt.Before(since) {
			return err
		}
		if err := tx.dropRequests(ctx, []KeyedRequest{kept}, map[string]int{kept.TenantID: len(kept.Sealed)}); err != nil {
			return err
		}
		kept, claimed = KeyedRequest{}, true
		return tx.write(ctx, tx.NewInsert().Model(&r).Value("lease_until", "?", db.leaseEnd(lease)))
	})
	if errors.Is(err, sql.ErrNoRows) {
		return kept, false, nil // it was deleted in between
	}
	return kept, claimed, err
}

// TakeOverRequest gives a request without a response, whose lease has expired,
// to another holder. ok is false if its holder still works on it, a concurrent retry was
// faster, or its fingerprint isn't the one that was read any more.
func (db *DB) TakeOverRequest(ctx context.Context, r KeyedRequest, holder string, lease time.Duration) (ok bool, err error) {
	n, err := db.write.Exec(ctx, db.NewUpdate().Model(&r).Set("holder = ?", holder).Set("lease_until = ?", db.leaseEnd(lease)).WherePK().
		Where("holder = ?", r.Holder).Where("fingerprint = ?", r.Fingerprint).Where("sealed IS NULL").Where(db.lapsed("lease_until", 0)))
	return n == 1, err
}

// RenewRequest restarts the lease of a request that its holder still works on.
func (db *DB) RenewRequest(ctx context.Context, r KeyedRequest, lease time.Duration) error {
	_, err := db.write.Exec(ctx, db.NewUpdate().Model(&r).Set("lease_until = ?", db.leaseEnd(lease)).WherePK().
		Where("holder = ?", r.Holder).Where("sealed IS NULL"))
	return err
}

// SmallResponse is how long a stored response may be, in bytes, that isn't counted.
const SmallResponse = 4 << 10

// counterStored counts the bytes of a tenant's stored responses that aren't small.
const counterStored = "kept_responses"

// CompleteRequest stores the response of a request that its holder worked on, in place of the
// results of its steps. kept is false if the response isn't small, and the tenant would then
// have more than most bytes stored.
func (db *DB) CompleteRequest(ctx context.Context, r KeyedRequest, sealed string, most int) (kept bool, err error) {
	err = db.Tx(ctx, func(tx Tx) error {
		counted := map[counterRow]int{}
		if len(sealed) > SmallResponse {
			used, err := tx.keptBytes(ctx, r.TenantID, r.Key)
			if kept = len(sealed) <= most-used; err != nil || !kept {
				return err
			}
			counted[counterRow{TenantID: r.TenantID, Name: counterStored}] = len(sealed)
		}
		kept = true
		n, err := tx.changed(ctx, tx.NewUpdate().Model(&r).Set("sealed = ?", sealed).Set("fingerprint = ?", r.Fingerprint).
			Set("lease_until = NULL").WherePK().Where("holder = ?", r.Holder).Where("sealed IS NULL"))
		if err != nil || n == 0 {
			return err // another holder has taken it over
		}
		if err := tx.write(ctx, tx.NewDelete().Model((*keyedResultRow)(nil)).Where("tenant_id = ?", r.TenantID).Where("key = ?", r.Key)); err != nil {
			return err
		}
		return tx.addCounters(ctx, counted)
	})
	return kept, err
}

// keptBytes returns the bytes that are stored of a tenant's requests, but for one: those of
// responses that aren't small, and of the results of requests without a response.
func (tx Tx) keptBytes(ctx context.Context, tenantID, except string) (int, error) {
	var responses, results []int
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*counterRow)(nil)).Column("n").Where("c.tenant_id = ?", tenantID).Where("c.name = 'kept_responses'"), &responses)
	if err != nil {
		return 0, err
	}
	err = database.Scan(ctx, tx.on, tx.NewSelect().Model((*keyedResultRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(octet_length(ir.sealed)), 0) AS bigint)").
		Join("JOIN idempotency_keys AS ik ON ik.tenant_id = ir.tenant_id AND ik.key = ir.key").
		Where("ir.tenant_id = ?", tenantID).Where("ir.key <> ?", except).Where("ik.sealed IS NULL"), &results)
	return sum(responses) + sum(results), err
}

func sum(list []int) (n int) {
	for _, each := range list {
		n += each
	}
	return n
}

// ReleaseRequest gives up a request without a response. It is deleted unless it changed
// something. kept is false if the results of its steps are more than the tenant may have:
// if it would have more than most bytes stored.
func (db *DB) ReleaseRequest(ctx context.Context, r KeyedRequest, most int) (kept bool, err error) {
	err = db.Tx(ctx, func(tx Tx) error {
		kept = true
		n, err := tx.changed(ctx, tx.NewUpdate().Model(&r).Set("lease_until = NULL").WherePK().
			Where("holder = ?", r.Holder).Where("sealed IS NULL"))
		if err != nil || n == 0 {
			return err // another holder has taken it over
		}
		n, err = tx.changed(ctx, tx.NewDelete().Model(&r).WherePK().
			Where("NOT EXISTS (SELECT 1 FROM idempotency_results x WHERE x.tenant_id = ik.tenant_id AND x.key = ik.key)"))
		if err != nil || n == 1 {
			return err
		}
		used, err := tx.keptBytes(ctx, r.TenantID, "")
		kept = used <= most
		return err
	})
	return kept, err
}

// StoredResult returns the stored result of a step of a request; ok is false if
// the step hasn't been done.
func (db *DB) StoredResult(ctx context.Context, r KeyedRequest, step int) (sealed string, ok bool, err error) {
	return findOne(ctx, db.write, db.NewSelect().Where("ir.tenant_id = ?", r.TenantID).Where("ir.key = ?", r.Key).Where("ir.step = ?", database.Int(step)), func(r keyedResultRow) string { return r.Sealed })
}

// StoreResult stores the result of a step of a request, in the transaction of
// its changes. Errors: ErrLost if another holder has taken the request over.
func (tx Tx) StoreResult(ctx context.Context, r KeyedRequest, step int, sealed string) error {
	hold := tx.NewUpdate().Model(&r).Set("fingerprint = ?", r.Fingerprint).WherePK().Where("holder = ?", r.Holder).Where("sealed IS NULL")
	if err := tx.must(ctx, hold, 1, ErrLost); err != nil {
		return err
	}
	row := keyedResultRow{TenantID: r.TenantID, Key: r.Key, Step: step, Sealed: sealed}
	return tx.write(ctx, tx.NewInsert().Model(&row))
}

// DropRequests deletes up to limit requests from before a time, and returns
// their number.
func (tx Tx) DropRequests(ctx context.Context, before time.Time, limit int) (int, error) {
	var found []struct {
		TenantID, Key string
		Size          int
	}
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*KeyedRequest)(nil)).Column("tenant_id", "key").ColumnExpr("COALESCE(length(ik.sealed), 0) AS size").
		Where("ik.created_at < ?", before).OrderExpr("ik.created_at").Limit(int64(limit)), &found)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	rows, sizes := make([]KeyedRequest, len(found)), map[string]int{}
	for i, f := range found {
		rows[i] = KeyedRequest{TenantID: f.TenantID, Key: f.Key}
		if f.Size > SmallResponse {
			sizes[f.TenantID] += f.Size
		}
	}
	return len(rows), tx.dropRequests(ctx, rows, sizes)
}

// dropRequests deletes requests, whose responses that aren't small have so many bytes, by
// tenant.
func (tx Tx) dropRequests(ctx context.Context, rows []KeyedRequest, sizes map[string]int) error {
	freed := map[counterRow]int{}
	for tenantID, n := range sizes {
		freed[counterRow{TenantID: tenantID, Name: counterStored}] = -n
	}
	if err := tx.write(ctx, tx.NewDelete().Model(&rows).WherePK()); err != nil {
		return err
	}
	return tx.addCounters(ctx, freed)
}
