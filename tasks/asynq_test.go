package tasks_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/tasks"
)

// The dashboard shows six stages as done, distant tasks as scheduled, and every
// queue; no stale Asynq task is left.
func TestDashboardShowsTheStages(t *testing.T) {
	eachProcess(t, world.PlainWriter{}, func(t *testing.T, p *process) {
		created := p.Create(func(in *mission.CreateInput) {
			world.OneDay(in)
			two := 2
			in.DurationDays = &two
		})
		await.Until(t, "a job that is done", p.jobDone(created.ID))
		i := asynq.NewInspectorFromRedisClient(p.redis)
		want := []string{"stage:analytics", "stage:content", "stage:intake", "stage:optimize", "stage:publish", "stage:strategy"}
		await.Until(t, "six completed stages on the dashboard", func() bool {
			var done []string
			for _, q := range []string{"pipeline"} {
				list, err := i.ListCompletedTasks(q)
				if err != nil {
					return false
				}
				for _, task := range list {
					done = append(done, task.Type)
				}
			}
			slices.Sort(done)
			return slices.Equal(done, want)
		})
		await.Until(t, "every queue listed", func() bool {
			queues, err := i.Queues()
			return err == nil && len(queues) == 2*len(mission.AllQueues())
		})
	})
}

// A future task within the horizon is shown as scheduled, and runs at its time or
// slightly later, never earlier.
func TestScheduledTaskRunsAtItsTime(t *testing.T) {
	t.Parallel()
	eachProcess(t, world.PlainWriter{}, func(t *testing.T, p *process) {
		starts := mission.Millis(time.Now().Add(1700 * time.Millisecond))
		created := p.Create(func(in *mission.CreateInput) {
			world.OneDay(in)
			in.StartImmediately, in.StartsAt = nil, &starts
		})
		i := asynq.NewInspectorFromRedisClient(p.redis)
		await.Until(t, "a scheduled task", func() bool {
			list, err := i.ListScheduledTasks("pipeline")
			return err == nil && len(list) == 1 && list[0].Type == string(mission.TaskMissionStart)
		})
		await.Until(t, "the start", func() bool { return p.Mission(created.ID).Status == mission.StatusActive })
		if late := p.Mission(created.ID).UpdatedAt.Sub(starts); late < 0 {
			t.Errorf("it started %s early", -late)
		}
	})
}

// Redis may lose everything at any moment: pending tasks are dispatched again, and
// the dashboard lists the queues again.
func TestRedisEmptied(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	gate := make(chan struct{})
	w := world.PlainWriter{Fail: func(mission.Assignment) error { <-gate; return nil }}
	eachProcess(t, w, func(t *testing.T, p *process) {
		gate = make(chan struct{})
		starts := mission.Millis(time.Now().Add(2 * time.Second))
		running := p.Create(world.OneDay)
		later := p.Create(func(in *mission.CreateInput) {
			world.OneDay(in)
			in.StartImmediately, in.StartsAt = nil, &starts
		})
		await.Until(t, "a stage under way", func() bool {
			return p.Status(running.ID).Pipeline.Stages.Content.Status == mission.RunRunning
		})
		p.Must(p.redis.FlushDB(context.Background()).Err())
		close(gate)
		for _, id := range []string{running.ID, later.ID} {
			await.Until(t, "a job that is done", p.jobDone(id))
		}
		i := asynq.NewInspectorFromRedisClient(p.redis)
		await.Until(t, "every queue listed", func() bool {
			queues, err := i.Queues()
			return err == nil && len(queues) == 2*len(mission.AllQueues())
		})
	})
}

// A worker that is terminated returns the tasks that it can't finish, and they
// spend no attempt.
func TestStopSpendsNoAttempt(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	var hang sync.Map
	w := hangingWriter{&hang}
	eachProcess(t, w, func(t *testing.T, p *process) {
		hang.Store("on", true)
		created := p.Create(world.OneDay)
		await.Until(t, "a stage under way", func() bool {
			return p.Status(created.ID).Pipeline.Stages.Content.Status == mission.RunRunning
		})
		began := time.Now()
		p.worker.Stop()
		if took := time.Since(began); took > await.Within(10*time.Second) {
			t.Errorf("the drain took %s", took)
		}
		hang.Store("on", false)
		p.worker = tasks.NewWorker(p.Parts)
		p.Must(p.worker.Start())
		await.Until(t, "a job that is done", p.jobDone(created.ID))
		j, err := p.DB.Job(context.Background(), p.Tenant.TenantID, *created.PipelineJobID)
		p.Must(err)
		if s := j.Stages[mission.StageContent.Index()]; s.Attempts != 1 {
			t.Errorf("the stage took %d attempts, want 1", s.Attempts)
		}
	})
}

// hangingWriter hangs while its switch is on.
type hangingWriter struct{ on *sync.Map }

func (hangingWriter) Price(mission.Assignment) mission.Micros { return 0 }

func (hangingWriter) Remark(mission.Brief) *mission.Failure { return nil }

func (hangingWriter) Supply(mission.Brief, []mission.Fact) int { return math.MaxInt }

func (w hangingWriter) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	if on, _ := w.on.Load("on"); on == true {
		<-ctx.Done()
		return mission.Draft{}, ctx.Err()
	}
	return world.PlainWriter{}.Write(ctx, a)
}

