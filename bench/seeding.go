package main

import (
	"context"
	"time"

	"missiond/bench/seed"
	"missiond/internal/seal"
	"missiond/mission"
	"missiond/store"
)

// What tenants have besides missions. Nobody listens at the endpoints: a case
// that delivers to them redirects them.
const (
	writerEndpoints = 3
	hooked          = 1 + hundred/perTenant
	runners         = 20
)

// seedAll brings an empty database to what the cases are run on.
func (b *bench) seedAll(ctx context.Context) error {
	b.say("seeding %d missions with %d posts each in %d tenants", b.missions, b.posts, b.tenants)
	started := time.Now()
	b.kept = kept{
		Version: keptVersion, Missions: b.missions, Posts: b.posts, Tenants: b.tenants, Seed: b.options.seed,
		SeededAt: time.Now().UTC(), SecretKeys: seal.NewKey(),
	}
	db, err := store.OpenPostgres(b.url(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	for _, each := range []struct {
		list      *[]tenant
		name      string
		n         int
		endpoints func(i int) int
	}{
		{&b.kept.Readers, "Reader", b.tenants, func(int) int { return 0 }},
		{&b.kept.Writers, "Writer", b.tenants, func(int) int { return writerEndpoints }},
		{&b.kept.Runners, "Runner", runners, func(int) int { return 0 }},
		{&b.kept.Hooked, "Hooked", hooked, func(i int) int {
			if i == 0 {
				return 1
			}
			return perTenant
		}},
	} {
		if *each.list, err = b.makeTenants(ctx, db, each.name, each.n, each.endpoints); err != nil {
			return err
		}
	}
	// What is seeded needn't outlive a power cut before it is all there.
	if err := b.durable(ctx, "off"); err != nil {
		return err
	}
	if err := b.fill(ctx); err != nil {
		return err
	}
	b.say("seeded in %.0f s", time.Since(started).Seconds())
	return b.durable(ctx, "on")
}

func (b *bench) fill(ctx context.Context) error {
	conn, err := b.db.Acquire(ctx)
	if err != nil {
		return err
	}
	// It isn't given back to the pool: its settings are the seeding's.
	taken := conn.Hijack()
	defer func() { _ = taken.Close(context.WithoutCancel(ctx)) }()
	o := seed.Options{Now: mission.Millis(b.kept.SeededAt), Missions: b.missions, Posts: b.posts, Seed: b.options.seed, Say: b.say}
	for _, t := range b.kept.Readers {
		o.Tenants = append(o.Tenants, t.ID)
	}
	return seed.Run(ctx, taken, o)
}

// durable has Postgres wait for the disk, or not.
func (b *bench) durable(ctx context.Context, on string) error {
	for _, name := range []string{"fsync", "full_page_writes"} {
		if _, err := b.db.Exec(ctx, "ALTER SYSTEM SET "+name+" = "+on); err != nil {
			return err
		}
	}
	_, err := b.db.Exec(ctx, "SELECT pg_reload_conf()")
	return err
}
