package testkit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"missiond/internal/database"
	"missiond/internal/testkit/await"
	"missiond/store"
)

// sqliteTemplate is the file of a migrated SQLite database, which tests copy.
var sqliteTemplate = sync.OnceValues(func() (file []byte, err error) {
	folder, err := os.MkdirTemp("", "missiond-template-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "template.db")
	db, err := store.OpenSQLite(path, store.Options{Database: database.Options{Unsynced: true}})
	if err != nil {
		return nil, err
	}
	ctx, cancel := await.Context()
	defer cancel()
	if err := errors.Join(db.Migrate(ctx), db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

const (
	// templatePrefix begins the names of the Postgres databases that tests copy;
	// the digest of the migrations follows.
	templatePrefix = "missiond_template_"
	// templateLock is the advisory lock of whoever makes one.
	templateLock = 0x6d697373
)

// makeTemplate makes a migrated database on the server, unless there is one. The
// first test of a schema makes it, whatever package it is in, and drops old ones of
// other schemas; it stays for later runs.
func makeTemplate(ctx context.Context, conn *sql.Conn, address, name string) (err error) {
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return err
	}
	defer func() {
		_, unlockErr := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", templateLock)
		err = errors.Join(err, unlockErr)
	}()
	var done bool
	err = conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)", name).Scan(&done)
	if err != nil || done {
		return err
	}
	if err := dropTemplates(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return err
	}
	db, err := store.OpenPostgres(named(address, name), store.Options{})
	if err != nil {
		return err
	}
	if err := errors.Join(db.Migrate(ctx), db.Close()); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "ALTER DATABASE "+name+" IS_TEMPLATE true")
	return err
}

// keptTemplates is how many other schemas keep theirs, for the tests of another checkout.
const keptTemplates = 3

// dropTemplates drops the templates of all but the latest schemas, and those that weren't
// finished.
func dropTemplates(ctx context.Context, conn *sql.Conn) error {
	var names string
	err := conn.QueryRowContext(ctx, `SELECT coalesce(string_agg(datname, ' '), '') FROM pg_database WHERE starts_with(datname, $1)
		AND (NOT datistemplate OR oid NOT IN (SELECT oid FROM pg_database WHERE starts_with(datname, $1) AND datistemplate ORDER BY oid DESC LIMIT $2))`,
		templatePrefix, keptTemplates).Scan(&names)
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(names) {
		for _, q := range []string{"ALTER DATABASE " + name + " IS_TEMPLATE false", "DROP DATABASE " + name + " WITH (FORCE)"} {
			if _, err := conn.ExecContext(ctx, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// schemaDigest is a digest of the store's migrations, those in Go included.
var schemaDigest = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(root, "store")
	files, err := filepath.Glob(filepath.Join(folder, "migrations", "*.sql"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("no migrations in %s: %w", folder, err)
	}
	inGo, err := filepath.Glob(filepath.Join(folder, "migrate*.go"))
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, file := range append(files, inGo...) {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(h, "%d:", len(text))
		_, _ = h.Write(text)
	}
	const digits = 16
	return hex.EncodeToString(h.Sum(nil))[:digits], nil
})

// moduleRoot returns the folder of the module that the test belongs to. Tests
// run in their package's folder; a path in the program itself may be cut by
// -trimpath.
func moduleRoot() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("no go.mod above the working folder")
		}
		folder = parent
	}
}
