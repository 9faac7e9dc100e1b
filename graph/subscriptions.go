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

// pace is the least time between two messages of a subscription of which one can tell what
// several would.
const pace = 250 * time.Millisecond

// paced returns a function that returns first, and then what next returns, once every pace
// at most.
func paced[T any](first T, next func(ctx context.Context) ([]T, error)) func(ctx context.Context) ([]T, error) {
	begun := false
	return func(ctx context.Context) ([]T, error) {
		if !begun {
			begun = true
			return []T{first}, nil
		}
		if err := clock.Sleep(ctx, pace); err != nil {
			return nil, err
		}
		return next(ctx)
	}
}

// changesOf returns a function that returns all kinds of changes, for what changed before,
// and then those of listen.
func changesOf(listen *feed.Changes) func(ctx context.Context) ([]*node.Changes, error) {
	return paced(&node.Changes{Kinds: mission.AllChangeKinds()}, func(ctx context.Context) ([]*node.Changes, error) {
		kinds, err := listen.Next(ctx)
		return []*node.Changes{{Kinds: kinds}}, err
	})
}

// statusViews returns a function that returns a mission's status view as it was
// first seen, and then each changed one.
func statusViews(watch *feed.Status, seen mission.StatusView) func(ctx context.Context) ([]*node.MissionStatusView, error) {
	return paced(node.NewMissionStatusView(seen), func(ctx context.Context) ([]*node.MissionStatusView, error) {
		view, err := watch.Next(ctx)
		if errors.Is(err, feed.ErrGone) {
			return nil, nil
		}
		return []*node.MissionStatusView{node.NewMissionStatusView(view)}, err
	})
}
