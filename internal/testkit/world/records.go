package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"missiond/mission"
	"missiond/store"
)

// Create creates a mission that starts at once: two platforms, two posts a day, two
// days, and the changes of change, which may be nil.
func (w *World) Create(change func(in *mission.CreateInput)) mission.Mission {
	w.T.Helper()
	days, posts, start := 2, 2, true
	in := mission.CreateInput{
		Name: "Test mission", Objectives: []string{"Show what we make"},
		Platforms:    []mission.Platform{mission.Twitter, mission.LinkedIn},
		Constraints:  &mission.ConstraintsInput{PostsPerDay: &posts},
		DurationDays: &days, StartImmediately: &start,
	}
	if change != nil {
		change(&in)
	}
	m, err := w.Missions.CreateMission(context.Background(), w.Tenant, in)
	w.Must(err)
	return m
}

// OneDay makes a mission last a day, with one post.
func OneDay(in *mission.CreateInput) {
	one := 1
	in.DurationDays, in.Constraints.PostsPerDay = &one, &one
}

// NeedsApproval makes a mission's posts wait for review.
func NeedsApproval(in *mission.CreateInput) {
	need := true
	in.Constraints.RequireApproval = &need
}

// Mission returns a mission.
func (w *World) Mission(id string) mission.Mission {
	w.T.Helper()
	m, err := w.Missions.Mission(context.Background(), w.Tenant, id)
	w.Must(err)
	return m
}

// Status returns the status of a mission.
func (w *World) Status(missionID string) mission.StatusView {
	w.T.Helper()
	v, err := w.Missions.Status(context.Background(), w.Tenant, missionID)
	w.Must(err)
	return v
}

// Job returns a mission's job, which is the first one's if m was just created.
func (w *World) Job(m mission.Mission) mission.Job {
	w.T.Helper()
	j, err := w.DB.Job(context.Background(), m.TenantID, *m.PipelineJobID)
	w.Must(err)
	return j
}

// Content returns a post.
func (w *World) Content(id string) mission.Content {
	w.T.Helper()
	c, err := w.Missions.Content(context.Background(), w.Tenant, id)
	w.Must(err)
	return c
}

// Posts returns a mission's posts, in the order of their slots.
func (w *World) Posts(missionID string) []mission.Content {
	w.T.Helper()
	part, err := w.Missions.Contents(context.Background(), w.Tenant, store.ContentFilter{MissionID: missionID}, store.Page{Limit: 100})
	w.Must(err)
	slices.SortFunc(part.List, func(a, b mission.Content) int { return a.ScheduledAt.Compare(*b.ScheduledAt) })
	return part.List
}

// Published returns a mission's published posts, first published first.
func (w *World) Published(missionID string) []mission.Content {
	w.T.Helper()
	filter := store.ContentFilter{MissionID: missionID, Status: mission.ContentPublished}
	posts, err := w.DB.Contents(context.Background(), w.Tenant.TenantID, filter, store.Page{Limit: 1000})
	w.Must(err)
	slices.SortFunc(posts.List, func(a, b mission.Content) int { return a.PublishedAt.Compare(*b.PublishedAt) })
	return posts.List
}

// Events returns the types of a mission's events, in order.
func (w *World) Events(missionID string) []mission.EventType {
	w.T.Helper()
	list, err := w.DB.MissionEvents(context.Background(), w.Tenant.TenantID, missionID, "", 1000)
	w.Must(err)
	types := make([]mission.EventType, len(list))
	for i, e := range list {
		types[i] = e.Type
	}
	return types
}

// OnPlatform fails the test unless the sandbox has a number of posts of a mission, each
// once.
func (w *World) OnPlatform(missionID string, want int) {
	w.T.Helper()
	posts, err := w.DB.SandboxPosts(context.Background(), missionID)
	w.Must(err)
	type key struct {
		content string
		part    int
	}
	times, firsts := map[key]int{}, 0
	for _, p := range posts {
		k := key{p.ContentID, p.Part}
		if times[k]++; times[k] == 2 {
			w.T.Errorf("part %d of %s is on the platform twice", p.Part, p.ContentID)
		}
		if p.Part == 0 {
			firsts++
		}
	}
	if firsts != want {
		w.T.Errorf("got %d posts on the platform, want %d", firsts, want)
	}
}

// Hook creates an endpoint for some events, and returns its secret too.
func (w *World) Hook(url string, events ...mission.EventType) (hook mission.Webhook, secret string) {
	w.T.Helper()
	hook, secret, err := w.Parts.Webhooks.Create(context.Background(), w.Tenant, mission.WebhookInput{URL: url, Events: events})
	w.Must(err)
	return hook, secret
}

// Store stores bytes in the store of files, and returns their hash and their number.
func (w *World) Store(key, bytes string) (hash string, size int64) {
	w.T.Helper()
	_, err := w.Files.Put(context.Background(), key, "application/octet-stream", strings.NewReader(bytes), int64(len(bytes)))
	w.Must(err)
	sum := sha256.Sum256([]byte(bytes))
	return hex.EncodeToString(sum[:]), int64(len(bytes))
}