// One tenant's flood leaves the normal lane to the others: while all its stages
// hang, another tenant's mission completes.
func TestFloodStarvesNobody(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	var gate chan struct{}
	held := world.PlainWriter{Fail: func(a mission.Assignment) error {
		if a.Brief.Description == "held" {
			<-gate
		}
		return nil
	}}
	eachProcess(t, held, func(t *testing.T, p *process) {
		gate = make(chan struct{})
		flooder := p.Tenant
		const flood = 60
		description := "held"
		var ids []string
		for range flood {
			ids = append(ids, p.Create(func(in *mission.CreateInput) { world.OneDay(in); in.Description = &description }).ID)
		}
		p.Tenant = p.NewTenant("Other")
		quiet := p.Create(world.OneDay)
		await.Until(t, "the quiet tenant's job", p.jobDone(quiet.ID))
		close(gate)
		p.Tenant = flooder
		for _, id := range ids {
			await.Until(t, "a job of the flood", p.jobDone(id))
		}
	})
}

// slowPlatform blocks calls for Twitter until its gate is open, and counts the
// blocked calls.
type slowPlatform struct {
	world.Publisher

	gate    chan struct{}
	waiting atomic.Int64
	most    atomic.Int64
}

func (p *slowPlatform) Publish(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, error) {
	if part.Content.Platform == mission.Twitter {
		if n := p.waiting.Add(1); n > p.most.Load() {
			p.most.Store(n)
		}
		defer p.waiting.Add(-1)
		select {
		case <-p.gate:
		case <-ctx.Done():
			return mission.Publication{}, ctx.Err()
		}
	}
	return p.Publisher.Publish(ctx, via, part)
}

// A platform that doesn't respond delays only its own posts: however many wait for
// it, another platform's are published in the meantime.
func TestSlowPlatformDelaysItsOwnPosts(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	eachProcess(t, world.PlainWriter{}, func(t *testing.T, p *process) {
		platform := &slowPlatform{Publisher: p.publisher.Publisher, gate: make(chan struct{})}
		p.publisher.Publisher = platform
		on := func(platform mission.Platform) mission.Mission {
			return p.Create(func(in *mission.CreateInput) {
				one := 1
				in.Platforms, in.Constraints.PostsPerDay, in.DurationDays = []mission.Platform{platform}, &one, &one
			})
		}
		var slow []mission.Mission
		for n := range 4 { // several tenants, to fill the normal lane
			p.Tenant = p.NewTenant(fmt.Sprint("slow", n))
			for range 7 {
				slow = append(slow, on(mission.Twitter))
			}
		}
		flooder := p.Tenant
		await.Until(t, "a crowd at the slow platform", func() bool { return platform.waiting.Load() >= tasks.CallsPerPlatform })
		p.Tenant = p.NewTenant("quick")
		quick := on(mission.LinkedIn)
		await.Until(t, "the other platform's post", func() bool { return p.Mission(quick.ID).Counts.Published == 1 })
		if most := platform.most.Load(); most > tasks.CallsPerPlatform {
			t.Errorf("got %d concurrent calls to one platform, want at most %d", most, tasks.CallsPerPlatform)
		}
		close(platform.gate)
		p.Tenant = flooder
		last := slow[len(slow)-1]
		await.Until(t, "the slow platform's posts", func() bool { return p.Mission(last.ID).Counts.Published == 1 })
	})
}

// slowFigures is a platform that takes its time when it is asked for figures.
type slowFigures struct {
	world.Publisher

	gate    chan struct{}
	waiting atomic.Int64
	most    atomic.Int64
}

func (p *slowFigures) Measure(ctx context.Context, via *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error) {
	p.most.Store(max(p.most.Load(), p.waiting.Add(1)))
	defer p.waiting.Add(-1)
	select {
	case <-p.gate:
		return p.Publisher.Measure(ctx, via, posts)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Servers that are slow with their figures hold few runs, however many missions are measured; the
// posts that they leave stay due.
func TestSlowFiguresHoldFewRuns(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	eachProcess(t, world.PlainWriter{}, func(t *testing.T, p *process) {
		platform := &slowFigures{Publisher: p.publisher.Publisher, gate: make(chan struct{})}
		p.publisher.Publisher = platform
		type job struct {
			of mission.Principal
			id string
		}
		var jobs []job
		for n := range 3 {
			p.Tenant = p.NewTenant(fmt.Sprint("slow", n))
			for range 5 {
				created := p.Create(func(in *mission.CreateInput) {
					one := 1
					in.Platforms, in.Constraints.PostsPerDay, in.DurationDays = []mission.Platform{mission.Mastodon}, &one, &one
				})
				jobs = append(jobs, job{p.Tenant, created.ID})
			}
		}
		await.Until(t, "the jobs that don't wait for figures", func() bool {
			done := 0
			for _, j := range jobs {
				if v, err := p.Missions.Status(t.Context(), j.of, j.id); err == nil && v.Pipeline.Status == mission.RunCompleted {
					done++
				}
			}
			return done >= len(jobs)-tasks.CallsPerPlatform
		})
		if most := platform.most.Load(); most == 0 || most > tasks.CallsPerPlatform {
			t.Errorf("got %d runs that wait for figures, want 1 to %d", most, tasks.CallsPerPlatform)
		}
		close(platform.gate)
	})
}
