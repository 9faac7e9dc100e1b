package seed

import (
	"fmt"
	"time"

	"missiond/mission"
)

// cycle is a mission's job while it is played.
type cycle struct {
	*seeder

	m  mission.Mission
	j  mission.Job
	at time.Time
}

// run plays the job's stages, as far as they have come by now.
func (p *cycle) run(i int) error {
	for _, name := range mission.AllStages() {
		p.change(p.j.Begin(1, p.at))
		var err error
		switch name {
		case mission.StageStrategy:
			p.plan()
		case mission.StageContent:
			err = p.write(i)
		default:
		}
		if err != nil {
			return err
		}
		if name == mission.StagePublish && !p.j.PublishDone() {
			return nil // it goes on
		}
		p.at = p.at.Add(time.Duration(200+p.chance.IntN(3000)) * time.Millisecond)
		p.change(p.j.Finish(nil, p.at))
	}
	return nil
}

func (p *cycle) change(c mission.JobChange) {
	stages := append([]mission.Stage{}, p.j.Stages...)
	for k := range stages {
		if stages[k].Name == c.Stage.Name {
			stages[k] = c.Stage
		}
	}
	p.j = c.To
	p.j.Stages = stages
	p.tell(c.Events)
}

// plan spreads the posts over the day. What is still to come is moved ahead.
func (p *cycle) plan() {
	angles := mission.AllAngles()
	for k := range p.Posts {
		at := p.j.Window.Start.Add(time.Duration(k+1) * 24 * time.Hour / time.Duration(p.Posts+1))
		if at.After(p.Now.Add(-time.Minute)) {
			at = at.Add(ahead)
		}
		p.j.Plan.Slots = append(p.j.Plan.Slots, mission.Slot{
			Position: k, At: mission.Millis(at), Platform: p.m.Platforms[k%len(p.m.Platforms)], Format: mission.FormatPost, Angle: angles[k%len(angles)],
			Objective: p.m.Objectives[k%len(p.m.Objectives)],
		})
	}
	p.j.Plan.Reasons = []string{"Nothing is known yet of what works: platforms and angles take turns."}
	p.j.Planned = p.Posts
}

// write writes the posts, and plays what became of each.
func (p *cycle) write(i int) error {
	last := p.at
	for _, slot := range p.j.Plan.Slots {
		draft := mission.Draft{Format: slot.Format, Text: fmt.Sprintf(
			"%s, part %d: what our readers asked this week, and what we found when we looked into it. The whole story is in the newsletter. #%s",
			slot.Objective, slot.Position+1, slot.Angle)}
		c, events := mission.NewContent(p.ids.New(mission.PrefixContent, p.at), p.j, mission.NewAssignment(p.j, slot), draft, mission.Verdict{TopicsChecked: 1}, p.at)
		p.tell(events)
		c, err := p.publish(c, slot.At, i%10 == 3 && slot.Position == 8)
		if err != nil {
			return err
		}
		if c.UpdatedAt.After(last) {
			last = c.UpdatedAt
		}
		p.keepContent(c)
	}
	if p.j.Written == p.j.Settled {
		p.at = last
	}
	return nil
}

// publish plays what became of a post: it was rejected, is out, or waits.
func (p *cycle) publish(c mission.Content, at time.Time, reject bool) (mission.Content, error) {
	p.j.Written++
	if reject {
		c.Status, c.RejectionReason = mission.ContentRejected, ptr("It repeats what was said on Monday.")
		p.count(c)
		return c, nil
	}
	ch, err := c.Schedule(at, p.at)
	if err != nil {
		return c, err
	}
	p.tell(ch.Events)
	if at.After(p.Now) {
		p.keepTask(mission.NewTask(p.m, mission.TaskContentPublish, c.ID, at), p.m, mission.TaskWaiting)
		p.count(ch.To)
		return ch.To, nil
	}
	if ch, err = ch.To.Publishing(nil, at); err != nil {
		return c, err
	}
	done := at.Add(800 * time.Millisecond)
	ch, err = ch.To.RecordPart(mission.Publication{PostID: "sbx" + c.ID[4:], URL: "https://" + string(c.Platform) + ".sandbox.example/posts/" + c.ID[4:], PublishedAt: done}, done)
	if err != nil {
		return c, err
	}
	p.tell(ch.Events)
	c = p.measured(ch.To)
	p.count(c)
	return c, nil
}

// measured gives a published post its figures.
func (p *cycle) measured(c mission.Content) mission.Content {
	seen := float64(500 + p.chance.IntN(5000))
	figures := mission.Metrics{
		mission.Impressions: seen, mission.Likes: float64(p.chance.IntN(60)), mission.Comments: float64(p.chance.IntN(9)), mission.Shares: float64(p.chance.IntN(12)),
	}
	c.Metrics = figures.Plus(nil)
	c.MeasuredAt, c.MeasureAt = c.PublishedAt, nil
	p.m.Totals[c.Platform] = p.m.Totals[c.Platform].Plus(figures)
	return c
}

func (p *cycle) count(c mission.Content) {
	p.m.Counts = p.m.Counts.Plus(mission.Moved("", c.Status))
	if c.Status.Settled() {
		p.j.Settled++
	}
}

func (p *cycle) keepContent(c mission.Content) {
	p.rows.add("contents", c.ID, c.TenantID, c.MissionID, c.JobID, c.Position, string(c.Platform), string(c.Format), string(c.Status), c.Text, text(c.Parts),
		string(c.Angle), c.Revision, c.ScheduledAt, c.PublishedAt, c.PlatformPostID, c.PlatformURL, c.RejectionReason, int64(c.Cost), optional(c.Metrics),
		c.MeasuredAt, c.MeasureAt, optional(c.Published), text(c.Verdict), c.CreatedAt, c.UpdatedAt)
}

// optional is JSON, or NULL for what is empty.
func optional[T mission.Metrics | []mission.Publication](v T) *string {
	if len(v) == 0 {
		return nil
	}
	return ptr(text(v))
}
