package missions_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/mastodon"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/service/accounts"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/internal/writer/llm"
	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
	"missiond/store"
)

// onServer publishes every post on a stub of a Mastodon server.
type onServer struct {
	world.Publisher

	stub    *mastodontest.Stub
	adapter *mastodon.Adapter
	creds   mission.Credentials
	// reads counts the calls of Read; fails, unless nil, is their error.
	reads int
	fails error
}

func onMastodon(w *world.World) *onServer {
	w.T.Helper()
	connect(w, mission.Mastodon)
	p := &onServer{Publisher: w.Parts.Publisher, stub: mastodontest.New(w.T)}
	p.stub.Now = w.Clock.Now
	server := httptest.NewServer(p.stub)
	w.T.Cleanup(server.Close)
	p.adapter = mastodon.New(publisher.NewClient(server.Client(), w.Clock.Now), mastodon.Options{})
	var err error
	_, p.creds, err = p.adapter.Connect(w.T.Context(), p.stub.Credentials(server.URL))
	w.Must(err)
	w.Parts.Publisher = p
	return p
}

func (p *onServer) Publish(ctx context.Context, _ *mission.Integration, part mission.Part) (mission.Publication, error) {
	return p.adapter.Publish(ctx, p.creds, part)
}

func (p *onServer) Measure(ctx context.Context, _ *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error) {
	return p.adapter.Measure(ctx, p.creds, posts)
}

func (p *onServer) Read(ctx context.Context, _ *mission.Integration, posts []mission.Content) (map[string][]mission.Shown, error) {
	if p.reads++; p.fails != nil {
		return nil, p.fails
	}
	return p.adapter.Read(ctx, p.creds, posts)
}

// written are the texts of a model's post, and of a person's edit of it.
const (
	written = "We have made our tool faster. It takes half the time now."
	edited  = "We have made our tool faster. It takes a third of the time now."
)

// modeled makes a mission on Mastodon whose post a model wrote, and returns the post.
func modeled(w *world.World) (m mission.Mission, c mission.Content, provider string) {
	w.T.Helper()
	stub := llmtest.New(w.T, func(llmtest.Request) llmtest.Act { return llmtest.Writes(written) })
	writer, err := llm.New(llm.Options{BaseURL: stub.URL, Model: "example-large-2"})
	w.Must(err)
	w.Writer = writer
	address, err := url.Parse(stub.URL)
	w.Must(err)
	m = w.Create(func(in *mission.CreateInput) {
		world.OneDay(in)
		world.NeedsApproval(in)
		withLine(in)
		in.Platforms, in.Constraints.PostingTimes = []mission.Platform{mission.Mastodon}, []string{"20:00"}
		in.Editor, in.PublicInterest = &mission.Editor{Name: "Jo Doe", Email: "jo@acme.example"}, new(true)
	})
	w.Step()
	return m, w.Posts(m.ID)[0], address.Hostname()
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// same compares values as they are written in JSON.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	one, err := json.MarshalIndent(got, "", " ")
	two, failed := json.MarshalIndent(want, "", " ")
	if errors.Join(err, failed) != nil || string(one) != string(two) {
		t.Errorf("%s is\n%s\nwant\n%s", what, one, two)
	}
}

