package graph

import (
	"context"
	"maps"
	"slices"
	"strings"

	"missiond/graph/node"
	"missiond/mission"
)

// showKeys returns keys as they are shown now, with their usage.
func (r *Resolver) showKeys(ctx context.Context, keys ...mission.APIKey) ([]node.APIKey, error) {
	recent, err := r.accounts.KeyUsage(ctx, caller(ctx), keys...)
	if err != nil {
		return nil, err
	}
	loading(ctx).met(idsOf([][]mission.APIKey{keys}, func(k *mission.APIKey) string { return k.UserID }))
	shown := make([]node.APIKey, len(keys))
	for i, k := range keys {
		shown[i] = node.NewAPIKey(k, recent[k.ID], r.clock.Now())
	}
	return shown, nil
}

// reader reads records by id, for callers that may call its operation.
type reader struct {
	operation mission.Operation
	read      func(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error)
}

// as adapts a read of records to nodes; met, unless nil, receives the records that
// were read together.
func as[T any](
	read func(ctx context.Context, p mission.Principal, ids []string) (map[string]T, error),
	met func(*loaders, ...[]T),
) func(context.Context, mission.Principal, []string) (map[string]node.Node, error) {
	return func(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
		found, err := read(ctx, p, ids)
		if met != nil {
			met(loading(ctx), slices.Collect(maps.Values(found)))
		}
		nodes := make(map[string]node.Node, len(found))
		for id, record := range found {
			nodes[id] = &record
		}
		return nodes, err
	}
}

// readers returns the reader of each type, by id prefix.
func (r *Resolver) readers() map[string]reader {
	return map[string]reader{
		mission.PrefixMission:      {mission.OpMissionsRead, as(r.missions.MissionsByID, (*loaders).metMissions)},
		mission.PrefixContent:      {mission.OpContentRead, as(r.missions.ContentsByID, (*loaders).metContents)},
		mission.PrefixComment:      {mission.OpContentComments, as(r.missions.ReviewCommentsByID, (*loaders).metComments)},
		mission.PrefixReply:        {mission.OpRepliesRead, r.replyNodes},
		mission.PrefixReviewLink:   {mission.OpReviewLinksRead, as(r.missions.ReviewLinksByID, (*loaders).metReviewLinks)},
		mission.PrefixJob:          {mission.OpJobsRead, r.jobNodes},
		mission.PrefixWebhook:      {mission.OpWebhooksRead, as(r.webhooks.WebhooksByID, (*loaders).metWebhooks)},
		mission.PrefixMedia:        {mission.OpMediaRead, r.mediaNodes},
		mission.PrefixIntegration:  {mission.OpIntegrationsRead, as(r.integrations.IntegrationsByID, nil)},
		mission.PrefixDelivery:     {mission.OpDeliveriesRead, as(r.webhooks.DeliveriesByID, (*loaders).metDeliveries)},
		mission.PrefixEvent:        {mission.OpEventsRead, r.eventNodes},
		mission.PrefixNotification: {mission.OpNotificationsRead, as(r.accounts.NotificationsByID, (*loaders).metNotifications)},
		mission.PrefixUser:         {mission.OpMembersRead, as(r.accounts.MembersByID, nil)},
		mission.PrefixTenant:       {mission.OpTenantRead, r.tenantNodes},
		mission.PrefixKey:          {mission.OpKeysRead, r.keyNodes},
		mission.PrefixAgent:        {mission.OpAgentsRead, r.agentNodes},
		mission.PrefixSession:      {mission.OpSessionsList, r.sessionNodes},
		mission.PrefixAudit:        {mission.OpAuditRead, as(r.accounts.AuditEntriesByID, (*loaders).metAudit)},
	}
}

func (r *Resolver) jobNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	jobs, err := r.missions.JobsByID(ctx, p, ids, "")
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	list := slices.Collect(maps.Values(jobs))
	loading(ctx).metJobs(list)
	missions, err := r.missions.MissionsByID(ctx, p, idsOf([][]mission.Job{list}, func(j *mission.Job) string { return j.MissionID }))
	nodes := make(map[string]node.Node, len(jobs))
	for id, j := range jobs {
		nodes[id] = node.NewJob(missions[j.MissionID], j)
	}
	return nodes, err
}

