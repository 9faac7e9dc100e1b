package graph

import (
	"context"
	"strings"

	"missiond/graph/node"
	"missiond/mission"
)

// showKeys shows keys as they stand now, with their usage.
func (r *Resolver) showKeys(ctx context.Context, keys ...mission.APIKey) ([]node.APIKey, error) {
	recent, err := r.accounts.KeyUsage(ctx, caller(ctx), keys...)
	if err != nil {
		return nil, err
	}
	shown := make([]node.APIKey, len(keys))
	for i, k := range keys {
		shown[i] = node.NewAPIKey(k, recent[k.ID], r.clock.Now())
	}
	return shown, nil
}

// reader reads a record by its id, for callers that may do its operation.
type reader struct {
	operation mission.Operation
	read      func(ctx context.Context, p mission.Principal, id string) (node.Node, error)
}

// readers answers what reads the records of each type, by their ids' prefixes.
func (r *Resolver) readers() map[string]reader {
	return map[string]reader{
		mission.PrefixMission: {mission.OpMissionsRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			m, err := r.service.Mission(ctx, p, id)
			return &m, err
		}},
		mission.PrefixContent: {mission.OpContentRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			c, err := r.service.Content(ctx, p, id)
			return &c, err
		}},
		mission.PrefixJob: {mission.OpJobsRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			m, j, err := r.service.Job(ctx, p, id)
			return node.NewJob(m, j), err
		}},
		mission.PrefixWebhook: {mission.OpWebhooksRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			w, err := r.webhooks.Webhook(ctx, p, id)
			return &w, err
		}},
		mission.PrefixDelivery: {mission.OpDeliveriesRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			d, err := r.webhooks.Delivery(ctx, p, id)
			return &d, err
		}},
		mission.PrefixEvent: {mission.OpEventsRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			e, err := r.service.Event(ctx, p, id)
			if err != nil {
				return nil, err
			}
			return node.NewEvent(e)
		}},
		mission.PrefixNotification: {mission.OpNotificationsRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			n, err := r.accounts.Notification(ctx, p, id)
			return &n, err
		}},
		mission.PrefixUser: {mission.OpMembersRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			u, err := r.accounts.Member(ctx, p, id)
			return &u, err
		}},
		mission.PrefixTenant: {mission.OpTenantRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			t, err := r.accounts.Tenant(ctx, p)
			if err == nil && t.ID != id {
				return nil, mission.NotFound("record", id)
			}
			return &t, err
		}},
		mission.PrefixKey: {mission.OpKeysRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			k, err := r.accounts.Key(ctx, p, id)
			if err != nil {
				return nil, err
			}
			shown, err := r.showKeys(ctx, k)
			if err != nil {
				return nil, err
			}
			return &shown[0], nil
		}},
		mission.PrefixAudit: {mission.OpAuditRead, func(ctx context.Context, p mission.Principal, id string) (node.Node, error) {
			e, err := r.accounts.AuditEntry(ctx, p, id)
			return &e, err
		}},
	}
}

// readNode reads the record with an id, of whatever type. Errors: not_found;
// forbidden where the caller lacks the type's scope.
func (r *Resolver) readNode(ctx context.Context, id string) (node.Node, error) {
	prefix, _, _ := strings.Cut(id, "_")
	reader, ok := r.readers()[prefix+"_"]
	if !ok {
		return nil, mission.NotFound("record", id)
	}
	p := caller(ctx)
	if err := p.Check(reader.operation); err != nil {
		return nil, err
	}
	n, err := reader.read(ctx, p, id)
	if err != nil {
		return nil, err
	}
	return n, nil
}
