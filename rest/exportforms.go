package rest

import (
	"bufio"
	"encoding/csv"
	"strconv"
	"time"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

// exportedRow is a measurement of a post.
type exportedRow struct {
	ContentID   string           `json:"content_id" doc:"The post" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	MissionID   string           `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Platform    mission.Platform `json:"platform" doc:"The platform" example:"twitter"`
	Type        mission.Format   `json:"type" doc:"The post's format" example:"post"`
	Angle       *mission.Angle   `json:"angle" doc:"How the post approaches its subject; null if a person made it" example:"how_to"`
	PublishedAt time.Time        `json:"published_at" doc:"When it was published"`
	MeasuredAt  time.Time        `json:"measured_at" doc:"When the post was measured"`
	AgeSeconds  int64            `json:"age_seconds" doc:"How old the post was, in seconds" example:"3600"`
	Latest      bool             `json:"latest" doc:"Whether it is the post's newest measurement" example:"true"`

	// The figures; nil is one that wasn't reported.
	EngagementRate  *float64 `json:"engagement_rate,omitempty" doc:"Likes, comments and shares per hundred impressions; omitted if not reported" example:"3.71"`
	Impressions     *float64 `json:"impressions,omitempty" doc:"How many times it was shown; omitted if not reported" example:"1240"`
	Clicks          *float64 `json:"clicks,omitempty" doc:"Clicks on it; omitted if not reported" example:"12"`
	LinkClicks      *float64 `json:"link_clicks,omitempty" doc:"Clicks on its links; omitted if not reported" example:"9"`
	Likes           *float64 `json:"likes,omitempty" doc:"Omitted if not reported" example:"37"`
	Comments        *float64 `json:"comments,omitempty" doc:"Omitted if not reported" example:"4"`
	Shares          *float64 `json:"shares,omitempty" doc:"Omitted if not reported" example:"5"`
	FollowersGained *float64 `json:"followers_gained,omitempty" doc:"Omitted if not reported" example:"2"`
	Reach           *float64 `json:"reach,omitempty" doc:"How many people saw it; omitted if not reported" example:"980"`
	Views           *float64 `json:"views,omitempty" doc:"How many times it was viewed, which some platforms count instead of impressions; omitted if not reported" example:"1520"`
}

func newExportedRow(c mission.Content, m mission.Measurement, latest bool) exportedRow {
	of := func(metric mission.Metric) *float64 {
		if v, ok := m.Metrics[metric]; ok {
			return &v
		}
		return nil
	}
	return exportedRow{
		ContentID: c.ID, MissionID: c.MissionID, Platform: c.Platform, Type: c.Format, Angle: orNull(c.Angle),
		PublishedAt: m.PublishedAt, MeasuredAt: m.At, AgeSeconds: int64(m.Age() / time.Second), Latest: latest,
		EngagementRate: of(mission.EngagementRate), Impressions: of(mission.Impressions), Clicks: of(mission.Clicks),
		LinkClicks: of(mission.LinkClicks), Likes: of(mission.Likes), Comments: of(mission.Comments), Shares: of(mission.Shares),
		FollowersGained: of(mission.FollowersGained), Reach: of(mission.Reach), Views: of(mission.Views),
	}
}

// exportHead is the names of the columns, which are those of the JSON form's
// fields.
var exportHead = []string{
	"content_id", "mission_id", "platform", "type", "angle", "published_at", "measured_at", "age_seconds", "latest",
	"engagement_rate", "impressions", "clicks", "link_clicks", "likes", "comments", "shares", "followers_gained", "reach", "views",
}

func (r exportedRow) record() []string {
	angle := ""
	if r.Angle != nil {
		angle = string(*r.Angle)
	}
	record := []string{
		r.ContentID, r.MissionID, string(r.Platform), string(r.Type), angle, r.PublishedAt.UTC().Format(jsonwire.TimeFormat),
		r.MeasuredAt.UTC().Format(jsonwire.TimeFormat), strconv.FormatInt(r.AgeSeconds, 10), strconv.FormatBool(r.Latest),
	}
	for _, v := range []*float64{
		r.EngagementRate, r.Impressions, r.Clicks, r.LinkClicks, r.Likes, r.Comments, r.Shares, r.FollowersGained, r.Reach, r.Views,
	} {
		text := ""
		if v != nil {
			text = strconv.FormatFloat(*v, 'f', -1, 64)
		}
		record = append(record, text)
	}
	return record
}

// exportForm is a format of the export.
type exportForm struct {
	contentType string
	rows        func(out *bufio.Writer) exportWriter
}

var exportForms = map[string]exportForm{
	"csv": {"text/csv; charset=utf-8", func(out *bufio.Writer) exportWriter { return csvRows{csv.NewWriter(out)} }},
	"json": {"application/json", func(out *bufio.Writer) exportWriter {
		return &jsonRows{out: out, before: "[\n", between: ",\n", after: "\n]\n", empty: "[]\n"}
	}},
	"ndjson": {"application/x-ndjson", func(out *bufio.Writer) exportWriter { return &jsonRows{out: out, between: "\n", after: "\n"} }},
}

// exportWriter writes an export's rows, between open and end.
type exportWriter interface {
	open() error
	write(r exportedRow) error
	end() error
}

// csvRows has no buffer besides the writer's own, which is at least as large as
// bufio's.
type csvRows struct{ w *csv.Writer }

func (c csvRows) open() error               { return c.w.Write(exportHead) }
func (c csvRows) write(r exportedRow) error { return c.w.Write(r.record()) }
func (c csvRows) end() error                { return nil }

// jsonRows writes objects with a text before the first, between two, and after the
// last, or another text if there are none.
type jsonRows struct {
	out                           *bufio.Writer
	before, between, after, empty string
	any                           bool
}

func (j *jsonRows) open() error { return nil }

func (j *jsonRows) write(r exportedRow) error {
	text := j.between
	if !j.any {
		j.any, text = true, j.before
	}
	if _, err := j.out.WriteString(text); err != nil {
		return err
	}
	return jsonwire.Write(j.out, r)
}

func (j *jsonRows) end() error {
	text := j.after
	if !j.any {
		text = j.empty
	}
	_, err := j.out.WriteString(text)
	return err
}
