package rest

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

const tagTenant tag = "Tenant"

// routeTenant registers the routes of a tenant's settings, members and audit log.
func (a *API) routeTenant() {
	handleBody(a, tagTenant.post(mission.OpOnboard, "/v1/onboard",
		"Name the tenant, store its brand and create its first mission").created().
		withExample(`{"name":"Acme","brand":{"voice":"Plain, warm, never shouting","website":"https://acme.example"}}`), a.onboard)
	handle(a, tagTenant.get(mission.OpTenantRead, "/v1/tenant", "Read the tenant's settings"), a.readTenant)
	handleBody(a, tagTenant.put(mission.OpTenantUpdate, "/v1/tenant", "Update the tenant's settings").
		withExample(`{"brand":{"audience":"Small teams that ship every week","excluded_topics":["politics"]}}`), a.updateTenant)
	handleBody(a, tagTenant.post(mission.OpSample, "/v1/tenant/sample", "Write a post in the tenant's brand, which isn't stored").
		withExample(`{"platform":"linkedin","brand":{"voice":"Plain, warm, never shouting"}}`), a.writeSample)
	handle(a, tagTenant.get(mission.OpMembersList, "/v1/members", "List the tenant's members"), a.listMembers)
	handle(a, tagTenant.get(mission.OpMembersRead, "/v1/members/{id}", "Read a member"), a.readMember)
	handleBody(a, tagTenant.put(mission.OpMembersUpdate, "/v1/members/{id}", "Change a member's role").
		withExample(`{"role":"editor"}`), a.updateMember)
	handle(a, tagTenant.delete(mission.OpMembersDelete, "/v1/members/{id}", "Remove a member"), a.removeMember)
	handle(a, tagTenant.post(mission.OpMembersEnd, "/v1/members/{id}/end_sessions", "End all of a member's sessions"), a.endSessions)
	handle(a, tagTenant.delete(mission.OpTenantDelete, "/v1/tenant", "Schedule the tenant's deletion in 14 days"), a.deleteTenant)
	handle(a, tagTenant.post(mission.OpTenantRestore, "/v1/tenant/restore", "Cancel the tenant's deletion"), a.restoreTenant)
	handle(a, tagTenant.get(mission.OpHoldRead, "/v1/tenant/hold", "Read whether the tenant is on hold"), a.readHold)
	handleBody(a, tagTenant.post(mission.OpHold, "/v1/tenant/hold", "Put the tenant on hold: nothing is published until it is released").
		withExample(`{"reason":"An accident at the venue"}`), a.holdTenant)
	handle(a, tagTenant.delete(mission.OpRelease, "/v1/tenant/hold", "Release the tenant from its hold"), a.releaseTenant)
	handle(a, tagTenant.get(mission.OpWriterRead, "/v1/tenant/writer", "Read the tenant's own writer"), a.readWriter)
	handleBody(a, tagTenant.put(mission.OpWriterSet, "/v1/tenant/writer", "Have the tenant's posts written by a language model of its own").
		withExample(`{"url":"https://api.openai.com/v1","model":"gpt-5-mini","key":"sk-proj-0000","prices":{"input":0.25,"output":2}}`), a.setWriter)
	handle(a, tagTenant.delete(mission.OpWriterRemove, "/v1/tenant/writer", "Have the tenant's posts written by the service's writer again"), a.removeWriter)
	handle(a, tagTenant.get(mission.OpAppRead, "/v1/tenant/platforms/{platform}", "Read the tenant's own application at a platform"), a.readApp)
	handleBody(a, tagTenant.put(mission.OpAppSet, "/v1/tenant/platforms/{platform}", "Connect a platform's accounts through an application of the tenant's own").
		withExample(`{"client_id":"M1M5R3BMVy13QmpScXkzTUt5OE46MTpjaQ","client_secret":"c2VjcmV0"}`), a.setApp)
	handle(a, tagTenant.delete(mission.OpAppRemove, "/v1/tenant/platforms/{platform}", "Connect a platform's accounts through the operator's application again"), a.removeApp)
	handle(a, tagTenant.get(mission.OpAuditList, "/v1/audit-log", "List the audit log"), a.listAudit)
	handle(a, tagTenant.get(mission.OpAuditRead, "/v1/audit-log/{id}", "Read an entry of the audit log"), a.readAudit)
}