func (r *Resolver) eventNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	events, err := r.webhooks.EventsByID(ctx, p, ids)
	loading(ctx).metEvents(slices.Collect(maps.Values(events)))
	nodes := make(map[string]node.Node, len(events))
	for id, e := range events {
		if nodes[id], err = node.NewEvent(e); err != nil {
			return nil, err
		}
	}
	return nodes, err
}

// replyNodes returns replies.
func (r *Resolver) replyNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	found, err := r.missions.RepliesByID(ctx, p, ids)
	nodes := make(map[string]node.Node, len(found))
	for id, each := range found {
		shown := r.showReply(ctx, each)
		nodes[id] = &shown
	}
	return nodes, err
}

// showReply returns a reply as shown; its mission, post and account are read together with those of
// its siblings.
func (r *Resolver) showReply(ctx context.Context, each mission.Reply) node.Reply {
	loading(ctx).metReplies([]mission.Reply{each})
	return node.NewReply(each)
}

// mediaNodes returns files.
func (r *Resolver) mediaNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	found, err := r.media.ByID(ctx, p, ids)
	nodes := make(map[string]node.Node, len(found))
	for id, m := range found {
		nodes[id] = node.NewMedia(m, r.media.Link)
	}
	return nodes, err
}

// tenantNodes returns the caller's tenant: no other can be read.
func (r *Resolver) tenantNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	if !slices.Contains(ids, p.TenantID) {
		return nil, nil
	}
	t, err := r.accounts.Tenant(ctx, p)
	return map[string]node.Node{p.TenantID: &t}, err
}

func (r *Resolver) keyNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	found, err := r.keysByID(ctx, p, ids)
	if err != nil {
		return nil, err
	}
	nodes := make(map[string]node.Node, len(found))
	for id, k := range found {
		nodes[id] = &k
	}
	return nodes, nil
}

func (r *Resolver) sessionNodes(ctx context.Context, p mission.Principal, ids []string) (map[string]node.Node, error) {
	found, err := r.accounts.SessionsByID(ctx, p, ids)
	nodes := make(map[string]node.Node, len(found))
	for id, s := range found {
		shown := node.NewSession(s, p)
		nodes[id] = &shown
	}
	return nodes, err
}

// keysByID returns the tenant's API keys with the given ids, by id.
func (r *Resolver) keysByID(ctx context.Context, p mission.Principal, ids []string) (map[string]node.APIKey, error) {
	found, err := r.accounts.KeysByID(ctx, p, ids)
	if err != nil {
		return nil, err
	}
	keys, err := r.showKeys(ctx, slices.Collect(maps.Values(found))...)
	byID := make(map[string]node.APIKey, len(keys))
	for _, k := range keys {
		byID[k.ID] = k
	}
	return byID, err
}

// readNodes reads the records with ids, of any types, in one statement or two for
// each type. Errors: forbidden if the caller lacks the scope of one.
func (r *Resolver) readNodes(ctx context.Context, ids []string) (map[string]node.Node, error) {
	byPrefix := map[string][]string{}
	for _, id := range ids {
		prefix, _, _ := strings.Cut(id, "_")
		if prefix += "_"; mission.HasIDForm(prefix, id) {
			byPrefix[prefix] = append(byPrefix[prefix], id)
		}
	}
	p, readers, found := caller(ctx), r.readers(), map[string]node.Node{}
	for _, prefix := range slices.Sorted(maps.Keys(byPrefix)) { // so that the same scope is named each time
		reader, ok := readers[prefix]
		if !ok {
			continue
		}
		if err := p.Check(reader.operation); err != nil {
			return nil, err
		}
		nodes, err := reader.read(ctx, p, byPrefix[prefix])
		if err != nil {
			return nil, err
		}
		maps.Copy(found, nodes)
	}
	return found, nil
}
