package tasks

import (
	"context"
	"slices"
	"strings"
	"testing"

	"missiond/internal/writer/grammar"
	"missiond/mission"
	"missiond/store"
)

// attentive is a writer that records how many used openings each assignment has.
type attentive struct {
	plainWriter

	openings *[]int
}

func (w attentive) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*w.openings = append(*w.openings, len(a.UsedOpenings))
	return w.plainWriter.Write(ctx, a)
}

// An assignment has the openings of all posts of its mission: of its own stage, of
// another platform and of the days before, also for a new revision; none of another's.
func TestWritersGetUsedOpenings(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		a := attentive{openings: &[]int{}}
		w.writer.Writer = a
		approval := true
		m := w.create(func(in *mission.CreateInput) { in.Constraints.RequireApproval = &approval })
		w.step()
		filter := store.ContentFilter{MissionID: m.ID}
		posts, err := w.db.Contents(context.Background(), w.tenant.TenantID, filter, store.Page{Limit: 10})
		w.must(err)
		_, err = w.service.RegenerateContent(context.Background(), w.tenant, posts.List[0].ID, "", nil)
		w.must(err)
		w.idle()
		w.create(func(in *mission.CreateInput) { *in.Constraints.PostsPerDay = 1 })
		w.step()
		if !slices.Equal(*a.openings, []int{0, 1, 2, 2, 3, 0}) {
			t.Errorf("the writer got %v openings", *a.openings)
		}
	})
}

// The content stage names the objectives whose language the writer doesn't know.
func TestStageRemarks(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		w.writer.Writer = grammar.New()
		m := w.create(func(in *mission.CreateInput) { in.Objectives = []string{"Mehr Gäste am Sonntag", "Sell our seeds"} })
		w.step()
		_, stage := w.contentStage(w.mission(m.ID))
		if stage.Status != mission.RunCompleted || stage.Error == nil || stage.Error.Code != mission.CodeWriterLanguage || !strings.Contains(stage.Error.Message, `"Mehr Gäste am Sonntag"`) {
			t.Errorf("got the stage %s with the note %+v", stage.Status, stage.Error)
		}
	})
}
