package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"missiond/internal/database"
	"missiond/mission"
	"missiond/store"
)

// What a metered read returns is counted before it is there, row by row, and the read ends with the meter's error: no later
// row is read. Reads in a transaction, and reads without a meter, go on.
func TestMeteredReads(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		const long = 10_000
		for range 5 {
			f.mission(func(in *mission.CreateInput) { in.Description = new(strings.Repeat("x", long)) })
		}
		tenant, all := f.tenant.ID, store.Page{Limit: 100}
		var taken int64
		rows := 0
		enough := errors.New("enough")
		metered := func(most int) context.Context {
			taken, rows = 0, 0
			return database.Metered(ctx, func(bytes int64) error {
				taken, rows = taken+bytes, rows+1
				if rows > most {
					return enough
				}
				return nil
			})
		}
		list := func(ctx context.Context) (store.Listed[mission.Mission], error) {
			return f.db.Missions(ctx, tenant, store.MissionFilter{}, all)
		}
		found, err := list(metered(100))
		if err != nil || len(found.List) != 5 || taken < 5*long || taken > 6*long+5*4000 {
			t.Errorf("%d missions took %d bytes in %d rows: %v", len(found.List), taken, rows, err)
		}
		if _, err := list(metered(2)); !errors.Is(err, enough) || rows != 3 {
			t.Errorf("a meter that allows two rows saw %d: %v", rows, err)
		}
		err = f.db.Tx(metered(0), func(tx store.Tx) error {
			_, err := tx.LockMission(metered(0), tenant, found.List[0].ID)
			return err
		})
		if err != nil || rows != 0 {
			t.Errorf("a transaction took %d rows: %v", rows, err)
		}
		if found, err := list(database.Metered(metered(0), nil)); err != nil || len(found.List) != 5 {
			t.Errorf("without a meter got %d: %v", len(found.List), err)
		}
	})
}
