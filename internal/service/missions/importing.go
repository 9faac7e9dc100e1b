package missions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"missiond/internal/admission"
	"missiond/internal/jsonwire"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// dataParam is the name of what is imported in errors about the whole.
const dataParam = "data"

// ImportFormat is the format of an import.
type ImportFormat string

// The formats of an import.
const (
	ImportCSV    ImportFormat = "csv"
	ImportNDJSON ImportFormat = "ndjson"
)

// Bounds of an import: its rows, and the bytes of one of its lines.
const (
	MaxImport     = 1000
	maxImportLine = 256 << 10
)

// ImportInput is posts to be made.
type ImportInput struct {
	Format ImportFormat
	// Data has a row a post. CSV has a header row with names of NDJSON's members: parts is
	// a JSON array; an empty cell is an absent member.
	Data string
	// MissionID is the mission of rows that name none, or "".
	MissionID string
	// DryRun checks the rows and makes no posts.
	DryRun bool
	// Partial makes the posts of the rows without a problem; else all posts are made or none.
	Partial bool
}

// ImportResult is what became of an import's rows, in their order.
type ImportResult struct {
	// Created is how many posts were made; in a dry run, how many would be.
	Created int
	Rows    []ImportRow
}

// ImportRow is what became of a row.
type ImportRow struct {
	// Line is the row's first line, from 1.
	Line int
	// ContentID is the id of the post; "" if none was made.
	ContentID string
	// Problem is why the post can't be made; nil if it can.
	Problem *Problem
}

// Problems counts the rows that have one.
func (r ImportResult) Problems() (n int) {
	for _, row := range r.Rows {
		if row.Problem != nil {
			n++
		}
	}
	return n
}

// Refusal returns the error of an import that made no post because rows have problems.
func (r ImportResult) Refusal() error {
	for i, row := range r.Rows {
		if row.Problem == nil {
			continue
		}
		where := fmt.Sprintf("line %d", row.Line)
		if row.Problem.Param != "" {
			where += ", " + row.Problem.Param
		}
		return mission.Invalid(fmt.Sprintf("rows[%d]", i), "%d of %d rows have problems, and no post was made. The first is %s: %s",
			r.Problems(), len(r.Rows), where, row.Problem.Message)
	}
	return nil
}

// ImportContents makes posts of rows; see CreateContent. If a row has a problem, no post is
// made unless the import is partial. Errors: invalid_request if the whole can't be read, or
// on mission_id; rate_limit_exceeded.
func (s *API) ImportContents(ctx context.Context, p mission.Principal, in ImportInput) (ImportResult, error) {
	rows, err := s.importedRows(ctx, p, in)
	if err != nil {
		return ImportResult{}, err
	}
	if made, ok, err := idempotency.Earlier[ImportResult](ctx, s.db); ok || err != nil {
		return made, err
	}
	result, texts, err := s.tryImport(ctx, p, rows)
	if err != nil {
		return result, err
	}
	refused := func() bool { return result.Created < len(rows) && !in.Partial }
	if !in.DryRun && !refused() {
		result, err = idempotency.Once(ctx, s.db, func(tx store.Tx) (ImportResult, error) {
			var err error
			if result, err = s.importIn(ctx, tx, p, rows, texts); err == nil && refused() { // since then
				err = errUnmade
			}
			return result, err
		})
		if !errors.Is(err, errUnmade) {
			return result, err
		}
	}
	idempotency.RequestOf(ctx).Transient() // a retry changes nothing either
	for i := range result.Rows {
		result.Rows[i].ContentID = ""
	}
	if !in.DryRun {
		result.Created = 0
	}
	return result, nil
}

// importedRows reads the rows of an import, weighs them and checks each by itself. Errors:
// those of ImportContents.
func (s *API) importedRows(ctx context.Context, p mission.Principal, in ImportInput) ([]importedRow, error) {
	if in.MissionID != "" {
		if _, err := s.Mission(ctx, p, in.MissionID); mission.CodeOf(err) == mission.CodeNotFound {
			return nil, noMission(in.MissionID)
		} else if err != nil {
			return nil, err
		}
	}
	rows, err := in.read()
	if err != nil {
		return nil, err
	}
	if err := admission.Weigh(ctx, mission.OpContentImport, len(rows)); err != nil {
		return nil, err
	}
	for i := range rows {
		if rows[i].problem == nil {
			rows[i].problem = rows[i].post.check()
		}
	}
	return rows, nil
}

// errUnmade rolls an import back whose rows have problems.
var errUnmade = errors.New("the posts are not to be made")

