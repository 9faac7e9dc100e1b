package rest

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"missiond/internal/admission"
	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/httpserver"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// An export is sent in pieces of pieceBytes, each of which the client must read
// within stallLimit. There is no other time limit.
const (
	pieceBytes = 16 << 10
	stallLimit = 30 * time.Second
)

type exportParams struct {
	Format    string `query:"format" default:"csv" enum:"csv,json,ndjson" doc:"csv: with a header row; json: one array; ndjson: one object per line" example:"csv"`
	MissionID string `query:"mission_id" doc:"Only posts of this mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	From      string `query:"from" doc:"The first day of publication (UTC); unbounded by default" example:"2025-03-01"`
	To        string `query:"to" doc:"The last day of publication (UTC); unbounded by default" example:"2025-03-31"`
}

// registerExport registers the export, whose response huma doesn't write.
func (a *API) registerExport(rt route) {
	op := a.describe(rt)
	row := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[exportedRow](), true, "")
	text := func(about string) *huma.MediaType {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: about}}
	}
	op.Responses["200"] = &huma.Response{
		Description: "Every measurement, ordered by the post's publication, the post and its age. " +
			"If an export fails halfway, the connection is cut.",
		Content: map[string]*huma.MediaType{
			"application/json":     {Schema: &huma.Schema{Type: huma.TypeArray, Items: row}},
			"application/x-ndjson": text("One object of the JSON form per line"),
			"text/csv": text(
				"A header row with the names of the JSON form's fields, and one line per row; figures that aren't reported are empty",
			),
		},
		Headers: map[string]*huma.Param{"Content-Disposition": {
			Description: "Suggests a file name", Schema: &huma.Schema{Type: huma.TypeString},
		}},
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *exportParams) (*huma.StreamResponse, error) {
		p, _ := httpserver.Principal(ctx)
		err := p.Check(rt.operation)
		var export *missions.Export
		if err == nil {
			export, err = a.missions.Export(database.AllowReplica(ctx), p, mission.ReportInput{MissionID: in.MissionID, From: in.From, To: in.To})
		}
		if err != nil {
			return nil, fail(ctx, err)
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			r, w := humago.Unwrap(hc)
			a.stream(w, r, in.Format, export)
		}}, nil
	})
}

// stream writes an export. If it fails halfway, stream cuts the connection, so that
// nobody takes the export for complete, and it doesn't count against the limit.
func (a *API) stream(w http.ResponseWriter, r *http.Request, format string, export *missions.Export) {
	form, ctx := exportForms[format], database.AllowReplica(r.Context())
	admission.Leave(ctx) // it takes as long as the client likes
	name := fmt.Sprintf("missiond-analytics-%s.%s", a.clock.Now().UTC().Format(time.DateOnly), format)
	w.Header().Set("Content-Type", form.contentType)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	read, err := writeExport(ctx, w, form, export)
	if err == nil {
		return
	}
	if read != nil && ctx.Err() == nil { // otherwise the client is gone, or reads no more
		_ = httpserver.Shown(ctx, err) // for the log alone: the response has begun
		p, _ := httpserver.Principal(ctx)
		_ = a.gateway.Limits.TakeOperation(ctx, p, mission.OpAnalyticsExport, -1) // nothing was delivered
	}
	panic(http.ErrAbortHandler)
}

// writeExport writes an export page by page. err is why it ended early; read is the
// same error if reading failed, and nil if writing did.
func writeExport(ctx context.Context, w http.ResponseWriter, form exportForm, export *missions.Export) (read, err error) {
	defer func() {
		if p := recover(); p != nil {
			// Nothing may be added to what has been sent.
			err = fmt.Errorf("panic: %v: %s", p, debug.Stack())
			read = err
		}
	}()
	control := http.NewResponseController(w)
	// An export outlives the server's limit for a request.
	if err := control.SetReadDeadline(time.Time{}); err != nil {
		return err, err
	}
	out := bufio.NewWriterSize(&pieces{w: w, control: control, limit: stallLimit}, pieceBytes)
	rows := form.rows(out)
	if err := rows.open(); err != nil {
		return nil, err
	}
	for {
		page, err := export.Next(ctx)
		if err != nil {
			return err, err
		}
		if len(page) == 0 {
			break
		}
		for _, s := range page {
			if err := writeSeries(rows, s); err != nil {
				return nil, err
			}
		}
		if err := flush(out, control); err != nil {
			return nil, err
		}
		admission.ResponseOf(ctx).Renew() // the next page takes the memory of this one
	}
	if err := rows.end(); err != nil {
		return nil, err
	}
	return nil, flush(out, control)
}

func writeSeries(rows exportWriter, s mission.Series) error {
	for i, m := range s.Points {
		if err := rows.write(newExportedRow(s.Post, m, i == len(s.Points)-1)); err != nil {
			return err
		}
	}
	return nil
}

func flush(out *bufio.Writer, control *http.ResponseController) error {
	if err := out.Flush(); err != nil {
		return err
	}
	return control.Flush()
}

// pieces writes to a client that must read each piece in time.
type pieces struct {
	w       http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

// Write sends a piece. Errors: the connection's, including a timeout if the client
// didn't read it.
func (p *pieces) Write(piece []byte) (int, error) {
	if err := p.control.SetWriteDeadline(clock.Real().Now().Add(p.limit)); err != nil {
		return 0, err
	}
	return p.w.Write(piece)
}
