// Package eval runs briefs through language models and reports which rules their posts break, what
// they cost and what they say, so that an operator can choose a model.
package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"missiond/internal/checks"
	"missiond/internal/writer/llm"
	"missiond/mission"
	"missiond/mission/learning"
)

// Bounds of a file of briefs.
const (
	MaxBriefs = 1000
	maxLine   = 1 << 20
	// MaxPosts is how many posts of a brief are written at most.
	MaxPosts = 20
)

// Brief is a line of a file of briefs: a mission as POST /v1/missions takes it, the brand as PUT
// /v1/tenant does, and how many of the mission's first posts are written.
type Brief struct {
	Mission mission.CreateInput `json:"mission"`
	Tenant  mission.TenantInput `json:"tenant"`
	Posts   int                 `json:"posts"` // 0 is 1
}

// Read reads briefs: a JSON object a line; empty lines are skipped. Errors name the line.
func Read(r io.Reader) (briefs []Brief, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var b Brief
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&b); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if d.More() {
			return nil, fmt.Errorf("line %d: must be one JSON object", n)
		}
		if b.Posts < 0 || b.Posts > MaxPosts {
			return nil, fmt.Errorf("line %d: posts must be between 1 and %d", n, MaxPosts)
		}
		if _, err := b.assignments(time.Unix(0, 0)); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if briefs = append(briefs, b); len(briefs) > MaxBriefs {
			return nil, fmt.Errorf("line %d: a file has at most %d briefs", n, MaxBriefs)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(briefs) == 0 {
		return nil, errors.New("the file has no briefs")
	}
	return briefs, nil
}

// assignments returns the assignments of the brief's posts, as a mission's first cycles have them
// that has learned nothing.
func (b Brief) assignments(now time.Time) ([]mission.Assignment, error) {
	tenant, _, err := (mission.Tenant{}).Change(b.Tenant, now)
	if err != nil {
		return nil, err
	}
	m, _, err := mission.New("msn_eval", "tnt_eval", b.Mission, now)
	if err != nil {
		return nil, err
	}
	if m.StartsAt == nil {
		m.StartsAt = &now
	}
	var list []mission.Assignment
	for w, ok := m.NextWindow(0, now); ok && len(list) < max(b.Posts, 1); w, ok = m.NextWindow(w.Day+1, now) {
		j := mission.NewJob(fmt.Sprintf("job_eval%d", w.Day), m, w, tenant.Brand, now)
		for _, slot := range learning.NewPlan(j, j.Brief.Destinations(nil), nil).Slots {
			list = append(list, mission.NewAssignment(j, slot).Under(m.Exclusions(tenant.Brand)))
		}
	}
	return list[:min(len(list), max(b.Posts, 1))], nil
}

// Open returns the writer of a model, which calls tried with each of the model's responses.
type Open func(model string, tried func(llm.Try)) (*llm.Writer, error)

// Run has each model write the briefs' posts, one after the other. A call that fails is part of the
// report. Errors: Open's; ctx's.
func Run(ctx context.Context, briefs []Brief, models []string, now time.Time, open Open) (Report, error) {
	r := Report{Models: make([]Model, len(models))}
	for n, name := range models {
		var tries []llm.Try
		w, err := open(name, func(t llm.Try) { tries = append(tries, t) })
		if err != nil {
			return r, err
		}
		r.Models[n].Name = name
		for _, b := range briefs {
			list, err := b.assignments(now)
			if err != nil {
				return r, err
			}
			used, openings := mission.TextSet{}, mission.TextSet{}
			for _, a := range list {
				tries = nil
				a.UsedTexts, a.UsedOpenings = used, openings
				d, err := w.Write(ctx, a)
				if ctx.Err() != nil {
					return r, ctx.Err()
				}
				used.Add(d.Texts()...)
				openings.Add(mission.Opening(d.Text))
				if n == 0 {
					r.Posts = append(r.Posts, newPost(a))
				}
				r.Models[n].Texts = append(r.Models[n].Texts, newText(d, tries, err))
			}
		}
	}
	return r, nil
}

// newText returns what became of a post.
func newText(d mission.Draft, tries []llm.Try, err error) Text {
	t := Text{Written: err == nil, Cost: d.Cost}
	for _, try := range tries {
		t.Input, t.Output = t.Input+try.Input, t.Output+try.Output
		t.Tries = append(t.Tries, Try{Parts: try.Draft.Texts(), Broken: broken(try.Broken), Wrong: try.Wrong})
	}
	var unusable *mission.WritingError
	if err != nil && !errors.As(err, &unusable) { // the tries say what was unusable
		t.Failed = err.Error()
	}
	return t
}

func broken(found []checks.Finding) []Broken {
	list := make([]Broken, len(found))
	for i, f := range found {
		list[i] = Broken{Rule: f.Rule, Message: f.Message}
	}
	return list
}
