package database

import (
	"path/filepath"
	"testing"
)

// What was committed survives the end of the machine: a COMMIT waits for the disk.
func TestCommitsAreSynced(t *testing.T) {
	t.Parallel()
	for _, unsynced := range []bool{false, true} {
		db, err := OpenSQLite(filepath.Join(t.TempDir(), "f"), Options{Unsynced: unsynced})
		if err != nil {
			t.Fatal(err)
		}
		var got int
		row := db.Writes.from.(*sqlitePool).QueryRowContext(t.Context(), "PRAGMA synchronous")
		if err := row.Scan(&got); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 2, true: 0}[unsynced]; got != want { // FULL and OFF
			t.Errorf("synchronous is %d, want %d", got, want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