// tryImport returns what would become of an import's rows, and their texts, checked. It
// writes nothing, and no transaction waits for the texts.
func (s *API) tryImport(
	ctx context.Context, p mission.Principal, rows []importedRow,
) (result ImportResult, texts *checkedTexts, err error) {
	posts, _ := postsOf(rows)
	latest, err := s.latestOn(ctx, p.TenantID, posts)
	if err != nil {
		return result, nil, err
	}
	texts = &checkedTexts{latest: latest, of: map[int]*checkedText{}, gathering: true}
	try := func(tx store.Tx) error {
		result, err = s.importIn(ctx, tx, p, rows, texts)
		return err
	}
	if err := s.db.View(ctx, try); err != nil {
		return result, texts, err
	}
	if err := texts.check(ctx, posts); err != nil {
		return result, texts, err
	}
	err = s.db.View(ctx, try)
	return result, texts, err
}

// postsOf returns the posts of the rows without a problem, and their rows' indexes.
func postsOf(rows []importedRow) (posts []ContentInput, of []int) {
	for i, row := range rows {
		if row.problem == nil {
			posts, of = append(posts, row.post), append(of, i)
		}
	}
	return posts, of
}

// importIn makes the posts of the rows without a problem in a transaction, and returns what
// became of all; in one that only reads, what would. texts are those of the posts, by their
// indexes.
func (s *API) importIn(
	ctx context.Context, tx store.Tx, p mission.Principal, rows []importedRow, texts *checkedTexts,
) (ImportResult, error) {
	result := ImportResult{Rows: make([]ImportRow, len(rows))}
	problems := make([]error, len(rows))
	for i, row := range rows {
		result.Rows[i].Line, problems[i] = row.line, row.problem
	}
	posts, of := postsOf(rows)
	made, refused, err := s.post(ctx, tx, p, posts, texts)
	if err != nil {
		return result, err
	}
	for n, i := range of {
		problems[i] = refused[n]
		if refused[n] == nil {
			result.Created++
			result.Rows[i].ContentID = made[n].ID
		}
	}
	for i, problem := range problems {
		if result.Rows[i].Problem, err = problemOf(problem); err != nil {
			return result, err
		}
	}
	return result, nil
}

// problemOf returns the problem that a caller's error is, nil for nil; other errors it
// returns.
func problemOf(err error) (*Problem, error) {
	if err == nil {
		return nil, nil
	}
	var m *mission.Error
	if !errors.As(err, &m) || m.Code == mission.CodeInternal {
		return nil, err
	}
	return &Problem{Param: m.Param, Message: m.Message}, nil
}

// importedRow is a row of an import.
type importedRow struct {
	line    int
	post    ContentInput
	problem error // invalid_request
}

// read returns the import's rows, each with what is wrong with it alone. Errors:
// invalid_request if the whole can't be read.
func (in ImportInput) read() (rows []importedRow, err error) {
	text := strings.ReplaceAll(in.Data, "\uFEFF", "") // in the middle, too, where files were joined
	if !utf8.ValidString(text) {
		return nil, mission.Invalid(dataParam, "The text is not valid UTF-8. Save the file as CSV UTF-8, "+
			"or name its charset in the Content-Type, as in text/csv; charset=windows-1252.")
	}
	for line := range strings.Lines(text) {
		if len(line) > maxImportLine {
			return nil, mission.Invalid(dataParam, "A line has more than %d KiB.", maxImportLine>>10)
		}
	}
	switch in.Format {
	case ImportCSV:
		rows, err = readCSV(text)
	case ImportNDJSON:
		rows, err = readNDJSON(text)
	default:
		return nil, mission.Invalid("format", "Unknown format %q.", in.Format)
	}
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, mission.Invalid(dataParam, "There are no rows.")
	}
	for i := range rows {
		if rows[i].post.MissionID == "" {
			rows[i].post.MissionID = in.MissionID
		}
	}
	return rows, nil
}

func tooManyRows() error {
	return mission.Invalid(dataParam, "At most %d rows are allowed.", MaxImport)
}

// importMember is a row of NDJSON.
type importMember struct {
	MissionID     string           `json:"mission_id"`
	Platform      mission.Platform `json:"platform"`
	IntegrationID *string          `json:"integration_id" nullable:"true"`
	Text          *string          `json:"text" nullable:"true"`
	Parts         []string         `json:"parts"`
	FirstComment  *string          `json:"first_comment" nullable:"true"`
	ScheduledAt   *time.Time       `json:"scheduled_at" nullable:"true"`
}

func readNDJSON(text string) (rows []importedRow, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(rows) == MaxImport {
			return nil, tooManyRows()
		}
		var m importMember
		row := importedRow{line: n, problem: jsonwire.Read([]byte(line), &m)}
		row.post = ContentInput{
			MissionID: m.MissionID, Platform: m.Platform, IntegrationID: m.IntegrationID, Text: m.Text, Parts: m.Parts,
			FirstComment: m.FirstComment, ScheduledAt: m.ScheduledAt,
		}
		rows = append(rows, row)
	}
	return rows, nil
}
