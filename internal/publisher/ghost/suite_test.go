package ghost

import (
	"testing"

	"missiond/internal/publisher"
	"missiond/internal/publisher/ghost/ghosttest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

func TestAdapter(t *testing.T) {
	t.Parallel()
	publishertest.Run(t, publishertest.Platform{
		Name:    mission.Ghost,
		New:     func(t *testing.T) publishertest.Stub { return ghosttest.New(t) },
		Adapter: func(_ string, c publisher.Client) publisher.Adapter { return New(c) },
		Shown:   publishertest.ArticleText, FilesKept: true,
	})
}
