package mastodon

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"missiond/mission"
)

// limitsLimit limits the calls for a server's limits.
const limitsLimit = 3 * time.Second

// instance is what the API's Instance says of statuses. Pleroma and its descendants say
// it in a field of their own.
type instance struct {
	Configuration struct {
		Statuses struct {
			MaxCharacters int `json:"max_characters"`
			PerURL        int `json:"characters_reserved_per_url"`
		} `json:"statuses"`
	} `json:"configuration"`
	MaxTootChars int `json:"max_toot_chars"`
}

// limits returns the server's limits of texts, as far as it reports any: by
// /api/v2/instance or, on servers that are older than it, /api/v1/instance.
func (a *Adapter) limits(ctx context.Context, c mission.Credentials) mission.TextLimits {
	ctx, cancel := context.WithTimeout(ctx, limitsLimit)
	defer cancel()
	for _, path := range []string{"/api/v2/instance", "/api/v1/instance"} {
		response, err := a.do(ctx, c, call{method: http.MethodGet, path: path})
		var i instance
		if err != nil || json.Unmarshal(response.Body, &i) != nil {
			continue
		}
		statuses := i.Configuration.Statuses
		if most := cmp.Or(statuses.MaxCharacters, i.MaxTootChars); most > 0 {
			return mission.TextLimits{MaxLength: most, LinkLength: statuses.PerURL}
		}
	}
	return mission.TextLimits{}
}
