package tasks_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit/world"
	"missiond/internal/writer/grammar"
	"missiond/mission"
	"missiond/store"
)

// attentive is a writer that records how many used openings each assignment has.
type attentive struct {
	world.PlainWriter

	openings *[]int
}

func (w attentive) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*w.openings = append(*w.openings, len(a.UsedOpenings))
	return w.PlainWriter.Write(ctx, a)
}

// An assignment has the openings of all posts of its mission: of its own stage, of
// another platform and of the days before, also for a new revision; none of another's.
func TestWritersGetUsedOpenings(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		a := attentive{openings: &[]int{}}
		w.Writer = a
		approval := true
		m := w.Create(func(in *mission.CreateInput) { in.Constraints.RequireApproval = &approval })
		w.Step()
		filter := store.ContentFilter{MissionID: m.ID}
		posts, err := w.DB.Contents(context.Background(), w.Tenant.TenantID, filter, store.Page{Limit: 10})
		w.Must(err)
		_, err = w.Missions.RegenerateContent(context.Background(), w.Tenant, posts.List[0].ID, "", nil)
		w.Must(err)
		w.Idle()
		w.Create(func(in *mission.CreateInput) { *in.Constraints.PostsPerDay = 1 })
		w.Step()
		if !slices.Equal(*a.openings, []int{0, 1, 2, 2, 3, 0}) {
			t.Errorf("the writer got %v openings", *a.openings)
		}
	})
}

// The content stage names the objectives whose language the writer doesn't know.
func TestStageRemarks(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		w.Writer = grammar.New()
		m := w.Create(func(in *mission.CreateInput) { in.Objectives = []string{"Mehr Gäste am Sonntag", "Sell our seeds"} })
		w.Step()
		_, stage := contentStage(w, w.Mission(m.ID))
		if stage.Status != mission.RunCompleted || stage.Error == nil || stage.Error.Code != mission.CodeWriterLanguage || !strings.Contains(stage.Error.Message, `"Mehr Gäste am Sonntag"`) {
			t.Errorf("got the stage %s with the note %+v", stage.Status, stage.Error)
		}
	})
}
