package missions

import (
	"context"
	"maps"
	"slices"
	"time"

	"missiond/internal/checks"
	"missiond/mission"
	"missiond/store"
)

// ContentWhy returns why a post hasn't gone out, and what can be done. Errors: not_found.
func (s *API) ContentWhy(ctx context.Context, p mission.Principal, id string) (mission.Why, error) {
	c, err := s.Content(ctx, p, id)
	if err != nil {
		return mission.Why{}, err
	}
	whys, err := s.whyContents(ctx, p, map[string]mission.Content{id: c})
	return whys[id], err
}

// ContentWhys is ContentWhy for several posts, by id, in as many statements. Ids that don't exist
// are absent, here and below.
func (s *API) ContentWhys(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Why, error) {
	posts, err := s.db.ContentsByID(ctx, p.TenantID, ids)
	if err != nil {
		return nil, err
	}
	return s.whyContents(ctx, p, posts)
}

// ReplyWhy returns why the answer to a reply hasn't gone out, and what can be done. Errors: not_found.
func (s *API) ReplyWhy(ctx context.Context, p mission.Principal, id string) (mission.Why, error) {
	r, err := s.Reply(ctx, p, id)
	if err != nil {
		return mission.Why{}, err
	}
	whys, err := s.whyReplies(ctx, p, map[string]mission.Reply{id: r})
	return whys[id], err
}

// ReplyWhys is ReplyWhy for several replies, by id, in as many statements.
func (s *API) ReplyWhys(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Why, error) {
	replies, err := s.db.RepliesByID(ctx, p.TenantID, ids)
	if err != nil {
		return nil, err
	}
	return s.whyReplies(ctx, p, replies)
}

// whyReplies returns the reasons of the answers to a tenant's replies, by the replies' ids.
func (s *API) whyReplies(ctx context.Context, p mission.Principal, replies map[string]mission.Reply) (map[string]mission.Why, error) {
	var of []string
	for _, r := range replies {
		if r.Answer != nil {
			of = append(of, r.ContentID)
		}
	}
	posts, answers := map[string]mission.Content{}, map[string]mission.Content{}
	if len(of) > 0 {
		var err error
		if posts, err = s.db.ContentsByID(ctx, p.TenantID, compact(of)); err != nil {
			return nil, err
		}
	}
	for id, r := range replies {
		if c, ok := posts[r.ContentID]; ok && r.Answer != nil {
			answers[id] = c.Answering(r)
		}
	}
	situations, err := s.situations(ctx, p, answers)
	whys := make(map[string]mission.Why, len(replies))
	for id, r := range replies {
		if at, ok := situations[id]; ok || r.Answer == nil {
			whys[id] = mission.WhyReply(r, at)
		}
	}
	return whys, err
}

// MissionWhy returns why nothing of a mission goes out, or what it waits for, and what can be
// done. Errors: not_found.
func (s *API) MissionWhy(ctx context.Context, p mission.Principal, id string) (mission.Why, error) {
	whys, err := s.MissionWhys(ctx, p, []string{id})
	why, ok := whys[id]
	if err == nil && !ok {
		err = mission.NotFound("mission", id)
	}
	return why, err
}

// outside is what stops posts whatever their own state.
type outside struct {
	tenant   mission.Tenant
	stops    mission.Stops
	accounts []mission.Integration
	pauses   map[store.PausedAccount]time.Time
	restore  *mission.Restore
	sandbox  bool
	late     time.Duration // of a task, in domain time
}

// outside reads what stops the posts of the caller's tenant on platforms: on the default accounts, and on
// those with the ids.
func (s *API) outside(ctx context.Context, p mission.Principal, platforms []mission.Platform, ids []string) (o outside, err error) {
	o.sandbox, o.late = s.sandbox, s.clock.Domain(mission.LateTask)
	if o.tenant, err = s.db.Tenant(ctx, p.TenantID); err != nil {
		return o, err
	}
	o.stops.DeletesAt, o.stops.Hold = o.tenant.DeletesAt, o.tenant.Hold
	if o.stops.Hold != nil && p.Permits(mission.OpHoldRead) != nil {
		o.stops.Hold = &mission.Hold{Since: o.stops.Hold.Since, Until: o.stops.Hold.Until}
	}
	hold, err := s.db.PublishingHold(ctx)
	if err != nil {
		return o, err
	}
	if hold != nil {
		o.stops.HeldSince = &hold.Since
	}
	if o.accounts, err = s.db.Accounts(ctx, p.TenantID, platforms, ids); err != nil {
		return o, err
	}
	if p.Permits(mission.OpIntegrationsRead) != nil {
		for i := range o.accounts { // the platform's name says it
			o.accounts[i].Label, o.accounts[i].Account = "", nil
		}
	}
	o.pauses, err = s.db.AccountPauses(ctx, p.TenantID, s.clock.Now())
	return o, err
}

