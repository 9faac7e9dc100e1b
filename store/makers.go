package store

import (
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

// makerRow is the maker of a credential as it is now, beside the credential's row; see withMaker.
type makerRow struct {
	MakerID        string          `bun:",scanonly"`
	MakerTenant    string          `bun:",scanonly"`
	MakerRole      mission.Role    `bun:",scanonly"`
	MakerScopes    []mission.Scope `bun:",scanonly"`
	MakerExpiresAt *time.Time      `bun:",scanonly"`
	MakerGraceEnds *time.Time      `bun:",scanonly"`
	MakerRevokedAt *time.Time      `bun:",scanonly"`
	MakerDeletesAt *time.Time      `bun:",scanonly"`
}

func (r makerRow) maker() mission.Maker {
	ends := mission.APIKey{ExpiresAt: r.MakerExpiresAt, GraceUntil: r.MakerGraceEnds, RevokedAt: r.MakerRevokedAt}
	return mission.Maker{
		TenantID: r.MakerTenant, Scopes: r.MakerScopes, Role: r.MakerRole, EndsAt: ends.EndsAt(),
		Agent: strings.HasPrefix(r.MakerID, mission.PrefixAgent), DeletesAt: r.MakerDeletesAt,
	}
}

// joinMaker has a query of credentials join their makers: by, an expression, is the id of a user, an API key or an agent.
func joinMaker(q *bun.SelectQuery, by string) *bun.SelectQuery {
	return q.Join("LEFT JOIN api_keys AS mk ON mk.id = " + by).Join("LEFT JOIN agent_grants AS ma ON ma.id = " + by).
		Join("LEFT JOIN users AS mu ON mu.id = COALESCE(mk.user_id, ma.user_id, " + by + ")").
		Join("LEFT JOIN tenants AS mt ON mt.id = mu.tenant_id")
}

// withMaker has a query of credentials read their makers too; see joinMaker. A key works on without the user who made it.
func withMaker(q *bun.SelectQuery, by string) *bun.SelectQuery {
	return joinMaker(q, by).ColumnExpr(by + " AS maker_id").
		ColumnExpr("COALESCE(mt.id, '') AS maker_tenant").ColumnExpr("COALESCE(mu.role, '') AS maker_role").
		ColumnExpr("COALESCE(mk.scopes, ma.scopes) AS maker_scopes").
		ColumnExpr("COALESCE(mk.expires_at, ma.expires_at) AS maker_expires_at").ColumnExpr("mk.grace_until AS maker_grace_ends").
		ColumnExpr("CASE WHEN mk.id IS NULL AND ma.id IS NULL THEN mu.removed_at ELSE COALESCE(mk.revoked_at, ma.revoked_at) END AS maker_revoked_at").
		ColumnExpr("mt.deletes_at AS maker_deletes_at")
}
