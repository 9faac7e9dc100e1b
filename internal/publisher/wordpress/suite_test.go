package wordpress

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/publisher/wordpress/wordpresstest"
	"missiond/mission"
)

// A site without permalinks has its API elsewhere.
func TestAdapter(t *testing.T) {
	t.Parallel()
	for name, plain := range map[string]bool{"permalinks": false, "plain": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			publishertest.Run(t, publishertest.Platform{
				Name: mission.WordPress,
				New: func(t *testing.T) publishertest.Stub {
					s := wordpresstest.New(t)
					s.Plain = plain
					return s
				},
				Adapter: func(_ string, c publisher.Client) publisher.Adapter { return New(c) },
				Shown:   publishertest.ArticleText,
			})
		})
	}
}