type shownBrand struct {
	Voice          *string          `json:"voice" doc:"How the brand speaks" example:"Plain, warm, never shouting"`
	Audience       *string          `json:"audience" doc:"Whom the posts speak to" example:"Small teams that ship every week"`
	Website        *string          `json:"website" doc:"Where the brand is at home" example:"https://acme.example"`
	ExcludedTopics []string         `json:"excluded_topics" doc:"Added to each mission's own" example:"politics"`
	Language       *string          `json:"language" doc:"The language of posts of missions that state none, as a BCP 47 tag" example:"en-GB"`
	Examples       []string         `json:"examples" doc:"Posts that are as the brand's should be" example:"Version 2.0 is out. It is faster. That is all."`
	RequiredWords  []string         `json:"required_words" doc:"What each post that a writer writes has" example:"Acme"`
	BannedWords    []string         `json:"banned_words" doc:"What no post has" example:"revolutionary"`
	Emoji          mission.EmojiUse `json:"emoji" doc:"Whether posts have emoji; few: 3 at most" example:"few"`
	Hashtags       shownHashtags    `json:"hashtags" doc:"The rule of hashtags"`
	Facts          []shownFact      `json:"facts" doc:"What posts may state as facts, expired ones too"`
}

type shownHashtags struct {
	Max    *int     `json:"max" doc:"How many hashtags a post has at most; null for no limit of the brand's" example:"3"`
	Always []string `json:"always" doc:"Those that each post has" example:"#acme"`
}

type shownFact struct {
	Text      string     `json:"text" doc:"What posts may state" example:"Over 4,000 teams use Acme."`
	Source    *string    `json:"source" doc:"Where it stands" example:"https://acme.example/customers"`
	ExpiresAt *time.Time `json:"expires_at" doc:"Until when it holds; null for no end"`
}

func showBrand(b mission.Brand) shownBrand {
	facts := make([]shownFact, len(b.Facts))
	for i, f := range b.Facts {
		facts[i] = shownFact(f)
	}
	return shownBrand{
		Voice: orNull(b.Voice), Audience: orNull(b.Audience), Website: orNull(b.Website),
		ExcludedTopics: append([]string{}, b.ExcludedTopics...), Language: orNull(b.Language), Examples: append([]string{}, b.Examples...),
		RequiredWords: append([]string{}, b.RequiredWords...), BannedWords: append([]string{}, b.BannedWords...), Emoji: b.EmojiUse(),
		Hashtags: shownHashtags{Max: b.Hashtags.Max, Always: append([]string{}, b.Hashtags.Always...)},
		Facts:    facts,
	}
}

type tenantSettings struct {
	ID               string             `json:"id" doc:"Its id" example:"tnt_01jnd2x6k8e4rvt0m7y3bqz5cg"`
	Name             string             `json:"name" doc:"What people call it" example:"Acme"`
	Slug             string             `json:"slug" doc:"Its short name; others may have the same" example:"acme"`
	Plan             mission.TenantPlan `json:"plan" doc:"The tenant's plan" example:"pro"`
	Brand            shownBrand         `json:"brand"`
	AgentsMayApprove bool               `json:"agents_may_approve" doc:"Whether agents may approve posts that people or the service's writer wrote" example:"false"`
	CreatedAt        time.Time          `json:"created_at" doc:"When it was made"`
	UpdatedAt        time.Time          `json:"updated_at" doc:"When it changed last"`
	DeletesAt        *time.Time         `json:"deletes_at" doc:"When the tenant will be deleted with all its data; null if no deletion is scheduled"`
}

func showTenant(t mission.Tenant) tenantSettings {
	return tenantSettings{
		ID: t.ID, Name: t.Name, Slug: t.Slug, Plan: t.Plan, Brand: showBrand(t.Brand), AgentsMayApprove: t.AgentsMayApprove, CreatedAt: t.CreatedAt,
		UpdatedAt: t.UpdatedAt, DeletesAt: t.DeletesAt,
	}
}

type onboarded struct {
	Tenant struct {
		ID   string `json:"id" doc:"Its id" example:"tnt_01jnd2x6k8e4rvt0m7y3bqz5cg"`
		Name string `json:"name" doc:"What people call it" example:"Acme"`
		Slug string `json:"slug" doc:"Its short name; others may have the same" example:"acme"`
	} `json:"tenant"`
	Brand     shownBrand               `json:"brand"`
	Mission   nullable[createdMission] `json:"mission" doc:"null if none was requested"`
	NextSteps []string                 `json:"next_steps" doc:"Suggested next steps" example:"Connect a platform"`
}

