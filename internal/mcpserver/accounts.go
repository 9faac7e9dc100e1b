package mcpserver

import (
	"context"
	"time"

	"missiond/internal/service/media"
	"missiond/mission"
	"missiond/store"
)

type accountsIn struct {
	detailed
}

type accountsOut struct {
	Platforms []platform `json:"platforms" doc:"Those with a connected account or, with detail full, all"`
	More      int        `json:"more_accounts,omitzero"`
	Limits    []limit    `json:"limits"`
	Usage     usage      `json:"usage"`
	Hold      *hold      `json:"hold,omitempty"`
	Scopes    []string   `json:"scopes" doc:"What this credential may do"`
	Leash     *leash     `json:"leash,omitempty" doc:"What this agent may do in a day (UTC), and what of it is used"`
	Files     []file     `json:"files,omitempty" doc:"With detail full: the latest files that are ready"`
}

type platform struct {
	Platform     mission.Platform `json:"platform"`
	MaxLength    int              `json:"max_length"`
	Formats      []mission.Format `json:"formats"`
	FirstComment bool             `json:"first_comment"`
	NeedsFile    bool             `json:"needs_file"`
	Accounts     []account        `json:"accounts"`
}

type account struct {
	ID      string                    `json:"integration_id"`
	Handle  *Text                     `json:"handle,omitempty"`
	Default bool                      `json:"default"`
	Status  mission.IntegrationStatus `json:"status"`
}

type limit struct {
	Kind      mission.LimitKind `json:"kind"`
	Operation mission.Operation `json:"operation,omitempty"`
	Max       int               `json:"max"`
	Seconds   int               `json:"per_seconds,omitzero"`
}

type usage struct {
	Requests   int64     `json:"requests"`
	Limit      int64     `json:"limit"`
	ResetAt    time.Time `json:"reset_at"`
	MediaBytes int64     `json:"media_bytes"`
	MediaQuota int64     `json:"media_quota"`
	TextBytes  int64     `json:"text_bytes"`
	TextQuota  int64     `json:"text_quota"`
}

type hold struct {
	Since  time.Time  `json:"since"`
	Until  *time.Time `json:"until,omitempty"`
	Reason Text       `json:"reason"`
}

type leash struct {
	PostsPerDay   *int     `json:"posts_per_day,omitempty"`
	PostsUsed     int      `json:"posts_used"`
	CentsPerDay   *int64   `json:"cents_per_day,omitempty"`
	CentsUsed     int64    `json:"cents_used"`
	MissionIDs    []string `json:"mission_ids,omitempty" doc:"absent: all"`
	ChangingCalls int64    `json:"changing_calls"`
}

func accountTools() []*tool {
	return []*tool{
		doing(tool{
			name: "accounts_and_limits", title: "Read accounts and limits", op: mission.OpIntegrationsList, reads: true,
			also:        []mission.Operation{mission.OpPlatformsList, mission.OpMissionsLimits, mission.OpUsage, mission.OpHoldRead, mission.OpMediaList},
			description: "Returns the connected accounts with what their platforms take, the limits and the usage, what this credential may do and, for an agent, its leash. With detail full also all platforms and the latest files.",
		}, getAccounts),
	}
}

// Bounds of the accounts and files that are shown.
const (
	conciseAccounts = 12
	maxAccounts     = 100
	maxFiles        = 20
	conciseLimits   = 8
)

func getAccounts(ctx context.Context, c *call, in accountsIn) (out accountsOut, err error) {
	if err := c.may(ctx, mission.OpPlatformsList, mission.OpUsage); err != nil {
		return out, err
	}
	on, err := c.integrations.AccountsOn(ctx, c.p, names(mission.AllPlatforms()))
	if err != nil {
		return out, err
	}
	out.Platforms, out.More = showPlatforms(on, in.detailed)
	u, err := c.accounts.Usage(ctx, c.p)
	if err != nil {
		return out, err
	}
	out.Usage = usage{u.Requests, u.Limit, u.ResetAt, u.MediaBytes, u.MediaQuota, u.TextBytes, u.TextQuota}
	out.Limits, out.Scopes = c.showLimits(in.detailed), names(c.p.Scopes)
	if out.Leash, err = c.leash(ctx); err != nil {
		return out, err
	}
	if c.adds(ctx, mission.OpHoldRead) {
		h, err := c.missions.TenantHold(ctx, c.p)
		if err != nil {
			return out, err
		}
		if h != nil {
			out.Hold = &hold{h.Since, h.Until, cutTo(h.Reason, fromTenant, reasonBytes)}
		}
	}
	if !in.full() || !c.adds(ctx, mission.OpMediaList) {
		return out, nil
	}
	list, err := c.media.List(ctx, c.p, media.Filter{Status: mission.MediaReady}, store.Page{Limit: maxFiles})
	for _, m := range list.List {
		out.Files = append(out.Files, showFile(m))
	}
	return out, err
}

// showPlatforms returns the platforms with their accounts, and how many accounts were left out.
func showPlatforms(on map[string][]mission.Integration, d detailed) (list []platform, more int) {
	left := conciseAccounts
	if d.full() {
		left = maxAccounts
	}
	list = []platform{}
	for _, caps := range mission.AllCapabilities() {
		accounts := on[string(caps.Platform)]
		if len(accounts) == 0 && !d.full() {
			continue
		}
		p := platform{
			Platform: caps.Platform, MaxLength: caps.MaxLength, Formats: caps.Formats, FirstComment: caps.FirstComment, NeedsFile: caps.Media.Required,
			Accounts: []account{},
		}
		for _, each := range accounts {
			if left--; left < 0 {
				more++
				continue
			}
			shown := account{ID: each.ID, Default: each.Default, Status: each.Status}
			if each.Account != nil {
				shown.Handle = some(each.Account.Handle, fromPlatform, nameBytes)
			}
			p.Accounts = append(p.Accounts, shown)
		}
		list = append(list, p)
	}
	return list, more
}

// showLimits returns the limits of the tenant: of requests and missions alone unless all are asked
// for.
func (c *call) showLimits(d detailed) []limit {
	list := []limit{}
	for _, l := range c.p.TenantLimits() {
		if d.full() || len(list) < conciseLimits && (l.Kind == mission.LimitOfRequests || l.Operation == mission.OpMissionsCreate || l.Operation == mission.OpContentRegenerate) {
			list = append(list, limit{l.Kind, l.Operation, l.Max, int(l.Per.Seconds())})
		}
	}
	return list
}
