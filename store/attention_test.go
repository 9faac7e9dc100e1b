package store_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// What needs a person is exactly what it should be: the first of each kind in their order,
// with the number of all, of the tenant alone.
func TestAttention(t *testing.T) {
	eachRaw(t, testkit.MigratedURL, func(t *testing.T, f *fixture, raw *sql.DB) {
		set := func(table, id, change string) {
			t.Helper()
			_, err := raw.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET %s WHERE id = '%s'", table, change, id))
			f.must(err)
		}
		var missions []mission.Mission
		var jobs []mission.Job
		for range 4 { // of five dollars each: 5,000,000 micros
			m := f.mission(nil)
			missions, jobs = append(missions, m), append(jobs, f.job(m))
			set("missions", m.ID, "pipeline_job_id = '"+jobs[len(jobs)-1].ID+"'")
		}
		unbounded := f.mission(func(in *mission.CreateInput) { in.Constraints.BudgetCents = nil })
		set("missions", unbounded.ID, "spent_micros = 90000000")
		set("missions", missions[0].ID, "spent_micros = 3000000, reserved_micros = 1000000") // 80 %
		set("missions", missions[1].ID, "spent_micros = 3990000")
		set("missions", missions[2].ID, "spent_micros = 5000000, status = 'paused'")
		set("missions", missions[3].ID, "spent_micros = 5100000")
		for _, j := range jobs[1:] {
			set("jobs", j.ID, "status = 'failed'")
		}
		set("missions", missions[3].ID, "pipeline_job_id = NULL") // it has another job by now

		add := func(m mission.Mission, j mission.Job, position int, platform mission.Platform, status mission.ContentStatus, slot time.Time, expires *time.Time) string {
			c := mission.Content{
				ID: f.db.NewID(mission.PrefixContent, start), TenantID: m.TenantID, MissionID: m.ID, JobID: j.ID, Position: position, Platform: platform,
				Format: mission.FormatPost, Status: status, Parts: []string{}, Revision: 1, ScheduledAt: &slot, ExpiresAt: expires, CreatedAt: start, UpdatedAt: start,
			}
			f.must(f.tx(func(tx store.Tx) error { return tx.AddContent(ctx, c, nil) }))
			return c.ID
		}
		since := start.Add(-24 * time.Hour)
		var waiting []string
		for i := range 120 {
			// The later ones expire earlier.
			expires := start.Add(time.Duration(1000-i) * time.Minute)
			waiting = append(waiting, add(missions[0], jobs[0], i, mission.AllPlatforms()[i%3], mission.ContentPendingReview, start.Add(time.Duration(i)*time.Second), &expires))
		}
		var failed []string
		for i := range 7 {
			failed = append(failed, add(missions[1], jobs[1], i, mission.AllPlatforms()[i%3], mission.ContentFailed, since.Add(time.Duration(i-1)*time.Hour), nil))
		}
		add(missions[1], jobs[1], 99, mission.Twitter, mission.ContentRejected, start, nil)
		// Expired within the week: three of one mission, of two platforms, and one of another.
		expired := start.Add(-time.Hour)
		for i := range 4 {
			add(missions[0], jobs[0], 200+i, mission.AllPlatforms()[i%2], mission.ContentExpired, since.Add(time.Duration(i-1)*time.Hour), &expired)
		}
		add(missions[2], jobs[2], 200, mission.Twitter, mission.ContentExpired, since.Add(5*time.Hour), &expired)
		// Overdue: two of one mission; those of a paused one aren't, nor is one that is due now.
		due := start.Add(-10 * time.Minute)
		first := add(missions[3], jobs[3], 300, mission.Twitter, mission.ContentScheduled, due.Add(-40*24*time.Hour), nil)
		add(missions[3], jobs[3], 301, mission.LinkedIn, mission.ContentScheduled, due.Add(-time.Second), nil)
		add(missions[3], jobs[3], 302, mission.LinkedIn, mission.ContentScheduled, due, nil)
		add(missions[0], jobs[0], 302, mission.LinkedIn, mission.ContentScheduled, due, nil)
		add(missions[2], jobs[2], 300, mission.Twitter, mission.ContentScheduled, due.Add(-time.Hour), nil)
		for i, m := range missions {
			at := "NULL"
			if i == 3 {
				at = "(SELECT MIN(scheduled_at) FROM contents WHERE mission_id = '" + m.ID + "' AND status = 'scheduled')"
			}
			_, err := raw.ExecContext(ctx, "UPDATE next_posts SET at = "+at+" WHERE mission_id = '"+m.ID+"'")
			f.must(err)
		}
		unknown := add(missions[1], jobs[1], 400, mission.Twitter, mission.ContentUnknown, start, nil)
		set("contents", unknown, `error = '{"code":"outcome_unknown","message":"x"}'`)
		asked := add(missions[1], jobs[1], 401, mission.Twitter, mission.ContentUnknown, start.Add(time.Second), nil)
		set("contents", asked, `error = '{"code":"no_response","message":"x"}'`)
		set("tenants", f.tenant.ID, "deletes_at = created_at, deletion_asked_at = created_at")
		other, _ := f.makeTenant("theirs")
		theirs, _ := f.newMission(nil)
		theirs.TenantID = other.ID
		f.must(f.tx(func(tx store.Tx) error { return tx.CreateMission(ctx, theirs, nil) }))
		set("missions", theirs.ID, "spent_micros = 5000000")
		soon := start.Add(time.Minute)
		add(theirs, f.job(theirs), 0, mission.Twitter, mission.ContentPendingReview, start, &soon)

		show := func(list []mission.Attention) (text string) {
			for _, a := range list {
				text += fmt.Sprintf("%s %d %v:", a.Kind, a.Count, a.Capped)
				for _, i := range a.Items {
					text += " " + i.ContentID + i.JobID
					if i.UsedPercent != nil {
						text += fmt.Sprint(i.MissionID, " ", *i.UsedPercent)
					}
					if i.Count != nil {
						text += fmt.Sprint(" ", i.MissionID, " ", *i.Count, i.Since.Format("@01-02 15:04"))
					}
					if i.Deadline != nil {
						text += i.Deadline.Format("@15:04")
					}
				}
				text += "\n"
			}
			return text
		}
		kinds := []mission.AttentionKind{
			mission.AttentionDeletion, mission.AttentionJob, mission.AttentionOverdue, mission.AttentionUnknown, mission.AttentionReview,
			mission.AttentionContent, mission.AttentionExpired, mission.AttentionBudget,
		}
		slots := mission.AttentionSlots{Since: since, DueBefore: due}
		got, err := f.db.Attention(ctx, f.tenant.ID, kinds, slots)
		f.must(err)
		deletes := f.tenant.CreatedAt.Format("15:04")
		want := fmt.Sprintf("tenant_deletion 1 false: @%s\njob_failed 1 false: %s\n", deletes, jobs[1].ID) +
			fmt.Sprintf("overdue 1 false: %s %s 2%s\n", first, missions[3].ID, due.Add(-40*24*time.Hour).Format("@01-02 15:04")) +
			fmt.Sprintf("unknown 1 false: %s\n", unknown) +
			fmt.Sprintf("review 100 true: %s@22:41 %s@22:42 %s@22:43 %s@22:44 %s@22:45\n", waiting[119], waiting[118], waiting[117], waiting[116], waiting[115]) +
			fmt.Sprintf("content_failed 6 false: %s %s %s %s %s\n", failed[6], failed[5], failed[4], failed[3], failed[2]) +
			fmt.Sprintf("expired 2 false:  %s 1%s  %s 3%s\n", missions[2].ID, expired.Format("@01-02 15:04"), missions[0].ID, expired.Format("@01-02 15:04")) +
			fmt.Sprintf("budget 2 false: %s 102 %s 80\n", missions[3].ID, missions[0].ID)
		if show(got) != want {
			t.Errorf("got\n%swant\n%s", show(got), want)
		}
		if got, err = f.db.Attention(ctx, f.tenant.ID, kinds[7:], slots); err != nil || len(got) != 1 || got[0].Kind != mission.AttentionBudget {
			t.Errorf("of budgets alone got\n%s%v", show(got), err)
		}
		if got, err = f.db.Attention(ctx, other.ID, kinds, slots); err != nil || len(got) != 2 || got[0].Count+got[1].Count != 2 {
			t.Errorf("the other tenant got\n%s%v", show(got), err)
		}
	})
}
