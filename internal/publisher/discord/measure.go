package discord

import (
	"context"
	"net/http"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Measure implements [publisher.Adapter] with a call for each message: its reactions, of any emoji,
// are its likes.
func (a *Adapter) Measure(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string]mission.Metrics, error) {
	measured := map[string]mission.Metrics{}
	to, err := placeOf(c)
	if err != nil {
		return measured, err
	}
	for _, p := range posts {
		if p.PlatformPostID == nil {
			continue
		}
		m, ok, err := a.get(ctx, to, *p.PlatformPostID)
		if err != nil {
			return measured, err
		}
		if ok {
			measured[p.ID] = m.metrics()
		}
	}
	return measured, nil
}

// get returns a message; ok is false if Discord no longer has it.
func (a *Adapter) get(ctx context.Context, to place, id string) (m message, ok bool, err error) {
	if !snowflakes.MatchString(id) {
		return m, false, nil
	}
	response, err := a.call(ctx, to, http.MethodGet, to.messages()+"/"+id, nil, nil, &m)
	switch {
	case gone(response, err):
		return m, false, nil
	case err != nil:
		return m, false, err
	case m.ID != id:
		return m, false, response.Malformed()
	}
	return m, true, nil
}

// metrics returns the figures of a message, which has no list of reactions while it has none.
func (m message) metrics() mission.Metrics {
	sum := 0.0
	for _, r := range m.Reactions {
		if r.Count == nil {
			return mission.Metrics{}
		}
		sum += *r.Count
	}
	return mission.Metrics{mission.Likes: sum}
}

// readBatch is how many messages are read between two checks of the context.
const readBatch = 10

// Read implements [publisher.Reader]. Of a message that says something else than was sent, and that
// nobody edited, it can't be told what Discord dropped.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error) {
	to, err := placeOf(c)
	if err != nil {
		return nil, err
	}
	fetch := func(ids []string, found map[string]message) error {
		for _, id := range ids {
			m, ok, err := a.get(ctx, to, id)
			if err != nil {
				return err
			}
			if ok {
				found[id] = m
			}
		}
		return nil
	}
	return publisher.ReadParts(posts, readBatch, fetch, func(m message, text string) (mission.Shown, bool) {
		shown := mission.Shown{Text: m.Content, Same: plainText(m.Content) == plainText(text)}
		return shown, shown.Same || m.Edited != nil
	})
}
