package store

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// TenantTable is a table with data of tenants.
type TenantTable struct {
	Name string
	// key is the primary key; of is the condition on a tenant's rows, with ?
	// for its id.
	key []string
	of  string
	// Why is the reason why an export leaves the table out, or "" if it
	// doesn't.
	Why string
	// Omitted are the columns that an export leaves out.
	Omitted []string
}

// Conditions on a tenant's rows.
const (
	byTenant   = "tenant_id = ?"
	byMission  = "mission_id IN (SELECT id FROM missions WHERE tenant_id = ?)"
	byContent  = "content_id IN (SELECT id FROM contents WHERE tenant_id = ?)"
	byJob      = "job_id IN (SELECT id FROM jobs WHERE mission_id IN (SELECT id FROM missions WHERE tenant_id = ?))"
	byDelivery = "delivery_id IN (SELECT id FROM deliveries WHERE webhook_id IN (SELECT id FROM webhooks WHERE tenant_id = ?))"
)

// Reasons for which an export leaves a table out.
const (
	whyDerived   = "it is derived from the rows of other tables"
	whyTransient = "it is transient state of the service"
)

// tenantTables are the tables with data of tenants, except tenants itself. A
// table comes before those that it refers to.
var tenantTables = []TenantTable{
	{Name: "delivery_attempts", key: []string{"delivery_id", "number"}, of: byDelivery},
	{Name: "deliveries", key: []string{"id"}, of: byTenant},
	{Name: "webhook_events", key: []string{"tenant_id", "type", "webhook_id"}, of: byTenant, Why: whyDerived},
	{Name: "webhooks", key: []string{"id"}, of: byTenant, Omitted: []string{"sealed", "sealed_old", "code"}},
	{Name: "events", key: []string{"id"}, of: byTenant},
	{Name: "notification_log", key: []string{"tenant_id", "seq"}, of: byTenant, Why: whyDerived},
	{Name: "notifications", key: []string{"id"}, of: byTenant},
	{Name: "tasks", key: []string{"id"}, of: byTenant + " AND type <> 'tenant:delete'", Why: whyTransient},
	{Name: "sandbox_posts", key: []string{"id"}, of: byContent},
	{Name: "replies", key: []string{"id"}, of: byTenant},
	{Name: "review_comments", key: []string{"id"}, of: byTenant},
	{Name: "content_reviews", key: []string{"id"}, of: byTenant},
	{Name: "content_records", key: []string{"content_id"}, of: byTenant},
	{Name: "link_clicks", key: []string{"link_id", "day"}, of: byTenant},
	{Name: "tracked_links", key: []string{"id"}, of: byTenant},
	{Name: "content_revisions", key: []string{"content_id", "revision"}, of: byTenant},
	{Name: "measurements", key: []string{"content_id", "step"}, of: byMission},
	{Name: "media_turns", key: []string{"tenant_id"}, of: byTenant, Why: whyTransient},
	{Name: "media_uses", key: []string{"media_id", "content_id"}, of: byTenant, Why: whyDerived},
	{Name: "media_words", key: []string{"tenant_id", "word", "media_id"}, of: byTenant, Why: whyDerived},
	{Name: "media", key: []string{"id"}, of: byTenant},
	{Name: "content_texts", key: []string{"content_id"}, of: byTenant, Why: whyDerived},
	{Name: "contents", key: []string{"id"}, of: byTenant},
	{Name: "stages", key: []string{"job_id", "name"}, of: byJob},
	{Name: "planned_slots", key: []string{"job_id", "position"}, of: byTenant, Why: whyDerived},
	{Name: "spendings", key: []string{"id"}, of: byMission},
	{Name: "jobs", key: []string{"id"}, of: byMission},
	{Name: "mission_learning", key: []string{"mission_id"}, of: byMission},
	{Name: "mission_names", key: []string{"tenant_id", "key", "mission_id", "shared"}, of: byTenant, Why: whyDerived},
	{Name: "mission_platforms", key: []string{"mission_id", "platform"}, of: byTenant, Why: whyDerived},
	{Name: "next_posts", key: []string{"mission_id"}, of: byTenant, Why: whyDerived},
	{Name: "agent_tokens", key: []string{"hash"}, of: byTenant, Why: "it has no more than the hashes of secrets"},
	{Name: "agent_days", key: []string{"agent_id", "day"}, of: byTenant},
	{Name: "agent_grants", key: []string{"id"}, of: byTenant},
	{Name: "review_links", key: []string{"id"}, of: byTenant, Omitted: []string{"hash"}},
	{Name: "missions", key: []string{"id"}, of: byTenant},
	{Name: "day_figures", key: []string{"tenant_id", "mission_id", "date", "platform", "integration_id"}, of: byTenant},
	{Name: "content_totals", key: []string{"tenant_id", "mission_id", "platform", "status"}, of: byTenant, Why: whyDerived},
	{Name: "mission_totals", key: []string{"tenant_id", "platform", "status"}, of: byTenant, Why: whyDerived},
	{Name: "account_holds", key: []string{"tenant_id", "platform", "integration_id"}, of: byTenant, Why: whyTransient},
	{Name: "integration_grants", key: []string{"state_hash"}, of: byTenant, Why: whyTransient},
	{Name: "tenant_apps", key: []string{"tenant_id", "platform"}, of: byTenant, Omitted: []string{"sealed"}},
	{Name: "tenant_writers", key: []string{"tenant_id"}, of: byTenant, Omitted: []string{"sealed"}},
	{Name: "account_days", key: []string{"integration_id", "day"}, of: byTenant},
	{Name: "integrations", key: []string{"id"}, of: byTenant, Omitted: []string{"sealed"}},
	{Name: "idempotency_results", key: []string{"tenant_id", "key", "step"}, of: byTenant, Why: whyTransient},
	{Name: "idempotency_keys", key: []string{"tenant_id", "key"}, of: byTenant, Why: whyTransient},
	{Name: "usage_days", key: []string{"tenant_id", "key_id", "day"}, of: byTenant},
	{Name: "sessions", key: []string{"id"}, of: byTenant, Omitted: []string{"generation", "superseded"}},
	{Name: "api_keys", key: []string{"id"}, of: byTenant, Omitted: []string{"hash"}},
	{Name: "audit_log", key: []string{"id"}, of: byTenant},
	{Name: "counters", key: []string{"tenant_id", "name"}, of: byTenant, Why: whyDerived},
	{Name: "post_drafts", key: []string{"id"}, of: byTenant},
	{Name: "users", key: []string{"id"}, of: byTenant},
}

// TenantTables returns the tables with data of tenants, except tenants itself,
// in an order in which their rows can be deleted.
func TenantTables() []TenantTable { return tenantTables }

// DropTenantRows deletes up to limit of a tenant's rows of a table, and returns
// their number.
func (tx Tx) DropTenantRows(ctx context.Context, t TenantTable, tenantID string, limit int) (int, error) {
	key := bun.Safe(strings.Join(t.key, ", "))
	return tx.changed(ctx, tx.NewRaw("DELETE FROM ? WHERE (?) IN (SELECT ? FROM ? WHERE ? LIMIT ?)",
		bun.Ident(t.Name), key, key, bun.Ident(t.Name), bun.SafeQuery(t.of, tenantID), database.Int(limit)))
}

// DropTenant deletes a tenant whose other data is deleted.
func (tx Tx) DropTenant(ctx context.Context, id string) error {
	_, err := tx.changed(ctx, tx.NewDelete().Model((*tenantRow)(nil)).Where("id = ?", id))
	return err
}
