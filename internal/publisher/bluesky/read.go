package bluesky

import (
	"context"

	"missiond/internal/publisher"
	"missiond/mission"
)

// readBatch is how many posts one call returns at most.
const readBatch = 25

// Read implements [publisher.Reader]: records are shown as they were written.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error) {
	fetch := func(uris []string, texts map[string]string) error {
		views, err := a.views(ctx, c, uris)
		for _, v := range views {
			if v.Record != nil {
				texts[v.URI] = v.Record.Text
			}
		}
		return err
	}
	return publisher.ReadParts(posts, readBatch, fetch, func(shown, text string) (mission.Shown, bool) {
		return mission.Shown{Same: shown == text, Text: shown}, true
	})
}
