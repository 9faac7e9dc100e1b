package mastodon

import (
	"context"

	"missiond/internal/publisher"
	"missiond/mission"
)

// readBatch is how many statuses one call returns at most.
const readBatch = 20

// Read implements [publisher.Reader]. Of a status that says something else than was sent, and that
// nobody edited, it can't be told what the server made its words from.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error) {
	fetch := func(ids []string, found map[string]status) error {
		statuses, err := a.statuses(ctx, c, ids)
		for _, s := range statuses {
			found[s.ID] = s
		}
		return err
	}
	return publisher.ReadParts(posts, readBatch, fetch, func(s status, text string) (mission.Shown, bool) {
		shown := mission.Shown{Text: plainText(s.Content)}
		shown.Same = shown.Text == normal(text)
		return shown, shown.Same || s.EditedAt != nil
	})
}