// account returns the state of an account of a platform; "" is the default one, or the sandbox.
func (o outside) account(p mission.Platform, integrationID string) mission.AccountState {
	a := mission.AccountState{Platform: p, Sandbox: o.sandbox}
	for _, i := range o.accounts {
		if i.Platform == p && (i.ID == integrationID || integrationID == "" && i.Default) {
			a.Integration, integrationID = &i, i.ID
			break
		}
	}
	if until, ok := o.pauses[store.PausedAccount{Platform: p, IntegrationID: integrationID}]; ok {
		a.PausedUntil = &until
	}
	return a
}

// whyJob are the columns of a job that reasons follow from.
const whyJob = "mission_id,day,window_start,window_end,status,current_stage,planned,written,error,completed_at," + store.JobStages

// whyContents returns the reasons of a tenant's posts, by id.
func (s *API) whyContents(ctx context.Context, p mission.Principal, posts map[string]mission.Content) (map[string]mission.Why, error) {
	situations, err := s.situations(ctx, p, posts)
	whys := make(map[string]mission.Why, len(situations))
	for id, at := range situations {
		whys[id] = mission.WhyContent(at)
	}
	return whys, err
}

// situations returns what the reasons of a tenant's posts follow from, by the subjects of their tasks: the ids of posts, and
// of replies to which they are the answers.
func (s *API) situations(ctx context.Context, p mission.Principal, posts map[string]mission.Content) (map[string]mission.ContentSituation, error) {
	if len(posts) == 0 {
		return nil, nil
	}
	var missionIDs, jobIDs, accountIDs []string
	var platforms []mission.Platform
	for _, c := range posts {
		missionIDs, platforms = append(missionIDs, c.MissionID), append(platforms, c.Platform)
		if c.JobID != "" {
			jobIDs = append(jobIDs, c.JobID)
		}
		if c.IntegrationID != "" {
			accountIDs = append(accountIDs, c.IntegrationID)
		}
	}
	missions, err := s.db.MissionsByID(ctx, p.TenantID, compact(missionIDs))
	if err != nil {
		return nil, err
	}
	jobs, err := s.db.JobsByID(ctx, p.TenantID, compact(jobIDs), whyJob)
	if err != nil {
		return nil, err
	}
	tasks, err := s.db.SubjectTasks(ctx, p.TenantID, compact(missionIDs), slices.Collect(maps.Keys(posts)),
		[]mission.TaskType{mission.TaskContentPublish, mission.TaskContentComment, mission.TaskReplyAnswer})
	if err != nil {
		return nil, err
	}
	o, err := s.outside(ctx, p, compact(platforms), compact(accountIDs))
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(posts)), mayBeOut) {
		if o.restore, err = s.db.Restore(ctx); err != nil {
			return nil, err
		}
	}
	excluded, all := map[string]*checks.Exclusions{}, make(map[string]mission.ContentSituation, len(posts))
	for id, c := range posts {
		m, ok := missions[c.MissionID]
		if !ok {
			continue // it was deleted with its mission
		}
		if excluded[m.ID] == nil {
			excluded[m.ID] = checks.NewExclusions(m.Exclusions(o.tenant.Brand))
		}
		all[id] = s.situation(c, m, o, excluded[m.ID], found(jobs, c.JobID), found(tasks, id))
	}
	return all, nil
}

// mayBeOut reports whether the post is a first comment or an answer to be sent, which may be out already if the database was
// restored.
func mayBeOut(c mission.Content) bool {
	return c.Commenting().Status == mission.ContentScheduled && (c.PublishedAt != nil || c.Replying != nil)
}

