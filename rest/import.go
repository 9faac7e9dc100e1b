package rest

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"missiond/internal/service/missions"
	"missiond/mission"
)

// importTypes are the media types of an import's body.
var importTypes = map[string]missions.ImportFormat{
	"text/csv": missions.ImportCSV, "text/tab-separated-values": missions.ImportCSV, "application/x-ndjson": missions.ImportNDJSON,
}

type importParams struct {
	RawText
	ContentType string `header:"Content-Type" hidden:"true"`
	DryRun      bool   `query:"dry_run" doc:"Whether the rows are only checked" example:"true"`
	Partial     bool   `query:"partial" doc:"Whether the posts of the rows without a problem are made if others have one" example:"false"`
	MissionID   string `query:"mission_id" doc:"The mission of rows that name none" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
}

type importedRow struct {
	Line      int                         `json:"line" doc:"The row's first line, from 1" example:"2"`
	ContentID *string                     `json:"content_id" doc:"The post; null if none was made" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	Problem   nullable[ValidationProblem] `json:"problem" doc:"Why the post can't be made; null if it can"`
}

type imported struct {
	DryRun  bool          `json:"dry_run" doc:"Whether the rows were only checked" example:"false"`
	Created int           `json:"created" doc:"How many posts were made, or would be" example:"20"`
	Rows    []importedRow `json:"rows" doc:"What became of each row, in their order"`
}

// refusedImport is the body of the error of an import whose rows have problems.
type refusedImport struct {
	Inner ShownError    `json:"error"`
	Rows  []importedRow `json:"rows,omitempty" doc:"What became of each row, in their order; omitted if the body can't be read"`
}

// Error and GetStatus make it one of huma's errors.
func (e *refusedImport) Error() string { return e.Inner.Message }

// GetStatus returns the response's status.
func (*refusedImport) GetStatus() int { return http.StatusBadRequest }

// registerImport registers the import, whose body isn't JSON.
func (a *API) registerImport(rt route) {
	op := a.describe(rt)
	op.MaxBodyBytes = maxImport
	text := func(about, example string) *huma.MediaType {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: about}, Example: example}
	}
	const members = "mission_id, platform, integration_id, text, parts, first_comment and scheduled_at, as for one post"
	const rows = "A header row and a row a post, with the columns " + members +
		"; parts is a JSON array. The charset is utf-8, utf-16 with a byte order mark, windows-1252 or iso-8859-1"
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"text/csv": text(rows, "mission_id,platform,text,scheduled_at\n"+
			"msn_01jnd2x6k8e4rvt0m7y3bqz5ca,mastodon,Version 2.0 is here.,2025-03-03T09:00:00Z\n"),
		"text/tab-separated-values": text(rows, "mission_id\tplatform\ttext\nmsn_01jnd2x6k8e4rvt0m7y3bqz5ca\tmastodon\tVersion 2.0 is here.\n"),
		"application/x-ndjson": text("An object a line, with the members "+members,
			`{"mission_id":"msn_01jnd2x6k8e4rvt0m7y3bqz5ca","platform":"mastodon","text":"Version 2.0 is here."}`+"\n"),
	}}
	schemas := a.huma.OpenAPI().Components.Schemas
	op.Responses["400"] = &huma.Response{
		Description: "The body can't be read; or rows have problems, and no post was made: then with the result of each row",
		Content: map[string]*huma.MediaType{
			"application/json": {Schema: huma.SchemaFromType(schemas, reflect.TypeFor[refusedImport]())},
		},
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *importParams) (*response[imported], error) {
		var refused *refusedImport
		r, err := serve(ctx, rt, func(ctx context.Context, p mission.Principal) (imported, error) {
			mediaType, charset, err := importType(in.ContentType)
			if err != nil {
				return imported{}, err
			}
			data, err := decoded(in.RawBody, charset)
			if err != nil {
				return imported{}, err
			}
			result, err := a.missions.ImportContents(ctx, p, missions.ImportInput{
				Format: importTypes[mediaType], Data: data, MissionID: in.MissionID, DryRun: in.DryRun, Partial: in.Partial,
			})
			shown := showImport(result, in.DryRun)
			if err == nil && !in.DryRun && !in.Partial && result.Problems() > 0 {
				err = result.Refusal()
				refused = &refusedImport{Inner: newEnvelope(ctx, err).Inner, Rows: shown.Rows}
			}
			return shown, err
		})
		if refused != nil {
			return nil, refused
		}
		return r, err
	})
	delete(op.RequestBody.Content, rawBody)
}

func showImport(r missions.ImportResult, dryRun bool) imported {
	shown := imported{DryRun: dryRun, Created: r.Created, Rows: make([]importedRow, len(r.Rows))}
	for i, row := range r.Rows {
		shown.Rows[i] = importedRow{Line: row.Line, ContentID: orNull(row.ContentID)}
		if row.Problem != nil {
			problem := ValidationProblem(*row.Problem)
			shown.Rows[i].Problem.value = &problem
		}
	}
	return shown
}
