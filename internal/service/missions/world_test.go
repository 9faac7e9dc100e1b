package missions_test

import (
	"context"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// What the tests of several files do in a world.

// withText is an edit that replaces the text.
func withText(text string) missions.EditInput { return missions.EditInput{Text: &text} }

// setText sets a post's text.
func setText(w *world.World, id, text string) {
	w.T.Helper()
	_, err := w.Missions.EditContent(context.Background(), w.Tenant, id, withText(text))
	w.Must(err)
}

// onTwitter makes a mission publish on Twitter only.
func onTwitter(change func(in *mission.CreateInput)) func(in *mission.CreateInput) {
	return func(in *mission.CreateInput) {
		in.Platforms = []mission.Platform{mission.Twitter}
		change(in)
	}
}

// after moves the clock to an instant after the world's start, and runs the tasks
// that become due in the meantime, each at its time.
func after(w *world.World, d time.Duration) {
	w.T.Helper()
	w.Pass(world.Began.Add(d).Sub(w.Clock.Now()))
}

// runUntil runs due tasks, time passing, until one of a type is due for a post or a
// job, and returns it; it isn't run.
func runUntil(w *world.World, t mission.TaskType, subject string) mission.Task {
	w.T.Helper()
	for range 1000 {
		due := w.Due()
		for _, task := range due {
			if task.Type == t && task.Subject == subject {
				return task
			}
			w.Run(task.ID)
		}
		if len(due) > 0 {
			continue
		}
		next, ok, err := w.DB.NextDispatch(context.Background())
		w.Must(err)
		if !ok {
			break
		}
		w.Clock.Advance(max(next.Sub(w.Clock.Now()), 0))
	}
	w.T.Fatalf("no task %s of %s became due", t, subject)
	return mission.Task{}
}

// claim claims a task, as a worker does.
func claim(w *world.World, task mission.Task) mission.Task {
	w.T.Helper()
	taken, ok, err := w.DB.Claim(context.Background(), task.ID, w.Clock.Now(), time.Minute)
	w.Must(err)
	if !ok {
		w.T.Fatalf("the task %+v can't be claimed", task)
	}
	return taken
}

// contentStage returns a mission's job, and its content stage.
func contentStage(w *world.World, m mission.Mission) (mission.Job, mission.Stage) {
	w.T.Helper()
	j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, *m.PipelineJobID)
	w.Must(err)
	return j, j.Stages[mission.StageContent.Index()]
}

// counted compares the counters of a mission with a count of its posts.
func counted(w *world.World, missionID string) {
	w.T.Helper()
	var want mission.ContentCounts
	for _, c := range w.Posts(missionID) {
		want = want.Plus(mission.Moved("", c.Status))
	}
	if got := w.Mission(missionID).Counts; got != want {
		w.T.Errorf("got the counts %+v, want %+v", got, want)
	}
}

// of returns the error of an operation's results.
func of[T any](_ T, err error) error { return err }

// connect adds an integration for the world's tenant, whose calls use the sandbox.
func connect(w *world.World, p mission.Platform) mission.Integration {
	w.T.Helper()
	now := w.Clock.Now()
	var i mission.Integration
	w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error {
		i = mission.NewIntegration(tx.NewID(mission.PrefixIntegration, now), w.Tenant.TenantID, p, mission.IntegrationToken, "", now)
		if err := tx.StoreIntegration(context.Background(), i); err != nil {
			return err
		}
		_, others, err := tx.PublishingIntegration(context.Background(), i.TenantID, p, "")
		if err != nil {
			return err
		}
		i = i.Connected(mission.Account{ID: i.ID, Name: "Test"}, mission.Credentials{}, "", now)
		i.Default = !others
		return tx.SetIntegration(context.Background(), i, now)
	}))
	w.Parts.Publisher = unrouted{w.Parts.Publisher}
	return i
}

