package graph

import (
	"context"
	"errors"
	"time"

	"missiond/graph/node"
	"missiond/internal/clock"
	"missiond/internal/feed"
	"missiond/mission"
)

// eventsOf returns a function that returns the next events of listen, as they are
// shown.
func eventsOf(listen *feed.Events) func(ctx context.Context) ([]*node.Event, error) {
	return func(ctx context.Context) ([]*node.Event, error) {
		list, err := listen.Next(ctx)
		if err != nil {
			return nil, err
		}
		shown := make([]*node.Event, len(list))
		for i, e := range list {
			if shown[i], err = node.NewEvent(e); err != nil {
				return nil, err
			}
		}
		return shown, nil
	}
}

// notesOf returns a function that returns the next notifications of listen.
func notesOf(listen *feed.Notifications) func(ctx context.Context) ([]*mission.Notification, error) {
	return func(ctx context.Context) ([]*mission.Notification, error) {
		list, err := listen.Next(ctx)
		shown := make([]*mission.Notification, len(list))
		for i := range list {
			shown[i] = &list[i]
		}
		return shown, err
	}
}

// changesOf returns a function that returns all kinds of changes, for what changed before,
// and then those of listen, at most every changesPace.
func changesOf(listen *feed.Changes) func(ctx context.Context) ([]*node.Changes, error) {
	first := true
	return func(ctx context.Context) ([]*node.Changes, error) {
		if first {
			first = false
			return []*node.Changes{{Kinds: mission.AllChangeKinds()}}, nil
		}
		if err := clock.Sleep(ctx, changesPace); err != nil {
			return nil, err
		}
		kinds, err := listen.Next(ctx)
		return []*node.Changes{{Kinds: kinds}}, err
	}
}

// changesPace is the least time between two messages about changes of a subscription.
const changesPace = 250 * time.Millisecond

// statusPace is the least time between two status views of a subscription.
const statusPace = 250 * time.Millisecond

// statusViews returns a function that returns a mission's status view as it was
// first seen, and then each changed one.
func statusViews(watch *feed.Status, seen mission.StatusView) func(ctx context.Context) ([]*node.MissionStatusView, error) {
	first := true
	return func(ctx context.Context) ([]*node.MissionStatusView, error) {
		if first {
			first = false
			return []*node.MissionStatusView{node.NewMissionStatusView(seen)}, nil
		}
		if err := clock.Sleep(ctx, statusPace); err != nil {
			return nil, err
		}
		view, err := watch.Next(ctx)
		if errors.Is(err, feed.ErrGone) {
			return nil, nil
		}
		return []*node.MissionStatusView{node.NewMissionStatusView(view)}, err
	}
}