func (a *API) onboard(ctx context.Context, p mission.Principal, _ *RawText, in mission.OnboardInput) (onboarded, error) {
	done, err := a.accounts.Onboard(ctx, p, in)
	o := onboarded{Brand: showBrand(done.Tenant.Brand), NextSteps: done.NextSteps}
	o.Tenant.ID, o.Tenant.Name, o.Tenant.Slug = done.Tenant.ID, done.Tenant.Name, done.Tenant.Slug
	if done.Mission != nil {
		m := a.showCreated(*done.Mission)
		o.Mission.value = &m
	}
	return o, err
}

func (a *API) readTenant(ctx context.Context, p mission.Principal, _ *struct{}) (tenantSettings, error) {
	t, err := a.accounts.Tenant(ctx, p)
	return showTenant(t), err
}

func (a *API) updateTenant(ctx context.Context, p mission.Principal, _ *RawText, in mission.TenantInput) (tenantSettings, error) {
	t, err := a.accounts.UpdateTenant(ctx, p, in)
	return showTenant(t), err
}

// MemberPath has the parameters of a member's routes.
type MemberPath struct {
	ID string `path:"id" doc:"The member's id" example:"usr_01jd0000000000000000000000"`
}

type member struct {
	ShownUser

	Role      mission.Role `json:"role" doc:"What the person may do" example:"editor"`
	CreatedAt time.Time    `json:"created_at" doc:"When it was made"`
}

func showMember(u mission.User) member {
	return member{ShownUser: showUser(u), Role: u.Role, CreatedAt: u.CreatedAt}
}

func (a *API) listMembers(ctx context.Context, p mission.Principal, in *Paging) (page[member], error) {
	list, err := a.accounts.Members(ctx, p, in.page())
	return counted(list, err, func() (int, error) { return a.accounts.CountMembers(ctx, p) }, showMember)
}

func (a *API) readMember(ctx context.Context, p mission.Principal, in *MemberPath) (member, error) {
	u, err := a.accounts.Member(ctx, p, in.ID)
	return showMember(u), err
}

type memberParams struct {
	MemberPath
	RawText
}

type memberBody struct {
	Role mission.Role `json:"role" enum:"admin,editor,viewer" doc:"What the person may do" example:"editor"`
}

func (a *API) updateMember(ctx context.Context, p mission.Principal, in *memberParams, body memberBody) (member, error) {
	u, err := a.accounts.SetMemberRole(ctx, p, in.ID, body.Role)
	return showMember(u), err
}

type removeParams struct {
	MemberPath

	Keys mission.MemberKeys `query:"keys" enum:"keep,revoke" doc:"What happens to the API keys that the member created; they are revoked if this is omitted" example:"keep"`
}

type removedMember struct {
	ID            string     `json:"id" doc:"Its id" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	Deleted       bool       `json:"deleted" doc:"That it was deleted: always true" example:"true"`
	SessionsEnded int        `json:"sessions_ended" doc:"How many of the member's sessions were ended" example:"2"`
	Keys          []ShownKey `json:"keys" doc:"The API keys that the member created: those that were revoked now or, with keys=keep, those that still work"`
}

func (a *API) removeMember(ctx context.Context, p mission.Principal, in *removeParams) (removedMember, error) {
	r, err := a.accounts.RemoveMember(ctx, p, in.ID, in.Keys)
	removed := removedMember{ID: in.ID, Deleted: err == nil, SessionsEnded: r.Sessions, Keys: make([]ShownKey, len(r.Keys))}
	for i, k := range r.Keys {
		removed.Keys[i] = a.showKey(k)
	}
	return removed, err
}

type endedSessions struct {
	ID            string `json:"id" doc:"Its id" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	SessionsEnded int    `json:"sessions_ended" doc:"How many of the member's sessions were ended" example:"2"`
}

func (a *API) endSessions(ctx context.Context, p mission.Principal, in *MemberPath) (endedSessions, error) {
	u, n, err := a.accounts.EndMemberSessions(ctx, p, in.ID)
	return endedSessions{ID: u.ID, SessionsEnded: n}, err
}

type deleteParams struct {
	Confirm string `query:"confirm" doc:"The tenant's slug" example:"acme"`
}

func (a *API) deleteTenant(ctx context.Context, p mission.Principal, in *deleteParams) (tenantSettings, error) {
	t, err := a.accounts.DeleteTenant(ctx, p, in.Confirm)
	return showTenant(t), err
}