// connectPage is connect for an organisation's account on LinkedIn.
func connectPage(w *world.World) mission.Integration {
	w.T.Helper()
	i := connect(w, mission.LinkedIn)
	i.Account = &mission.Account{ID: "urn:li:organization:1", Name: "Test"}
	w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error { return tx.SetIntegration(context.Background(), i, w.Clock.Now()) }))
	return i
}

// unrouted publishes every post to the sandbox.
type unrouted struct{ world.Publisher }

func (u unrouted) Publish(ctx context.Context, _ *mission.Integration, p mission.Part) (mission.Publication, error) {
	return u.Publisher.Publish(ctx, nil, p)
}

func (u unrouted) Replies(ctx context.Context, _ *mission.Integration, q mission.ReplyQuery) (mission.ReplyPage, error) {
	return u.Publisher.Replies(ctx, nil, q)
}

func (u unrouted) Find(ctx context.Context, _ *mission.Integration, p mission.Part) (mission.Publication, bool, error) {
	return u.Publisher.Find(ctx, nil, p)
}

func (u unrouted) Measure(ctx context.Context, _ *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error) {
	return u.Publisher.Measure(ctx, nil, posts)
}

func (u unrouted) Audience(ctx context.Context, _ *mission.Integration, since string) (mission.Audience, error) {
	return u.Publisher.Audience(ctx, nil, since)
}

func (u unrouted) Read(ctx context.Context, _ *mission.Integration, posts []mission.Content) (map[string][]mission.Shown, error) {
	return u.Publisher.Read(ctx, nil, posts)
}

// set changes an integration of the world's tenant.
func set(w *world.World, i mission.Integration, change func(i mission.Integration, now time.Time) mission.Integration) {
	w.T.Helper()
	ctx, now := context.Background(), w.Clock.Now()
	w.Must(w.DB.Tx(ctx, func(tx store.Tx) error {
		kept, _, err := tx.IntegrationOf(ctx, i.TenantID, i.Platform, i.AccountKey())
		if err != nil {
			return err
		}
		return tx.SetIntegration(ctx, change(kept, now), now)
	}))
}

// refused and connected are changes for set: the platform refuses the credentials, or
// accepts them.
func refused(i mission.Integration, now time.Time) mission.Integration {
	return i.Refused(mission.Failure{Code: publisher.CodeUnauthorized, Message: "No."}, now)
}

func connected(i mission.Integration, now time.Time) mission.Integration {
	return i.Taken(*i.Account, now)
}

// threadWriter writes threads of three parts.
type threadWriter struct{ world.PlainWriter }

func (threadWriter) Write(_ context.Context, a mission.Assignment) (mission.Draft, error) {
	var parts []string
	for i, text := range []string{"One.", "Two.", "Three."} {
		parts = append(parts, text+world.Words(a.Seed+uint64(i)))
	}
	return mission.Draft{Format: mission.FormatThread, Text: strings.Join(parts, "\n\n"), Parts: parts}, nil
}

// scripted is a platform that responds as configured, and counts the posts that
// reached it.
type scripted struct {
	world.Publisher
	results []error // of Publish, in order; nil accepts the post, as do all later calls
	// takesSilently are the calls (from 0) that it accepts although it returns an error.
	takesSilently map[int]bool
	calls         int
}

func (p *scripted) Publish(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, error) {
	call := p.calls
	p.calls++
	if call >= len(p.results) || p.results[call] == nil {
		return p.Publisher.Publish(ctx, via, part)
	}
	if p.takesSilently[call] {
		if _, err := p.Publisher.Publish(ctx, via, part); err != nil {
			return mission.Publication{}, err
		}
	}
	return mission.Publication{}, p.results[call]
}

// outcome is the error of a platform's response.
func outcome(o mission.Outcome) error {
	return &mission.PublishError{Outcome: o, Failure: mission.Failure{Code: "platform_error", Message: "The platform said no."}}
}
