package main

// mutant is the source without one of its safety checks.
type mutant struct {
	// name says what the check is of.
	name string
	// file contains the check as text, times times (0 is once), which the mutant
	// has with instead of.
	file, text, with string
	times            int
	// tests is a pattern of the tests of pkg that must fail, as the suite runs them.
	pkg, tests string
	args       []string // after the package
	// seeds is within how many seeds the simulation finds it; 0 if it doesn't have to.
	seeds int
}

// tenants is the test of every operation that has an id.
const tenants = "TestForeignIDsLookLikeNone"

var mutants = []mutant{
	// Whose it is.
	{name: "the tenant of a mission", file: "store/missions.go", text: `.Where("m.tenant_id = ?", tenantID), missionRow.mission`, with: ", missionRow.mission", pkg: "./test/api", tests: tenants, seeds: 15},
	{name: "the tenant of a post", file: "store/contents.go", text: `readOne(ctx, db.read, db.NewSelect().Where("c.id = ?", id).Where("c.tenant_id = ?", tenantID)`, with: `readOne(ctx, db.read, db.NewSelect().Where("c.id = ?", id)`, pkg: "./test/api", tests: tenants, seeds: 15},
	{name: "the tenant of a post that is changed", file: "store/contents.go", text: `tx.lock(tx.NewSelect()).Where("c.id = ?", id).Where("c.tenant_id = ?", tenantID)`, with: `tx.lock(tx.NewSelect()).Where("c.id = ?", id)`, pkg: "./store", tests: "TestLocksAreATenantsOwn"},
	{name: "the tenant of a job", file: "store/jobs.go", text: `.Where("j.id = ?", id).Where("j.tenant_id = ?", tenantID)`, with: `.Where("j.id = ?", id)`, pkg: "./test/api", tests: tenants},
	{name: "the tenant of an event", file: "store/events.go", text: `.Where("e.id = ?", id).Where("e.tenant_id = ?", tenantID)`, with: `.Where("e.id = ?", id)`, pkg: "./test/api", tests: tenants, seeds: 15},
	{name: "the tenant of an integration", file: "store/integrations.go", text: `.Where("i.id = ?", id).Where("i.tenant_id = ?", tenantID)`, with: `.Where("i.id = ?", id)`, pkg: "./test/api", tests: tenants},
	{name: "the tenant of a delivery", file: "store/deliveries.go", text: `.Where("d.id = ?", id).Where("d.tenant_id = ?", tenantID)`, with: `.Where("d.id = ?", id)`, pkg: "./test/api", tests: tenants},
	{name: "the tenant of records by their ids", file: "store/find.go", text: `.Where(alias+".tenant_id = ?", tenantID)`, pkg: "./test/api", tests: tenants, seeds: 15},
	{name: "the scope", file: "mission/principal.go", text: "case !p.Has(policy.Scope):", with: "case false:", pkg: "./test/api", tests: "TestMissingScopes"},
	{name: "a kept answer's credential", file: "internal/service/idempotency/idempotency.go", text: `key = p.Credential() + " " + key`, pkg: "./test/api", tests: "TestStoredResponsesHaveOneOwner", seeds: 15},
	{name: "the share of changes with a condition", file: "internal/service/idempotency/idempotency.go", text: "admission.New(db.Connections() / conditionalShare)", with: "admission.New(1000)", pkg: "./test/api", tests: "TestConditionsLeaveRoom"},
	{name: "a kept answer's rights", file: "internal/service/idempotency/idempotency.go", text: "err = reply.check(p)", with: "_ = reply.check", pkg: "./test/api", tests: "TestStoredResponsesHaveOneOwner"},
	{name: "nothing kept of a stranger's", file: "internal/gateway/once.go", text: `err == nil && p.Credential() == ""`, with: "err == nil && false", pkg: "./internal/gateway", tests: "TestStrangersAreNotKept"},
	{name: "rights that are gone", file: "internal/service/accounts/revocation.go", text: "_ = clock.Sleep(ctx, credentialTTL)", with: "_ = clock.Sleep(ctx, 0)", pkg: "./internal/service/accounts", tests: "TestAwaitRevocation"},
	{name: "secrets sealed", file: "internal/seal/seal.go", text: "k.aead.Seal(nonce, nonce, plain, []byte(context))", with: "plain", pkg: "./internal/seal", tests: "."},

	// What a review link reaches.
	{name: "a review link's mission", file: "internal/service/missions/contents.go", text: "if err == nil && !p.Reaches(c.MissionID) {", with: "if err == nil && false {", pkg: "./internal/service/missions", tests: "TestReviewLinks"},
	{name: "a review link's end", file: "internal/service/missions/reviewlinks.go", text: "if err == nil && !l.Works(now) {", with: "if err == nil && false {", pkg: "./internal/service/missions", tests: "TestReviewLinks"},
	{name: "a review link's right", file: "internal/service/missions/reviewlinks.go", text: "err = l.Check(op)", with: "_ = op", pkg: "./test/api", tests: "TestReviewPageRefuses"},
	{name: "a review link's maker", file: "store/review_links.go", text: ".Under(r.maker(), r.CompletedAt)", with: ".Under(mission.Maker{Role: mission.RoleAdmin, TenantID: r.TenantID}, r.CompletedAt)", pkg: "./test/api", tests: "TestMakersBoundWhatTheyMade"},
	{name: "a review link's mission's end", file: "store/review_links.go", text: ".Under(r.maker(), r.CompletedAt)", with: ".Under(r.maker(), nil)", pkg: "./test/api", tests: "TestMakersBoundWhatTheyMade"},
	{name: "an upload's maker", file: "internal/service/media/signed.go", text: "err = by.Check(mission.OpMediaPrepare, s.timeOf(by))", with: "_ = by", pkg: "./test/api", tests: "TestMakersBoundWhatTheyMade"},
	{name: "who takes a decision back", file: "internal/service/missions/reopening.go", text: "if o.content.ReviewedAt != nil {", with: "if false {", pkg: "./test/api", tests: "TestReviewersAloneTakeBack"},
	{name: "the revision that a review page shows", file: "internal/reviewpage/forms.go", text: "ApproveContent(ctx, p, id, &revision)", with: "ApproveContent(ctx, p, id, nil)", pkg: "./test/api", tests: "TestReviewPage"},
	{name: "forms of other sites", file: "internal/reviewpage/forms.go", text: "if foreign(r) {", with: "if foreign(r) && false {", pkg: "./test/api", tests: "TestReviewPageRefuses"},

	// Whom a consent connects.
	{name: "a consent's browser", file: "internal/service/integrations/consent.go", text: `stored.BrowserHash == "" || stored.BrowserHash != hashed(in.Cookie(cookieName(stored.StateHash)))`, with: "false", pkg: "./test/api", tests: "TestIntegrationScenarios"},
	{name: "a consent's platform", file: "internal/service/integrations/consent.go", text: "if !cameFrom(grant, in) {", with: "if false {", pkg: "./test/api", tests: "TestIntegrationScenarios"},
	{name: "a consent's right", file: "internal/service/integrations/consent.go", text: "return now.Check(mission.OpIntegrationsConnect)", with: "_ = now\nreturn nil", pkg: "./test/api", tests: "TestIntegrationScenarios"},
	{name: "a consent's credential", file: "internal/service/integrations/consent.go", text: "now, err := g.options.Callers.Current(ctx, by)", with: "now, err := by, error(nil)\nnow.Scopes = mission.AllScopes()", pkg: "./test/api", tests: "TestIntegrationScenarios"},
	{name: "a platform's words bounded", file: "internal/publisher/bounded.go", text: "Label(account.Name, maxLabel)", with: "account.Name", pkg: "./internal/publisher", tests: "TestBounded"},
	{name: "a platform's tokens bounded", file: "internal/publisher/bounded.go", text: "return renewed, credentials(renewed)", with: "return renewed, nil", pkg: "./internal/publisher", tests: "TestBounded"},

	// Where it connects to.
	{name: "public addresses only", file: "internal/outbound/client.go", text: "Control: r.guardian().Safe, ", pkg: "./internal/outbound", tests: "TestRebinding"},
	{name: "no other protocol", file: "internal/outbound/client.go", text: "if resp.StatusCode == http.StatusSwitchingProtocols {", with: "if false {", pkg: "./internal/webhook", tests: "TestBodiesThatEndBadly"},
	{name: "the end of a response", file: "internal/outbound/client.go", text: "stop := context.AfterFunc(ctx, func() { _ = b.Close() })", with: "stop := func() {}", pkg: "./internal/outbound", tests: "TestBodyEndsWithItsCall"},
	{name: "no post twice by itself", file: "internal/publisher/call.go", text: "delete(req.Header, name)", with: "continue", pkg: "./internal/publisher", tests: "TestNothingIsSentTwice"},
	{name: "an address is refused for good", file: "internal/mail/mail.go", text: "reply.Code/10 == 55 || ", pkg: "./internal/mail", tests: "TestRefusedRecipient"},

	// Once, and by one.
	{name: "a publishing hold", file: "mission/whycontent.go", text: `if s.Stops.HeldSince != nil || s`, with: `if s`, pkg: "./internal/service/missions", tests: "TestHeldPostsWait"},
	{name: "answers of a tenant on hold", file: "mission/whycontent.go", text: ` || s.answer() && (s.Mission.OnHold || s.Mission.Leaving) {`, with: ` {`, pkg: "./internal/service/missions", tests: "TestWhyOfAnswers"},
	{name: "the end of an answer that waits", file: "mission/poststep.go", text: `	{FactNone, ContentSituation.outdated, 0},
`, pkg: "./internal/service/missions", tests: "TestWhyOfAnswers"},
	{name: "slots missed in a restore", file: "internal/service/missions/slots.go", text: `if err == nil && restore != nil {`, with: `if false && err == nil && restore != nil {`, pkg: "./internal/service/missions", tests: "TestReconcileSkipsPassedSlots"},
	{name: "threads of a restore", file: "mission/settlement.go", text: `case c.Unconfirmed:`, with: `case false && c.Unconfirmed:`, pkg: "./internal/service/missions", tests: "TestReconcileThreads"},
	{name: "a schema that is newer", file: "store/schema.go", text: `if s.newest <= s.known || s.known >= s.floor.Version {`, with: `if true || s.newest <= s.known || s.known >= s.floor.Version {`, pkg: "./store", tests: "TestNewerSchema"},
	{name: "the fence", file: "store/task_settling.go", text: `.Where("fence = ?", database.Int(t.Fence))`, times: 3, pkg: "./tasks", tests: "TestStaleWorkerIsFenced", seeds: 25},
	{name: "a claim for one worker", file: "tasks/worker.go", text: "err != nil || ok && !first", with: "err != nil || ok && !first && false", pkg: "./tasks", tests: "TestClaimedOnceTogether", seeds: 15},
	{name: "no COMMIT twice", file: "internal/database/tx.go", text: " && writes[len(writes)-1].text != commit", pkg: "./store", tests: "TestUnansweredCommit"},
	{name: "the look at a pause", file: "internal/service/missions/service.go", text: "if done = m.Status == mission.StatusPaused; done {", with: "if done = false; done {", pkg: "./internal/service/missions", tests: "TestPauseHolds", seeds: 15},
	{name: "the look at a tenant's hold", file: "internal/service/missions/holding.go", text: "case m.OnHold:", with: "case false:", pkg: "./internal/service/missions", tests: "TestTenantOnHold", seeds: 15},
	{name: "no call after the window", file: "mission/lookup.go", text: `return c.Unconfirmed && !c.MaySendAgain(l, now)`, with: `return false`, pkg: "./mission", tests: "TestNoCallAfterTheWindow", seeds: 15},
	{name: "what may be edited", file: "mission/review.go", text: `ContentScheduled, ContentRejected, ContentFailed:`, with: `ContentScheduled, ContentRejected, ContentFailed, ContentCanceled:`, pkg: "./mission", tests: "TestStatesAllow"},
	{name: "the question before each call", file: "mission/postaccount.go", text: `if c := s.next(); s.scheduled() && c.TooLate(s.Lookup, s.Now) {`, with: `if c := s.next(); false {`, pkg: "./internal/service/missions", tests: "TestRepeatsThatAreDelayed"},
	{name: "a lookup that counts", file: "mission/settlement.go", text: `case r.Outcome == OutcomeAbsent && !now.Before(c.visible(at.Lookup, now)):`, with: `case r.Outcome == OutcomeAbsent:`, pkg: "./mission", tests: "TestAfter"},
	{name: "the end of repeats", file: "mission/settlement.go", text: `case at.Mission != StatusCompleted && c.MaySendAgain(at.Lookup, now):`, with: `case at.Mission != StatusCompleted:`, pkg: "./mission", tests: "TestAfter"},
	{name: "the lookup of an unconfirmed post", file: "tasks/publish.go", text: "if call.LookUp {", with: "if call.LookUp && false {", pkg: "./internal/service/missions", tests: "TestPlatformOutcomes", seeds: 15},
	{name: "the budget", file: "mission/budget.go", text: "return b == nil || m.Spent+m.Reserved+price <= Micros(*b)*MicrosPerCent", with: "return b == nil || true", pkg: "./internal/service/missions", tests: "Budget|Overspend", seeds: 15},

	// What the rules of missions, rights and clean-ups rest on.
	{name: "the wait for an outage", file: "mission/task.go", text: `d, ok = OutageWait, left > OutageWait`, with: `d, ok = OutageWait, false`, pkg: "./internal/service/missions", tests: "TestOutageIsWaitedFor"},
	{name: "what is written goes out", file: "internal/service/missions/failures.go", text: `if j.CurrentStage == mission.StageContent && !ch.To.Gathers() {`, with: `if false && !ch.To.Gathers() {`, pkg: "./internal/service/missions", tests: "TestRefusedWritingIsNotWaitedFor"},
	{name: "posts that don't wait for the others", file: "mission/job.go", text: `return j.CurrentStage != StageContent || j.stage(StageContent).Attempts < TaskStageContent.Plan().MaxAttempts()`, with: `return true`, pkg: "./mission", tests: "TestJobGathers"},
	{name: "two cleaners count once", file: "store/expiry.go", text: `tx.lockExpired(ctx, "UPDATE SKIP LOCKED")`, with: `tx.lockExpired(ctx, "SHARE")`, pkg: "./store", tests: "TestTwoCleanUpAtOnce"},
	{name: "a clean-up beside an attempt", file: "store/expiry.go", text: `tx.locking().Model(&rows).Column("id", "tenant_id", "webhook_id", "status").`, with: `tx.NewSelect().Model(&rows).Column("id", "tenant_id", "webhook_id", "status").`, pkg: "./store", tests: "TestCleanUpBesideAnAttempt"},
	{name: "a parked task's lane", file: "store/tasks.go", text: `Set("state = 'parked'").Set("lane = ''").`, with: `Set("state = 'parked'").`, pkg: "./store", tests: "TestParkedTasksLeaveTheirLane"},
	{name: "a task that was dispatched", file: "store/tasks.go", text: `Where("hands > 0").`, with: `Where("hands >= 0").`, pkg: "./store", tests: "TestRedispatchKeepsTheOrder"},
	{name: "a rate's impressions", file: "mission/kpi.go", text: `seen := k.Metric != EngagementRate || totals[Impressions] >= RateFloor`, with: `seen := true`, pkg: "./mission", tests: "TestRatesNeedImpressions"},
	{name: "a KPI stated once", file: "mission/create.go", text: `if j := slices.IndexFunc(in.KPIs[:i], k.counts); j >= 0 {`, with: `if j := slices.IndexFunc(in.KPIs[:i], k.counts); j > i {`, pkg: "./test/api", tests: "TestScenarios"},
	{name: "parameters that a path has", file: "rest/query.go", text: `case !slices.Contains(declared, name):`, with: `case name == "" && !slices.Contains(declared, name):`, pkg: "./test/api", tests: "TestUnknownParametersInREST"},
	{name: "a lease by the database's clock", file: "store/leases.go", text: `", db.leaseEnd(within), db.leaseEnd(longestLease)`, with: `", db.leaseEnd(within+longestLease), db.leaseEnd(longestLease)`, pkg: "./store", tests: "TestLeasesIgnoreClocks"},
	{name: "a request's lease", file: "store/idempotency.go", text: `.Where(db.lapsed("lease_until", 0)))`, with: `)`, pkg: "./store", tests: "TestRequestsLeases"},
	{name: "one renewal at a time", file: "store/integrations.go", text: `.Where(tx.db.lapsed("i.renewing_until", 0))`, pkg: "./store", tests: "TestRenewing"},
	{name: "the provider's role", file: "mission/user.go", text: `if named == "" && first {`, with: `if first {`, pkg: "./mission", tests: "TestRolesFollowTheProvider"},
	{name: "the first user's end", file: "internal/service/accounts/login.go", text: `return !names, err`, with: `return names || !names, err`, pkg: "./test/api", tests: "TestRightsScenarios"},
	{name: "a made key's end", file: "mission/apikey.go", text: `return k.EndingBy(maker.ExpiresAt).EndingBy(maker.GraceUntil), nil`, with: `return k, nil`, pkg: "./mission", tests: "TestKeysEndWithTheirMakers"},
	{name: "keys that end together", file: "internal/service/accounts/apikeys.go", text: `ended, err := endKeys(ctx, tx, p, append([]mission.APIKey{r.Key}, made...), a.clock.Now())`, with: `ended, err := endKeys(ctx, tx, p, append([]mission.APIKey{r.Key}, made[:0]...), a.clock.Now())`, pkg: "./test/api", tests: "TestRightsScenarios"},
	{name: "the scope to read events", file: "mission/principal.go", text: `case policy.AlsoWhen == "" && !p.Has(policy.Also):`, with: `case false:`, pkg: "./test/api", tests: "TestEventRightsScenarios"},
	{name: "the scope of a changed endpoint", file: "internal/service/webhooks/webhooks.go", text: `if in.Sends() {`, with: `if false {`, pkg: "./test/api", tests: "TestEventRightsScenarios"},
	{name: "a leaving tenant's operations", file: "mission/principal.go", text: `if p.DeletesAt != nil && !slices.Contains(whileLeaving, op) {`, with: `if p.DeletesAt != nil && !slices.Contains(whileLeaving, op) && false {`, pkg: "./test/api", tests: "TestMemberScenarios"},
	{name: "a leaving tenant's missions", file: "internal/service/missions/holding.go", text: `case m.Leaving:`, with: `case false:`, pkg: "./test/api", tests: "TestLeavingMissionsStop"},
	{name: "two who drop what is old", file: "store/retention.go", text: `+w.skipLocked+`, with: `+`, pkg: "./store", tests: "TestTwoDropWhatIsOld"},
	{name: "values in SQL's text", file: "internal/database/parameters.go", text: `{"standard_conforming_strings", "on", true},`, pkg: "./store", tests: "TestValuesStayValues"},
	{name: "a login that the provider ended", file: "internal/identity/asking.go", text: `if session.Status != "active" || session.UserID != who.Subject {`, with: `if false {`, pkg: "./internal/identity", tests: "TestClerkChecksLogins"},
	{name: "a text bounded before it is measured", file: "internal/textlimit/textlimit.go", text: `func bounded(c mission.Capabilities, text string) bool { return within(text, excess*c.MaxLength) }`, with: `func bounded(c mission.Capabilities, text string) bool { return c.MaxLength > 0 }`, pkg: "./internal/textlimit", tests: "TestCheckBoundsFirst"},
	{name: "an address of e-mail is no link", file: "internal/links/links.go", text: `return r < 0 || !asciiIn(r, "@$#") &&`, with: `return r < 0 || !asciiIn(r, "$#") &&`, pkg: "./internal/links", tests: "TestX"},
	{name: "a model's strangers", file: "internal/checks/named.go", text: `if !n.accounts[account] {`, with: `if account == "" {`, pkg: "./internal/checks", tests: "TestStrangers"},
	{name: "links that look like others", file: "internal/links/anywhere.go", text: `IsTLD(looksLike(tld))
}`, with: `IsTLD(tld)
}`, pkg: "./internal/links", tests: "TestAnywhere"},
	{name: "objectives and platforms that meet", file: "mission/learning/turns.go", text: `(n + n/round%shared) % t.destinations`, with: `(n + 0*round*shared) % t.destinations`, pkg: "./mission/learning", tests: "TestTurnsComeAround"},
	{name: "posting times in turn", file: "mission/schedule.go", text: `numbers[i] += cycle * c.PostsPerDay`, with: `numbers[i] += 0 * cycle`, pkg: "./mission", tests: "TestSlots"},
	{name: "no slot before its window", file: "mission/schedule.go", text: `case t.Before(w.Start):`, with: `case false:`, pkg: "./mission", tests: "TestSlotsOfWholeMissions"},
	{name: "pauses that leave days where they are", file: "mission/window.go", text: `w.Start = later(w.Start, *m.PlannedFrom)`, with: `w.Start = w.Start.Add(m.PausedFor)`, pkg: "./mission", tests: "TestPauses"},
	{name: "slots that pauses took", file: "mission/owed.go", text: `m.Owed += m.slotsBefore(at, w)`, with: `_ = w`, pkg: "./mission", tests: "TestPauses"},
	{name: "no posts beyond those that are owed", file: "mission/owed.go", text: `p.Slots = p.Slots[:min(len(p.Slots), m.Owed)]`, with: `_ = m`, pkg: "./mission", tests: "TestPauses"},
	{name: "room that ends with the mission", file: "mission/reslot.go", text: `w.End = m.before(w.End)
	return w`, with: `return w`, pkg: "./mission", tests: "TestRoom"},
	{name: "late posts before the end", file: "mission/reslot.go", text: `end = m.before(least)`, with: `end = least`, pkg: "./mission", tests: "TestReslotBeforeTheEnd"},
	{name: "late posts apart", file: "mission/reslot.go", text: `if t.Sub(b).Abs() < gap {`, with: `if t.Equal(b) {`, pkg: "./mission", tests: "TestLateOneByOne"},
	{name: "a warning once", file: "mission/expiry.go", text: `ch.To.ExpiringAt = nil
	return ch.telling`, with: `return ch.telling`, pkg: "./mission", tests: "TestExpiry"},
	{name: "exclusions of a mission at once", file: "internal/service/missions/lifecycle.go", text: `if !slices.Equal(to.Constraints.ExcludedTopics, from.Constraints.ExcludedTopics) {`, with: `if false && !slices.Equal(to.Constraints.ExcludedTopics, from.Constraints.ExcludedTopics) {`, pkg: "./internal/service/missions", tests: "TestExclusionsHoldAtOnce"},
	{name: "exclusions of a brand at once", file: "internal/service/accounts/tenants.go", text: "if t.AutonomyEnded != locked.AutonomyEnded {", with: "if false {", pkg: "./internal/service/missions", tests: "TestBrandExclusionsHoldForEveryMission"},
	{name: "exclusions before publishing", file: "internal/service/missions/exclusions.go", text: `!p.verdict.Passed() {`, with: `false {`, pkg: "./internal/service/missions", tests: "TestExclusionsHoldBeforePublishing"},
	{name: "facts in a post's slot", file: "mission/brand.go", text: `SameText(known.Text, f.Text) && !known.Expired(at)`, with: `SameText(known.Text, f.Text)`, pkg: "./mission", tests: "TestBrandChanges"},
	{name: "trust before publishing", file: "internal/service/missions/publishing.go", text: `if stopped, err := p.stopUnreviewed(ctx); err != nil || stopped {`, with: `if stopped, err := p.stopUnreviewed(ctx); err != nil || stopped && p.ID == "" {`, pkg: "./internal/service/missions", tests: "TestUntrustedPostsAreNotSent"},
	{name: "reopening what may be out", file: "mission/review.go", text: `case c.MayBePublished():`, with: `case false:`, pkg: "./mission", tests: "TestReopen|TestNothingPublishedIsReopened"},
	{name: "links as they were decided", file: "mission/links.go", text: `b.WriteString(text[at:l.Start] + l.Sent)`, with: `b.WriteString(text[at:l.End])`, pkg: "./mission", tests: "TestLinksOfPosts"},
	{name: "an approval against an exclusion", file: "mission/review.go", text: `	if !v.Passed() {`, with: `	if false && !v.Passed() {`, pkg: "./mission", tests: "TestApprovalKeepsExclusions"},
	{name: "a post that may be published", file: "mission/exclusion.go", text: `case c.MayBePublished():`, with: `case false:`, pkg: "./mission", tests: "TestRecheck"},
	{name: "characters that nobody sees", file: "internal/topic/fold.go", text: `if unseen(r) {`, with: `if false && unseen(r) {`, pkg: "./internal/topic", tests: "TestFind"},
	{name: "stems of words", file: "internal/topic/languages.go", text: `k = s.stem(w.text)`, with: `k = text`, pkg: "./internal/topic", tests: "TestFind"},
	{name: "text that can be stored", file: "mission/strings.go", text: `unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r'`, with: `false`, pkg: "./test/api", tests: "TestUnsoundStringsInREST"},
	{name: "strings of a query", file: "rest/query.go", text: `if err := mission.CheckString(name, query.Get(name)); err != nil {`, with: `if err := error(nil); err != nil {`, pkg: "./test/api", tests: "TestUnsoundStringsInREST"},
	{name: "strings of a document", file: "graph/scalar/text.go", text: `return s, sound(s)
	}
	return "", invalid`, with: `return s, nil
	}
	return "", invalid`, pkg: "./test/api", tests: "TestUnsoundStringsInGraphQL"},
	{name: "names on one line", file: "mission/strings.go", text: `if r, found := hiddenIn(text); found {`, with: `if r, found := hiddenIn(""); found {`, pkg: "./mission", tests: "TestNamesAreLines"},
	{name: "a socket's credential", file: "graph/stream/authenticate.go", text: `p, err := s.server.Gateway.Auth.Authenticate(ctx, s.stream.credential)`, with: `p, err := *s.stream.principal.Load(), error(nil)`, pkg: "./test/api", tests: "TestRevokedKeysChangeNothingOnSockets"},
	{name: "other sites at the operators' pages", file: "internal/httpserver/headers.go", text: `if !own || origin != "" && !sameHost(origin, r.Host) {`, with: `if false && !own && origin != "" {`, pkg: "./internal/httpserver", tests: "TestOwnPages"},
	{name: "a tenant's share of cached documents", file: "graph/endpoint/cache.go", text: `for h != nil && h.size+one.size > share {`, with: `for h != nil && h.size+one.size > maxCached {`, pkg: "./graph/endpoint", tests: "TestCachedDocumentsAreATenantsOwn"},
	{name: "the demo's key, once", file: "internal/devenv/start.go", text: `s.token = ""
	return true`, with: `return true`, pkg: "./internal/devenv", tests: "TestStartHandsTheKeyOutOnce"},
	{name: "a socket's messages", file: "graph/stream/socket.go", text: `if !s.budget.message() {`, with: `if s.budget == nil {`, pkg: "./graph/stream", tests: "TestMessagesAreBounded"},
	{name: "trends of the latest posts", file: "mission/trend.go", text: `trendPosts      = 30`, with: `trendPosts      = 300`, pkg: "./mission", tests: "TestTrendsAreOfTheLatestPosts"},
	{name: "peers that were measured in time", file: "mission/unusual.go", text: `e.metric == of && p.onTime()`, with: `e.metric == of`, pkg: "./mission", tests: "TestLatePeersSayNothing"},
	{name: "outliers", file: "mission/learning/regression.go", text: `farthest = 1.5`, with: `farthest = 15`, pkg: "./mission/learning", tests: "TestOutliersAreClamped"},
	{name: "hours in a circle", file: "mission/learning/regression.go", text: `next := (hour + 1) % len(hourNames)`, with: `next := min(hour+1, len(hourNames)-1)`, pkg: "./mission/learning", tests: "TestHoursAreCircular"},
	{name: "forgetting", file: "mission/learning/audience.go", text: `max(counts-changes[i], 0)`, with: `counts`, pkg: "./mission/learning", tests: "TestChangedAudienceIsFollowed"},
	{name: "odd posts that are no change", file: "mission/learning/audience.go", text: `farthestOdd = 2.5`, with: `farthestOdd = 250`, pkg: "./mission/learning", tests: "TestOddPostsAreNoChange|TestSteadyAudienceIsRemembered"},
	{name: "an opening once", file: "internal/writer/builtin/choice.go", text: `if openings.Has(mission.Opening(`, with: `if false && openings.Has(mission.Opening(`, pkg: "./internal/writer/builtin", tests: "TestOpeningsAreNew"},
	{name: "what is about the brief itself", file: "internal/writer/builtin/passages.go", text: ` || isBriefing(s) {`, with: ` {`, pkg: "./internal/writer/builtin", tests: "TestNothingToSay"},
	{name: "sentences in turn", file: "internal/writer/builtin/choice.go", text: `cmp.Compare(r.said, o.said), `, with: ``, pkg: "./internal/writer/builtin", tests: "TestSentencesComeInTurn"},
	{name: "an endpoint that took something", file: "internal/service/webhooks/deliveries.go", text: `if err := w.CheckProven(); err != nil {`, with: `if err := error(nil); err != nil {`, pkg: "./test/api", tests: "TestWebhookScenarios"},
}