// situation returns what the reasons of a post follow from.
func (s *API) situation(
	c mission.Content, m mission.Mission, o outside, excluded *checks.Exclusions, j *mission.Job, t *mission.Task,
) mission.ContentSituation {
	at := mission.ContentSituation{
		Content: c, Mission: m, Job: j, Task: t, Stops: o.stops,
		Account: o.account(c.Platform, c.IntegrationID), Restore: o.restore, Late: o.late, Now: s.clock.Now(),
	}
	kind := mission.TaskContentPublish
	if c.PublishedAt != nil || c.Replying != nil {
		kind = mission.TaskContentComment
	}
	at.Lookup = s.lookupOf(at.Account.Integration, kind)
	if c = c.Commenting(); c.Settled() {
		return at
	}
	if v := judge(c, excluded, at.Now); !v.Passed() {
		at.Excluded = v.Failure()
	}
	if at.Account.Integration != nil {
		c.IntegrationID = at.Account.Integration.ID
	}
	price, lookup := priceOf(c)
	at.Price = price + lookup
	return at
}

// compact returns values without duplicates.
func compact[T ~string](values []T) []T {
	slices.Sort(values)
	return slices.Compact(values)
}

// MissionWhys is MissionWhy for several missions, by id, in as many statements.
func (s *API) MissionWhys(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Why, error) {
	found, err := s.db.MissionsByID(ctx, p.TenantID, ids)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var jobIDs, accountIDs []string
	var platforms []mission.Platform
	for _, m := range found {
		if m.PipelineJobID != nil {
			jobIDs = append(jobIDs, *m.PipelineJobID)
		}
		accountIDs, platforms = append(accountIDs, m.IntegrationIDs...), append(platforms, m.Platforms...)
	}
	o, err := s.outside(ctx, p, compact(platforms), compact(accountIDs))
	if err != nil {
		return nil, err
	}
	at, err := s.readProgress(ctx, p.TenantID, slices.Collect(maps.Keys(found)), jobIDs)
	if err != nil {
		return nil, err
	}
	whys, now := make(map[string]mission.Why, len(found)), s.clock.Now()
	for id, m := range found {
		whys[id] = mission.WhyMission(at.situation(m, o, now))
	}
	return whys, nil
}

// progress is how far missions are, by their ids or those of their jobs.
type progress struct {
	jobs    map[string]mission.Job
	tasks   map[string]mission.Task
	next    map[string]time.Time
	unknown map[string]int
}

// readProgress reads how far missions are; jobIDs are their latest jobs.
func (s *API) readProgress(ctx context.Context, tenantID string, missionIDs, jobIDs []string) (at progress, err error) {
	if at.jobs, err = s.db.JobsByID(ctx, tenantID, jobIDs, whyJob); err != nil {
		return at, err
	}
	if at.tasks, err = s.db.SubjectTasks(ctx, tenantID, missionIDs, jobIDs, stageTasks()); err != nil {
		return at, err
	}
	if at.next, err = s.db.NextPublishAt(ctx, missionIDs...); err != nil {
		return at, err
	}
	at.unknown, err = s.db.CountContentsOf(ctx, tenantID, missionIDs, store.ContentFilter{Status: mission.ContentUnknown})
	return at, err
}

// situation returns what the reasons of a mission follow from.
func (at progress) situation(m mission.Mission, o outside, now time.Time) mission.MissionSituation {
	s := mission.MissionSituation{Mission: m, Stops: o.stops, Accounts: o.accountsOf(m), Unknown: at.unknown[m.ID], Late: o.late, Now: now}
	if m.PipelineJobID != nil {
		s.Job, s.Task = found(at.jobs, *m.PipelineJobID), found(at.tasks, *m.PipelineJobID)
	}
	s.NextPublishAt = found(at.next, m.ID)
	return s
}

// found returns the value of a key, or nil if there is none.
func found[V any](values map[string]V, key string) *V {
	v, ok := values[key]
	if !ok {
		return nil
	}
	return &v
}

// accountsOf returns the states of the accounts that a mission posts to.
func (o outside) accountsOf(m mission.Mission) []mission.AccountState {
	var states []mission.AccountState
	for _, d := range (mission.Brief{Platforms: m.Platforms, IntegrationIDs: m.IntegrationIDs}).Destinations(o.accounts) {
		states = append(states, o.account(d.Platform, d.IntegrationID))
	}
	return states
}

// stageTasks lists the types of the tasks that run stages.
func stageTasks() []mission.TaskType {
	var types []mission.TaskType
	for _, stage := range mission.AllStages() {
		types = append(types, mission.StageTask(stage))
	}
	return types
}
