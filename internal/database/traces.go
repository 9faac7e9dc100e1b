package database

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/tracing"
)

// Bounds of what a span says of its statements, in bytes.
const (
	maxSummary = 255
	maxText    = 4 << 10
)

// traceStatements begins the span of statements that are sent together, if ctx has a span:
// those of background loops aren't traced. read is nil if there is none. Call endStatements.
func traceStatements(ctx context.Context, system string, writes []*Write, read *statement) (context.Context, trace.Span) {
	ctx, span := tracing.Start(ctx, "statements", trace.SpanKindClient)
	if !span.IsRecording() {
		return ctx, span
	}
	texts := make([]string, 0, len(writes)+1)
	for _, w := range writes {
		texts = append(texts, w.text)
	}
	if read != nil {
		texts = append(texts, read.text)
	}
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
// and their texts, without the quotes of names.
func describeStatements(texts []string) (summary, text string) {
	var all []string
	var last string
	for _, t := range texts {
		part := summaryOf(t)
		if part != last && (len(texts) == 1 || part != "BEGIN" && part != "COMMIT") {
			all = append(all, part)
			last = part
		}
	}
	if len(all) == 0 {
		all = append(all, "COMMIT")
	}
	return clipped(strings.Join(all, "; "), maxSummary), strings.ReplaceAll(clipped(strings.Join(texts, "; "), maxText), `"`, "")
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
