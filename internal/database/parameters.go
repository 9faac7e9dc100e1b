package database

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// parameters returns the parameters of a postgres:// URL, which names several
// hosts perhaps and then isn't one that net/url parses.
func parameters(address string) url.Values {
	_, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query) // pgx has parsed it
	return values
}

// errURL is the error of a URL that can't be read. It has none of its parts, for any may
// be a password's that isn't encoded.
var errURL = errors.New("the database's URL can't be read: it must be postgres://user:password@host:5432/name, " +
	"with @ : / ? # [ ] % and spaces in the user and password encoded (@ is %40)")

// readURL reads a database's URL. Errors: errURL; one that says what is wrong with the
// URL's parameters for TLS.
func readURL(address string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		cause := errors.Unwrap(err)
		if part := (*url.Error)(nil); cause != nil && !errors.As(cause, &part) && strings.Contains(cause.Error(), "ssl") {
			return nil, fmt.Errorf("the database's URL: %w", cause)
		}
		return nil, errURL
	}
	// What follows an @ in a password is taken for the host's name.
	hosts := []string{config.ConnConfig.Host}
	for _, f := range config.ConnConfig.Fallbacks {
		hosts = append(hosts, f.Host)
	}
	if slices.ContainsFunc(hosts, func(h string) bool { return !hostName.MatchString(h) }) {
		return nil, errURL
	}
	return config, nil
}

// hostName matches names, addresses and the folders of sockets.
var hostName = regexp.MustCompile(`^([A-Za-z0-9._:%-]*|[/@].*)$`)

// parameter is a parameter of a session.
type parameter struct {
	name, value string
	// passed reports whether poolers set it for each of their clients, if it is a parameter of
	// the connection's start.
	passed bool
}

// pinned are the parameters that change what is read or written, with the values that
// the service's statements are written for. They prevail over the defaults of the server,
// the database and the role. bun doubles only
// the quotes of a value that it writes into a statement's text: with
// standard_conforming_strings off, or in another encoding, a backslash in it would end its
// string.
//
// Operators' own bounds (statement_timeout, lock_timeout, default_transaction_read_only)
// and their choice of a schema (search_path) aren't among them.
var pinned = []parameter{
	{"standard_conforming_strings", "on", true},
	{"client_encoding", "UTF8", true},
	{"DateStyle", "ISO, MDY", true},
	{"TimeZone", "UTC", true},
	{"IntervalStyle", "postgres", false},
	{"bytea_output", "hex", false},
	{"extra_float_digits", "1", false},
	{"default_transaction_isolation", "read committed", false},
	{"default_transaction_deferrable", "off", false},
	{"transform_null_equals", "off", false},
	{"array_nulls", "on", false},
	{"gin_fuzzy_search_limit", "0", false},
}

// parameterError is the error of a connection through a pooler on which a pinned parameter
// has another value.
type parameterError struct {
	parameter

	got string
}

func (e *parameterError) Error() string {
	if e.passed {
		return fmt.Sprintf("the connection has %s %q; it must be %q: the pooler must pass it on", e.name, e.got, e.value)
	}
	return fmt.Sprintf("the database has %s %q; behind a pooler it must be %q: set it for the role, the database or the server", e.name, e.got, e.value)
}