// A post that a model wrote, a person edited, another key approved and somebody changed on its
// platform has a record that says so to the last field, and that is still there once its mission
// was deleted, for 400 days.
func TestRecord(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, on := t.Context(), onMastodon(w)
		m, c, provider := modeled(w)
		began := w.Clock.Now()
		person := w.Tenant
		person.KeyID, person.SessionID = "", "ses_1"
		w.Clock.Advance(time.Minute)
		_, err := w.Missions.EditContent(ctx, person, c.ID, missions.EditInput{Text: new(edited)})
		w.Must(err)
		_, err = w.Missions.RejectContent(ctx, person, c.ID, "Is it a third?", nil)
		w.Must(err)
		w.Clock.Advance(time.Minute)
		_, err = w.Missions.ReopenContent(ctx, person, c.ID)
		w.Must(err)
		w.Clock.Advance(time.Minute)
		_, err = w.Missions.ApproveContent(ctx, w.Tenant, c.ID, new(2))
		w.Must(err)
		waiting, err := w.Missions.Record(ctx, w.Tenant, c.ID)
		w.Must(err)
		if waiting.Readback.State != mission.ReadbackNotPossible || waiting.PublishedAt != nil || len(waiting.Publications) != 0 {
			t.Errorf("before it is out, got %+v", waiting)
		}
		w.Until("it is out", func() bool { return w.Content(c.ID).Status == mission.ContentPublished })
		out := w.Content(c.ID)
		pending, err := w.Missions.Record(ctx, w.Tenant, c.ID)
		w.Must(err)
		if pending.Readback.State != mission.ReadbackPending {
			t.Errorf("before it is read, got %+v", pending.Readback)
		}
		on.stub.Edit(*out.PlatformPostID, "We changed our mind.")
		w.Until("it is read back", func() bool { return w.Content(c.ID).Readback != nil })
		read := w.Clock.Now()

		got, err := w.Missions.Record(ctx, w.Tenant, c.ID)
		w.Must(err)
		users, err := w.DB.UsersByID(ctx, w.Tenant.TenantID, []string{w.Tenant.UserID})
		w.Must(err)
		name := users[w.Tenant.UserID].Name
		if name == "" {
			name = users[w.Tenant.UserID].Email
		}
		at := func(minutes int) time.Time { return began.Add(time.Duration(minutes) * time.Minute) }
		line := robot
		discloses := mission.ContentDisclosure{Line: &line}
		share := 11.0 / 12
		want := mission.Record{
			ContentID: c.ID, Origin: mission.OriginWriter, Platform: mission.Mastodon, IntegrationID: &out.IntegrationID,
			Mission: mission.RecordMission{ID: m.ID, Name: m.Name, EditorName: new("Jo Doe"), EditorEmail: new("jo@acme.example"), PublicInterest: true},
			Status:  mission.ContentPublished, CreatedAt: c.CreatedAt, ScheduledAt: out.ScheduledAt, PublishedAt: out.PublishedAt, Revision: 2,
			Revisions: []mission.RecordText{
				{
					Revision: 1, Author: mission.RecordAuthor{Kind: mission.AuthorModel, Model: new("example-large-2"), Provider: &provider},
					WrittenAt: &c.CreatedAt, Type: mission.FormatPost, Text: written + "\n\n" + robot, Parts: []string{}, TextHash: hashOf(written + "\n\n" + robot),
					Media: []mission.RecordMedia{}, Disclosure: discloses,
				},
				{
					Revision: 2, Author: mission.RecordAuthor{Kind: mission.AuthorPerson, ID: &person.UserID, Name: &name},
					WrittenAt: new(at(1)), Type: mission.FormatPost, Text: edited + "\n\n" + robot, Parts: []string{}, TextHash: hashOf(edited + "\n\n" + robot),
					Media: []mission.RecordMedia{}, Disclosure: discloses,
				},
			},
			WriterShare: &share,
			Reviews: []mission.RecordReview{
				{Revision: 2, Decision: mission.DecisionRejected, Via: mission.ViaSession, ByID: person.UserID, ByName: &name, Reason: new("Is it a third?"), At: at(1)},
				{Revision: 2, Decision: mission.DecisionReopened, Via: mission.ViaSession, ByID: person.UserID, ByName: &name, At: at(2)},
				{Revision: 2, Decision: mission.DecisionApproved, Via: mission.ViaKey, ByID: w.Tenant.KeyID, ByName: new("Admin key"), At: at(3)},
			},
			RestsOn: []mission.Approval{}, Publications: []mission.RecordPublication{{Text: out.Text, PostID: out.PlatformPostID, URL: *out.PlatformURL, PublishedAt: *out.PublishedAt}},
			Readback: mission.RecordReadback{
				State: mission.ReadbackDiffers, CheckedAt: &read, Parts: 1, Differs: []mission.ShownOther{{Text: new("We changed our mind.")}},
			},
		}
		for i, text := range got.Revisions {
			if len(text.Checks) != len(mission.AllRules()) {
				t.Fatalf("the record has the checks %+v", text.Checks)
			}
			want.Revisions[i].Facts, want.Revisions[i].Checks = []mission.CitedFact{}, text.Checks
		}
		same(t, "the record", got, want)

		reads := on.reads
		w.Over(m.ID)
		w.Pass(4 * 24 * time.Hour)
		if on.reads != reads {
			t.Errorf("it was read back %d times more", on.reads-reads)
		}
		w.Must(w.Missions.DeleteMission(ctx, w.Tenant, m.ID))
		deleted := w.Clock.Now()
		_, err = w.Missions.Content(ctx, w.Tenant, c.ID)
		world.WantCode(t, err, mission.CodeNotFound)
		want.KeptUntil = new(deleted.Add(mission.RecordLife))
		got, err = w.Missions.Record(ctx, w.Tenant, c.ID)
		w.Must(err)
		same(t, "the record of what was deleted", got, want)
		_, err = w.Missions.Record(ctx, w.NewTenant("Theirs"), c.ID)
		world.WantCode(t, err, mission.CodeNotFound)

		retention := accounts.Retention{Audit: 1000 * 24 * time.Hour, Usage: 1000 * 24 * time.Hour, Notifications: 1000 * 24 * time.Hour}
		w.Clock.Advance(mission.RecordLife - time.Second)
		w.Must(w.Parts.Accounts.DropOld(ctx, retention))
		if _, err = w.Missions.Record(ctx, w.Tenant, c.ID); err != nil {
			t.Errorf("a second before its end: %v", err)
		}
		w.Clock.Advance(time.Second)
		_, err = w.Missions.Record(ctx, w.Tenant, c.ID)
		world.WantCode(t, err, mission.CodeNotFound)
		if n := records(w); n != 1 {
			t.Errorf("%d records are there before they are swept", n)
		}
		w.Must(w.Parts.Accounts.DropOld(ctx, retention))
		if n := records(w); n != 0 {
			t.Errorf("%d records are there after 400 days", n)
		}
	})
}

