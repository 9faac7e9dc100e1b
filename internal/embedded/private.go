package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Modes of the data folder and of its database: they contain every tenant's data, and
// belong to one user of the machine.
const (
	folderMode   = 0o700
	databaseMode = 0o600
)

// PrivateDatabase makes a data folder and its database file if they are missing,
// makes them accessible to their owner alone if they aren't, and returns the
// database's path. SQLite gives the files that it makes beside it the same mode.
func PrivateDatabase(folder string) (string, error) {
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return "", fmt.Errorf("make the data folder: %w", err)
	}
	// The mode of somebody else's folder, as /tmp, can't be changed; that of the
	// files can.
	if err := os.Chmod(folder, folderMode); err != nil && !errors.Is(err, fs.ErrPermission) {
		return "", fmt.Errorf("make the data folder private: %w", err)
	}
	path := DatabaseIn(folder)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, databaseMode)
	if err != nil {
		return "", fmt.Errorf("make the database: %w", err)
	}
	if err := f.Close(); err != nil {
		return "", fmt.Errorf("make the database: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("make the database private: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)) {
			continue
		}
		if err := os.Chmod(filepath.Join(folder, e.Name()), databaseMode); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("make the database private: %w", err)
		}
	}
	return path, nil
}