func (a *API) restoreTenant(ctx context.Context, p mission.Principal, _ *struct{}) (tenantSettings, error) {
	t, err := a.accounts.RestoreTenant(ctx, p)
	return showTenant(t), err
}

type auditID struct {
	ID string `path:"id" doc:"The entry's id" example:"aud_01jd0000000000000000000000"`
}

type auditEntry struct {
	ID        string              `json:"id" doc:"Its id" example:"aud_01jnd2x6k8e4rvt0m7y3bqz5ck"`
	Action    mission.AuditAction `json:"action" doc:"What was done" example:"api_key.created"`
	TargetID  string              `json:"target_id" doc:"The id of what was changed" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	UserID    *string             `json:"user_id" doc:"The user who did it; null for the operator" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	KeyID     *string             `json:"key_id" doc:"The API key it was done with; null in a session" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	AgentID   *string             `json:"agent_id" doc:"The agent that did it for the user; null for others" example:"agt_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	AgentName *string             `json:"agent_name" doc:"What that agent calls itself" example:"Assistant"`
	Details   map[string]any      `json:"details" doc:"What changed; never a secret" example:"{\"name\":\"Deploy\"}"`
	CreatedAt time.Time           `json:"created_at" doc:"When it was made"`
}

// namedAudit is an entry with the name of its agent.
type namedAudit struct {
	mission.AuditEntry

	AgentName string
}

func showAudit(e namedAudit) auditEntry {
	return auditEntry{
		ID: e.ID, Action: e.Action, TargetID: e.TargetID, UserID: orNull(e.UserID), KeyID: orNull(e.KeyID), AgentID: orNull(e.AgentID), AgentName: orNull(e.AgentName),
		Details: e.Details, CreatedAt: e.CreatedAt,
	}
}

type auditListParams struct {
	Paging

	UserID      string              `query:"user_id" doc:"Only what this user did, with keys too" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	KeyID       string              `query:"key_id" doc:"Only what was done with this API key" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	AgentID     string              `query:"agent_id" doc:"Only what this agent did" example:"agt_01jnd2x6k8e4rvt0m7y3bqz5cd"`
	TargetID    string              `query:"target_id" doc:"Only changes of this" example:"whk_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Action      mission.AuditAction `query:"action" doc:"Only this action" example:"api_key.created"`
	CreatedFrom string              `query:"created_from" format:"date-time" doc:"Only entries from this time or later" example:"2025-03-01T00:00:00Z"`
	CreatedTo   string              `query:"created_to" format:"date-time" doc:"Only entries from before this time" example:"2025-04-01T00:00:00Z"`
}

func (a *API) listAudit(ctx context.Context, p mission.Principal, in *auditListParams) (page[auditEntry], error) {
	f := mission.AuditFilter{UserID: in.UserID, KeyID: in.KeyID, AgentID: in.AgentID, TargetID: in.TargetID, Action: in.Action}
	err := readTimes([]timeParam{{"created_from", in.CreatedFrom, &f.Created.From}, {"created_to", in.CreatedTo, &f.Created.Until}})
	if err != nil {
		return page[auditEntry]{}, err
	}
	list, err := a.accounts.AuditLog(ctx, p, f, in.page())
	named := store.Listed[namedAudit]{More: list.More}
	if err == nil {
		named.List, err = a.nameAgents(ctx, p, list.List...)
	}
	return counted(named, err, func() (int, error) { return a.accounts.CountAudit(ctx, p, f) }, showAudit)
}

func (a *API) readAudit(ctx context.Context, p mission.Principal, in *auditID) (auditEntry, error) {
	e, err := a.accounts.AuditEntry(ctx, p, in.ID)
	if err != nil {
		return auditEntry{}, err
	}
	named, err := a.nameAgents(ctx, p, e)
	if err != nil {
		return auditEntry{}, err
	}
	return showAudit(named[0]), nil
}

// nameAgents returns entries with the names of their agents.
func (a *API) nameAgents(ctx context.Context, p mission.Principal, entries ...mission.AuditEntry) ([]namedAudit, error) {
	named := make([]namedAudit, len(entries))
	var ids []string
	for i, e := range entries {
		if named[i].AuditEntry = e; e.AgentID != "" {
			ids = append(ids, e.AgentID)
		}
	}
	if len(ids) == 0 {
		return named, nil
	}
	found, err := a.agents.AgentsByID(ctx, p, ids)
	for i, e := range entries {
		named[i].AgentName = found[e.AgentID].Name
	}
	return named, err
}
