package rest

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"io"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/mission"
)

type recordParams struct {
	ContentPath

	Format string `query:"format" default:"json" enum:"json,html" doc:"json, or html for a page to print" example:"json"`
}

// recordPage is a record as a page to print: it needs nothing else, and runs no script.
//
//go:embed record.html
var recordPage string

var recordTemplate = template.Must(template.New("record").Funcs(template.FuncMap{
	"at": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
}).Parse(recordPage))

// registerRecord registers the route of a post's record, whose response huma doesn't write: it has
// two forms.
func (a *API) registerRecord(rt route) {
	op := a.describe(rt)
	record := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[mission.Record](), true, "")
	op.Responses["200"] = &huma.Response{
		Description: http.StatusText(http.StatusOK),
		Content: map[string]*huma.MediaType{
			"application/json": {Schema: record},
			"text/html":        {Schema: &huma.Schema{Type: huma.TypeString, Description: "The same as a page to print, without scripts"}},
		},
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *recordParams) (*huma.StreamResponse, error) {
		p, _ := httpserver.Principal(ctx)
		err := p.Check(rt.operation)
		var r mission.Record
		if err == nil {
			r, err = a.missions.Record(ctx, p, in.ID)
		}
		kind, write := "application/json", func(w io.Writer) error { return jsonwire.Write(w, r) }
		if in.Format == "html" {
			kind, write = "text/html; charset=utf-8", func(w io.Writer) error { return recordTemplate.Execute(w, r) }
		}
		var body bytes.Buffer
		if err == nil {
			err = write(&body)
		}
		if err != nil {
			return nil, fail(ctx, err)
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			_, w := humago.Unwrap(hc)
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
			_, _ = w.Write(body.Bytes()) // the client may be gone
		}}, nil
	})
}
