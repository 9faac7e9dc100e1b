package store

import (
	"context"
)

// textsVersion is the migration before which content_texts is made and filled.
const textsVersion = 58

// indexPosts makes the table that searches of posts read, fills it and indexes it.
func (db *DB) indexPosts(ctx context.Context) error {
	own := db.base.SQL()
	for _, s := range db.dialect.makeTexts() {
		if _, err := own.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	if err := db.fillTexts(ctx); err != nil {
		return err
	}
	for _, s := range db.dialect.indexTexts() {
		if _, err := own.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// Postgres indexes lists of numbers itself. pg_trgm isn't used: it is an extension, finds no
// words of two characters, which most Chinese ones are, and no emoji, and what it finds depends on
// the database's locale: with C neither Chinese nor another case of ü.

func (postgresDialect) makeTexts() []string {
	return []string{`CREATE TABLE IF NOT EXISTS content_texts (
		content_id text PRIMARY KEY REFERENCES contents (id) ON DELETE CASCADE,
		tenant_id  text NOT NULL,
		folded     text NOT NULL,
		grams      integer[] NOT NULL
	)`}
}

func (postgresDialect) indexTexts() []string {
	return []string{"CREATE INDEX IF NOT EXISTS content_texts_grams ON content_texts USING gin (grams)"}
}

// SQLite's index is a table of its own, which triggers keep: content_texts' rows are also
// deleted with their posts. Its rows are known by number, since VACUUM gives others to rows
// that have none.
func (*sqliteDialect) makeTexts() []string {
	return []string{`CREATE TABLE IF NOT EXISTS content_texts (
		number     integer PRIMARY KEY,
		content_id text NOT NULL UNIQUE REFERENCES contents (id) ON DELETE CASCADE,
		tenant_id  text NOT NULL,
		folded     text NOT NULL,
		grams      text NOT NULL
	)`,
		`CREATE VIRTUAL TABLE IF NOT EXISTS content_grams USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
		`CREATE TRIGGER IF NOT EXISTS content_texts_added AFTER INSERT ON content_texts BEGIN
			INSERT INTO content_grams (rowid, grams) VALUES (NEW.number, NEW.grams);
		END`,
		`CREATE TRIGGER IF NOT EXISTS content_texts_changed AFTER UPDATE ON content_texts BEGIN
			INSERT OR REPLACE INTO content_grams (rowid, grams) VALUES (NEW.number, NEW.grams);
		END`,
		`CREATE TRIGGER IF NOT EXISTS content_texts_deleted AFTER DELETE ON content_texts BEGIN
			DELETE FROM content_grams WHERE rowid = OLD.number;
		END`,
	}
}

func (*sqliteDialect) indexTexts() []string { return nil }
