package testkit

import (
	"context"
	"database/sql"
	"testing"
)

// Trouble is what befalls a Postgres database that its server keeps up.
type Trouble struct {
	t     testing.TB
	admin *sql.DB
	name  string
}

// NewTrouble returns the trouble of a database of PostgresURL.
func NewTrouble(t testing.TB, url string) *Trouble {
	t.Helper()
	admin, _ := postgresServer(t)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	tr := &Trouble{t: t, admin: admin}
	if err := db.QueryRowContext(context.Background(), "SELECT current_database()").Scan(&tr.name); err != nil {
		t.Fatal(err)
	}
	return tr
}

// Set gives the database a setting of its own, as in statement_timeout and 30ms,
// from its next connections on, and ends those that it has.
func (tr *Trouble) Set(setting, value string) {
	tr.exec("ALTER DATABASE " + tr.name + " SET " + setting + " = '" + value + "'")
	tr.exec(endConnections, tr.name)
}

// Reset takes a setting back, and ends all connections.
func (tr *Trouble) Reset(setting string) {
	tr.exec("ALTER DATABASE " + tr.name + " RESET " + setting)
	tr.exec(endConnections, tr.name)
}

// CancelAll cancels every statement that runs on the database.
func (tr *Trouble) CancelAll() {
	tr.exec("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND state = 'active'", tr.name)
}

func (tr *Trouble) exec(query string, args ...any) {
	tr.t.Helper()
	if _, err := tr.admin.ExecContext(context.Background(), query, args...); err != nil {
		tr.t.Errorf("make trouble: %v", err)
	}
}
