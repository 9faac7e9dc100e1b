// Package limit returns what the service returns, written by hand for the case
// alone: net/http and pgx, one round trip to Postgres, no authentication, no
// checks. What the service is measured against is this, in the same run.
package limit

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/internal/jsonwire"
)

// The statements that are more than a line or two.
var (
	//go:embed sql/list.sql
	listQuery string
	//go:embed sql/posts.sql
	postsQuery string
	//go:embed sql/status.sql
	statusStatement string
)

// conns is as many as the service has.
const conns = 20

// Open opens a database for a Handler.
func Open(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = conns
	return pgxpool.NewWithConfig(ctx, config)
}

// server answers. The tenant is the parameter "tenant".
type server struct {
	db  *pgxpool.Pool
	log *slog.Logger
}

// Handler returns the cases: REST's at their own paths, GraphQL's at
// /graphql/list and /graphql/posts.
func Handler(db *pgxpool.Pool, log *slog.Logger) http.Handler {
	s := &server{db: db, log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/missions", s.answer(http.StatusOK, s.list))
	mux.HandleFunc("GET /v1/missions/{id}", s.answer(http.StatusOK, s.read))
	mux.HandleFunc("GET /v1/missions/{id}/status", s.answer(http.StatusOK, s.status))
	mux.HandleFunc("POST /v1/missions", s.answer(http.StatusCreated, s.create))
	mux.HandleFunc("POST /graphql/list", s.answer(http.StatusOK, s.graphQL(listQuery)))
	mux.HandleFunc("POST /graphql/posts", s.answer(http.StatusOK, s.graphQL(postsQuery)))
	return mux
}

// answer writes what fn makes of a request of a tenant.
func (s *server) answer(status int, fn func(r *http.Request, tenant string) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := fn(r, r.URL.Query().Get("tenant"))
		if err != nil {
			s.log.Error("limit", "path", r.URL.Path, "error", err)
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}
}

// graphQL returns what one statement makes, with the cost that the service
// tells beside it.
func (s *server) graphQL(query string) func(r *http.Request, tenant string) ([]byte, error) {
	return func(r *http.Request, tenant string) ([]byte, error) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		var data []byte
		if err := s.db.QueryRow(r.Context(), query, tenant).Scan(&data); err != nil {
			return nil, err
		}
		body := make([]byte, 0, len(data)+100)
		body = append(append(body, `{"data":`...), data...)
		return append(append(body, r.URL.Query().Get("rest")...), '}'), nil
	}
}

// The functions that write JSON append a value, after what stands before it.

func appendText(b []byte, before, s string) []byte {
	b = append(b, before...)
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			text, _ := json.Marshal(s) // a string can be encoded
			return append(b, text...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendTextOrNull(b []byte, before string, s *string) []byte {
	if s == nil {
		return append(append(b, before...), "null"...)
	}
	return appendText(b, before, *s)
}

func appendInt[N int | int64](b []byte, before string, n N) []byte {
	return strconv.AppendInt(append(b, before...), int64(n), 10)
}

func appendTime(b []byte, before string, t time.Time) []byte {
	return append(jsonwire.AppendTime(append(append(b, before...), '"'), t), '"')
}

func appendTimeOrNull(b []byte, before string, t *time.Time) []byte {
	if t == nil {
		return append(append(b, before...), "null"...)
	}
	return appendTime(b, before, *t)
}

// appendCompact appends a list of plain words as Postgres writes it, without
// its spaces.
func appendCompact(b []byte, before, list string) []byte {
	b = append(b, before...)
	for i := range len(list) {
		if list[i] != ' ' {
			b = append(b, list[i])
		}
	}
	return b
}

// Serve serves on an address until ctx ends.
func Serve(ctx context.Context, addr, databaseURL string, log *slog.Logger) error {
	db, err := Open(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	return Listen(ctx, addr, &http.Server{Handler: Handler(db, log), ReadHeaderTimeout: 5 * time.Second})
}

// Listen serves a server on an address until ctx ends.
func Listen(ctx context.Context, addr string, server *http.Server) error {
	server.Addr = addr
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return fmt.Errorf("serve %s: %w", addr, err)
	}
	return nil
}
