package store

import (
	"io/fs"
	"path/filepath"
	"testing"
)

// Every migration since the one that created the floor says whether the version before
// runs on it, and why.
func TestMigrationsSayWhetherCompatible(t *testing.T) {
	db, err := OpenSQLite(filepath.Join(t.TempDir(), "m.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	list, err := db.known()
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, m := range list {
		if _, ok := inGo[m.Version]; m.Version < floorVersion || ok { // inGo says it
			continue
		}
		text, err := fs.ReadFile(migrations, "migrations/"+m.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := compatible(string(text)); !ok {
			t.Errorf(`%s has no line "-- compatible: yes, WHY" or "-- compatible: no, WHY" before its statements`, m.Name)
		}
		said++
	}
	if said == 0 {
		t.Error("no migration was looked at")
	}
}

func TestCompatible(t *testing.T) {
	for text, want := range map[string][2]bool{
		"-- compatible: yes, it adds an index.\n-- +goose Up\n":               {true, true},
		"-- A column.\n-- compatible: no, it drops a column.\n-- +goose Up\n": {false, true},
		"-- compatible: yes\n-- +goose Up\n":                                  {false, false},
		"-- +goose Up\n-- compatible: yes, too late.\n":                       {false, false},
		"-- compatible: perhaps, who knows\n-- +goose Up\n":                   {false, false},
	} {
		if yes, ok := compatible(text); yes != want[0] || ok != want[1] {
			t.Errorf("compatible(%q) = %v, %v, want %v", text, yes, ok, want)
		}
	}
}

func TestFloorIsTheLastIncompatibleMigration(t *testing.T) {
	s := schemaState{migrations: []Migration{{Version: 3}, {Version: 4, Compatible: true}, {Version: 5}, {Version: 6, Compatible: true}}}
	if got := s.needs(); got != 5 {
		t.Errorf("the floor is %d, want 5", got)
	}
}
