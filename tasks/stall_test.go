package tasks_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/internal/writer/llm"
	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// staller is a language model that stalls for missions with certain names, and
// responds to the others at once.
type staller struct {
	*llm.Writer
	quick *llm.Writer // for the missions that stall

	mu      sync.Mutex
	let     chan struct{} // releases the stalled calls
	waiting int           // stalled calls
}

// stalled begins the names of missions whose calls stall.
const stalled = "stalled"

// written counts the texts, which all differ.
var written atomic.Int64

// fitting returns a text that may be published.
func fitting() llmtest.Act {
	return llmtest.Fits(fmt.Sprintf("Small teams ship calmer with one list (%d).", written.Add(1)), llmtest.Fair)
}

// newStaller returns a staller whose stalled calls time out. Others may take as long as a busy machine needs.
func newStaller(t *testing.T, timeout time.Duration) *staller {
	t.Helper()
	s := &staller{}
	stub := llmtest.New(t, func(a llmtest.Request) llmtest.Act {
		if !strings.HasPrefix(a.Brief.Mission.Name, stalled) {
			return fitting()
		}
		return s.stall
	})
	writer := func(limit time.Duration) *llm.Writer {
		w, err := llm.New(llm.Options{
			BaseURL: stub.URL, Model: "m", CallTimeout: limit, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	s.Writer, s.quick = writer(await.Long()), writer(timeout)
	return s
}

// Write writes a post.
func (s *staller) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	if strings.HasPrefix(a.Brief.MissionName, stalled) {
		return s.quick.Write(ctx, a)
	}
	return s.Writer.Write(ctx, a)
}

func (s *staller) stall(w http.ResponseWriter, a llmtest.Request) {
	s.add(1)
	defer s.add(-1)
	s.mu.Lock()
	let := s.let
	s.mu.Unlock()
	llmtest.StallUntil(let, fitting())(w, a)
}

func (s *staller) add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting += n
}

func (s *staller) stalls(n int) func() bool {
	return func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.waiting >= n
	}
}

// shut makes calls stall until the function that it returns is called.
func (s *staller) shut() (let func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.let = make(chan struct{})
	return sync.OnceFunc(func() { close(s.let) })
}

// onePost creates a mission of one post for the process's tenant.
func (p *process) onePost(name string, change func(in *mission.CreateInput)) mission.Mission {
	p.T.Helper()
	return p.Create(func(in *mission.CreateInput) {
		world.OneDay(in)
		in.Name, in.Platforms = name, []mission.Platform{mission.LinkedIn}
		if change != nil {
			change(in)
		}
	})
}

// contentRuns returns how many Asynq tasks of content stages are done.
func (p *process) contentRuns() int {
	list, err := asynq.NewInspectorFromRedisClient(p.redis).ListCompletedTasks("pipeline", asynq.PageSize(1000))
	n := 0
	for _, task := range list {
		if err == nil && task.Type == string(mission.TaskStageContent) {
			n++
		}
	}
	return n
}

func (p *process) contentOf(x mission.Mission) mission.Stage {
	p.T.Helper()
	j, err := p.DB.Job(context.Background(), x.TenantID, *x.PipelineJobID)
	p.Must(err)
	return j.Stages[mission.StageContent.Index()]
}

// While all of a tenant's calls hang, others' posts are written, and written posts
// are published. Its own stages without a free writer wait without spending an
// attempt, and are shown as pending.
func TestStalledModelDelaysItsOwnTenant(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	const writers, flood = 2, 4
	s := newStaller(t, 10*time.Minute)
	eachProcessOf(t, s, writers, func(t *testing.T, p *process) {
		let := s.shut()
		defer let()
		before := p.Tenant
		written := p.onePost("written before", world.NeedsApproval)
		await.Until(t, "a post to review", func() bool { return p.Mission(written.ID).Counts.PendingReview == 1 })
		flooder := p.NewTenant("Flooder")
		p.Tenant = flooder
		var stalled []mission.Mission
		for range flood {
			stalled = append(stalled, p.onePost("stalled", nil))
		}
		runs := p.contentRuns()
		await.Until(t, "a call that hangs", s.stalls(1))
		await.Until(t, "stages that are put off more than once", func() bool { return p.contentRuns() >= runs+2*flood })

		p.Tenant = p.NewTenant("Quiet")
		quiet := p.onePost("quiet", nil)
		await.Until(t, "the quiet tenant's job", p.jobDone(quiet.ID))
		p.Tenant = before
		_, err := p.Missions.ApproveContent(context.Background(), p.Tenant, p.World.Posts(written.ID)[0].ID, nil)
		p.Must(err)
		await.Until(t, "the post that was written before", func() bool { return p.Mission(written.ID).Counts.Published == 1 })

		running, pending := 0, 0
		for _, x := range stalled {
			switch st := p.contentOf(x); {
			case st.Status == mission.RunRunning && st.Attempts == 1 && st.StartedAt != nil && st.Error == nil:
				running++
			case st.Status == mission.RunPending && st.Attempts == 0 && st.StartedAt == nil && st.Error == nil:
				pending++
			default:
				t.Errorf("got the content stage %+v", st)
			}
		}
		if running != writers-1 || pending != flood-running {
			t.Errorf("%d stages of the tenant run and %d wait; want %d to run", running, pending, writers-1)
		}
		let()
		p.Tenant = flooder
		for _, x := range stalled {
			await.Until(t, "a job of the flood", p.jobDone(x.ID))
			if st := p.contentOf(x); st.Attempts != 1 {
				t.Errorf("a delayed stage took %d attempts", st.Attempts)
			}
		}
	})
}

// If the calls of several tenants, more than there are writers, hang until they time
// out, others wait for a writer no longer than that.
func TestStallsOfManyTenantsEnd(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	const writers, tenants = 2, 3
	s := newStaller(t, 300*time.Millisecond)
	p := start(t, testkit.SQLite(t, store.Options{Timing: tasks.Timing(clock.Real())}), testkit.Miniredis(t), s, writers)
	defer p.stop()
	let := s.shut()
	defer let()
	before := p.Tenant
	written := p.onePost("written before", world.NeedsApproval)
	await.Until(t, "a post to review", func() bool { return p.Mission(written.ID).Counts.PendingReview == 1 })
	for range tenants {
		p.Tenant = p.NewTenant("Stalled")
		p.onePost("stalled", nil)
		p.onePost("stalled, too", nil)
	}
	await.Until(t, "a call on every writer", s.stalls(writers))
	quietTenant := p.NewTenant("Quiet")
	p.Tenant = quietTenant
	quiet := p.onePost("quiet", nil)
	p.Tenant = before
	_, err := p.Missions.ApproveContent(context.Background(), p.Tenant, p.World.Posts(written.ID)[0].ID, nil)
	p.Must(err)
	await.Until(t, "the post that was written before", func() bool { return p.Mission(written.ID).Counts.Published == 1 })
	p.Tenant = quietTenant
	await.Until(t, "the quiet tenant's job", p.jobDone(quiet.ID))
}