// records counts the records that an export of the world's tenant has.
func records(w *world.World) (n int) {
	w.T.Helper()
	w.Must(w.DB.ExportTenant(w.T.Context(), w.Tenant.TenantID, func(table string, _ map[string]any) error {
		if table == "content_records" {
			n++
		}
		return nil
	}))
	return n
}

// A platform that can't be read, or doesn't say enough, is asked again with the next
// measurements, and not after three days; figures don't suffer from it.
func TestReadbackIsTriedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		fails time.Duration // after publication
		want  mission.ReadbackState
	}{"at first": {2 * time.Hour, mission.ReadbackAsApproved}, "always": {90 * 24 * time.Hour, mission.ReadbackNotPossible}} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				on := onMastodon(w)
				on.fails = errors.New("unreachable")
				m, c, _ := modeled(w)
				_, err := w.Missions.ApproveContent(t.Context(), w.Tenant, c.ID, nil)
				w.Must(err)
				w.Until("it is out", func() bool { return w.Content(c.ID).Status == mission.ContentPublished })
				w.Pass(min(tt.fails, 4*24*time.Hour))
				if w.Content(c.ID).MeasuredAt == nil {
					t.Error("it wasn't measured")
				}
				if name == "at first" {
					on.fails = nil
				}
				w.Pass(24 * time.Hour)
				r, err := w.Missions.Record(t.Context(), w.Tenant, c.ID)
				w.Must(err)
				if r.Readback.State != tt.want || on.reads < 3 || on.reads > 9 {
					t.Errorf("got %+v after %d calls", r.Readback, on.reads)
				}
				w.Over(m.ID)
			})
		})
	}
}

// A mission of many posts leaves a record of each that was published, and of no other.
func TestRecordsOfManyPosts(t *testing.T) {
	testkit.Full(t)
	world.Each(t, func(t *testing.T, w *world.World) {
		const posts, days = 21, 5 // more than one batch
		m := w.Create(func(in *mission.CreateInput) {
			in.DurationDays, in.Constraints.PostsPerDay = new(days), new(posts)
		})
		w.Over(m.ID)
		w.Pass(24 * time.Hour)
		m2 := w.Create(world.NeedsApproval)
		w.Step()
		waiting := w.Posts(m2.ID)
		_, err := w.Missions.CompleteMission(t.Context(), w.Tenant, m2.ID)
		w.Must(err)
		published := w.Published(m.ID)
		if len(published) != posts*days {
			t.Fatalf("got %d posts", len(published))
		}
		for _, id := range []string{m.ID, m2.ID} {
			w.Must(w.Missions.DeleteMission(t.Context(), w.Tenant, id))
		}
		for _, c := range published {
			r, err := w.Missions.Record(t.Context(), w.Tenant, c.ID)
			if err != nil || r.Revisions[0].Text != c.Text || len(r.Publications) != len(c.Published) || r.Readback.State != mission.ReadbackAsApproved {
				t.Fatalf("%s has %+v (%v)", c.ID, r, err)
			}
		}
		_, err = w.Missions.Record(t.Context(), w.Tenant, waiting[0].ID)
		world.WantCode(t, err, mission.CodeNotFound)
		if n := records(w); n != len(published) {
			t.Errorf("got %d records", n)
		}
	})
}

// Decisions about several posts are recorded as those about one are.
func TestReviewsOfSeveral(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(world.NeedsApproval)
		w.Step()
		posts := w.Posts(m.ID)
		_, err := w.Missions.ApproveContents(t.Context(), w.Tenant, []string{posts[0].ID})
		w.Must(err)
		_, err = w.Missions.RejectEach(t.Context(), w.Tenant, []missions.Review{{ID: posts[1].ID, Revision: 1}}, "No.")
		w.Must(err)
		records, err := w.Missions.Records(t.Context(), w.Tenant, []string{posts[0].ID, posts[1].ID, "cnt_none"}, store.RecordParts{Texts: &store.TextPage{}, Reviews: true})
		w.Must(err)
		for i, want := range []mission.Decision{mission.DecisionApproved, mission.DecisionRejected} {
			got := records[posts[i].ID].Reviews
			if len(got) != 1 || got[0].Decision != want || got[0].ByID != w.Tenant.KeyID || fmt.Sprint(got[0].Reason != nil) != fmt.Sprint(i == 1) {
				t.Errorf("got %+v", got)
			}
		}
		if len(records) != 2 {
			t.Errorf("got %d records", len(records))
		}
	})
}
