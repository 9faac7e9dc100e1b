package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/store"
)

// TryWrite leaves nothing behind, and fails where nothing can be written.
func TestTryWrite(t *testing.T) {
	t.Parallel()
	for name, open := range testkit.Both() {
		t.Run(name, func(t *testing.T) {
			db := open(t, store.Options{})
			for range 3 {
				if err := db.TryWrite(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			// A transaction that is left open would block, or be blocked.
			if err := db.Tx(t.Context(), func(tx store.Tx) error { return tx.LockSettings(t.Context()) }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestTryWriteOnAReadOnlyServer(t *testing.T) {
	t.Parallel()
	db, err := store.OpenPostgres(testkit.MigratedURL(t)+"&default_transaction_read_only=on", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.TryWrite(t.Context()); !database.Unavailable(err) || database.Cause(err) != "read-only" {
		t.Errorf("got %v, whose cause is %q", err, database.Cause(err))
	}
}

// smallDisk returns a folder on a disk of its own, of so many MiB. It needs root.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "mode=0755,size="+size); err != nil {
		t.Skipf("SKIPPED: a small disk can't be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

// fillDisk writes a file until the disk is full.
func fillDisk(t *testing.T, folder string) {
	t.Helper()
	f, err := os.Create(filepath.Join(folder, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	block := []byte(strings.Repeat("x", 4096))
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

func TestTryWriteOnAFullDisk(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		folder := smallDisk(t, "16m")
		db, err := store.OpenSQLite(filepath.Join(folder, "missiond.db"), store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		tryFull(t, db, folder, 10_000)
	})
	t.Run("postgres", func(t *testing.T) {
		folder := smallDisk(t, "256m")
		server, err := servers.StartPostgres(t.Context(), folder, "fsync=off", "max_wal_size=64MB")
		if err != nil {
			t.Fatal(err)
		}
		defer server.Stop()
		db, err := store.OpenPostgres(server.URL("postgres"), store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		tryFull(t, db, folder, 0)
	})
}

func tryFull(t *testing.T, db *store.DB, folder string, writes int) {
	t.Helper()
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.TryWrite(t.Context()); err != nil {
		t.Errorf("with room on the disk: %v", err)
	}
	fillDisk(t, folder)
	// SQLite's log may have room for some writes.
	for err := error(nil); err == nil && writes > 0; writes-- {
		err = db.Tx(t.Context(), func(tx store.Tx) error {
			return tx.SetDevClock(t.Context(), store.DevClock{SeenReal: time.Now()})
		})
	}
	if err := db.TryWrite(t.Context()); !database.Unavailable(err) {
		t.Errorf("on the full disk: got %v", err)
	}
	if err := os.Remove(filepath.Join(folder, "filler")); err != nil {
		t.Fatal(err)
	}
	if err := db.TryWrite(t.Context()); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
