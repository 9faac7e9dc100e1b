package store

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	bundialect "github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/schema"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/tracing"
)

// The names of the databases in spans.
const (
	systemPostgres = "postgresql"
	systemSQLite   = "sqlite"
)

// systemOf returns the name of bun's dialect's database.
func systemOf(d schema.Dialect) string {
	if d.Name() == bundialect.PG {
		return systemPostgres
	}
	return systemSQLite
}

// Bounds of what a span says of its statements, in bytes.
const (
	maxSummary = 255
	maxText    = 4 << 10
)

// traceStatements begins the span of statements that are sent together, if ctx has a span:
// those of background loops aren't traced. It lasts until the response, not until its rows
// are read. The batch comes before the others: they aren't one list, which would have to be
// made for nothing without a span. Call endStatements.
func traceStatements(ctx context.Context, system string, batch []string, others ...string) (context.Context, trace.Span) {
	ctx, span := tracing.Start(ctx, "statements", trace.SpanKindClient)
	if !span.IsRecording() {
		return ctx, span
	}
	texts := slices.Concat(batch, others)
	summary, text := describeStatements(texts)
	span.SetName(summary)
	span.SetAttributes(semconv.DBSystemNameKey.String(system), semconv.DBQuerySummary(summary), semconv.DBQueryText(text))
	if len(texts) > 1 {
		span.SetAttributes(semconv.DBOperationBatchSize(len(texts)))
	}
	return ctx, span
}

// endStatements ends a span of statements. The error's text may have values.
func endStatements(span trace.Span, err error) {
	if !span.IsRecording() {
		return
	}
	defer span.End()
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &pg):
		span.SetAttributes(semconv.DBResponseStatusCode(pg.Code))
		tracing.Fail(span, pg.Code)
	case err != nil:
		tracing.Fail(span, semconv.ErrorType(err).Value.AsString())
	}
}

// describeStatements returns what statements do, such as "INSERT missions; INSERT jobs",
// and their texts without values.
func describeStatements(texts []string) (summary, text string) {
	var all []string
	var last string
	safe := make([]string, len(texts))
	for i, t := range texts {
		safe[i] = withoutValues(t)
		part := summaryOf(safe[i])
		if part != last && (len(texts) == 1 || part != "BEGIN" && part != "COMMIT") {
			all = append(all, part)
			last = part
		}
	}
	if len(all) == 0 {
		all = append(all, "COMMIT")
	}
	return clipped(strings.Join(all, "; "), maxSummary), clipped(strings.Join(safe, "; "), maxText)
}

func clipped(s string, most int) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }

// summaryOf returns a statement's verb and its first table.
func summaryOf(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	verb := strings.ToUpper(words[0])
	for i, w := range words[:len(words)-1] {
		switch strings.ToUpper(strings.TrimLeft(w, "(")) {
		case "FROM", "INTO", "UPDATE":
			table := strings.Trim(words[i+1], `"(),;`)
			if strings.HasPrefix(words[i+1], "(") || table == "" { // a subquery
				continue
			}
			return verb + " " + table
		}
	}
	return verb
}

// withoutValues returns a statement with ? in place of each literal, marked or not: bun
// writes values into the text. It knows what occurs in the service's statements: quotes
// that are doubled, no escapes with a backslash, no dollar quotes, no comments.
func withoutValues(text string) string {
	out := make([]byte, 0, min(len(text), maxText))
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == mark:
			i++
		case c == '\'':
			i = quotedEnd(text, i)
			out = addPlaceholder(out)
		case c == '"':
			end := quotedEnd(text, i)
			out = append(out, strings.Trim(text[i:end], `"`)...)
			i = end
		case isSpace(c):
			i = endOf(text, i, isSpace)
			out = append(out, ' ')
		case isDigit(c):
			i = endOf(text, i, func(c byte) bool { return isWord(c) || c == '.' })
			out = addPlaceholder(out)
		case isWord(c):
			end := endOf(text, i, isWord)
			out = append(out, text[i:end]...)
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return strings.TrimSpace(string(out))
}

// addPlaceholder adds ?, unless the list's last element is one: how many there are says
// nothing of what the statement does.
func addPlaceholder(out []byte) []byte {
	if before, ok := bytes.CutSuffix(bytes.TrimRight(out, " -"), []byte("?,")); ok {
		out = before
	}
	return append(out, '?')
}

// endOf returns where the characters from start on end that belong to a class.
func endOf(text string, start int, class func(c byte) bool) int {
	for start < len(text) && class(text[start]) {
		start++
	}
	return start
}

// quotedEnd returns where a literal or an identifier ends that begins with a quote.
func quotedEnd(text string, start int) int {
	quote := text[start]
	for i := start + 1; i < len(text); i++ {
		if text[i] != quote {
			continue
		}
		if i+1 == len(text) || text[i+1] != quote {
			return i + 1
		}
		i++
	}
	return len(text)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether c is part of a name, a keyword or a placeholder's number.
func isWord(c byte) bool {
	return c == '_' || c == '$' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
