package missions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"missiond/internal/checks"
	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// ContentInput is a post that a person makes: a Text, or the Parts of a thread.
type ContentInput struct {
	MissionID string
	Platform  mission.Platform
	// IntegrationID is the account's; nil is the first that the mission has chosen on the
	// platform, or the platform's default.
	IntegrationID *string
	Text          *string
	Parts         []string
	// FirstComment is the text of its first comment; nil or "" for none.
	FirstComment *string
	// Media are its files.
	Media []mission.MediaChoice
	// ScheduledAt is when it goes out; nil is the mission's next free slot.
	ScheduledAt *time.Time
	// Together has it take the free slot of the posts before it that are made with it and go to
	// other accounts.
	Together bool
}

func (in ContentInput) wording() EditInput {
	return EditInput{Text: in.Text, Parts: in.Parts, FirstComment: mission.Optional[string]{Given: true, Value: in.FirstComment}}.tidy()
}

// check validates what needs no mission: what was sent before what is missing. Errors:
// invalid_request.
func (in ContentInput) check() error {
	if err := mission.CheckPlatform("platform", in.Platform); err != nil {
		return err
	}
	if in.IntegrationID != nil && !mission.HasIDForm(mission.PrefixIntegration, *in.IntegrationID) {
		return noAccount(ValidateInput{Platform: in.Platform, IntegrationID: in.IntegrationID})
	}
	if err := in.wording().checkCommentSize(); err != nil {
		return err
	}
	if err := mission.CheckMediaChoices(in.Media); err != nil {
		return err
	}
	err := in.wording().Check()
	if missing := in.Text == nil && len(in.Parts) == 0; err != nil && !missing {
		return err
	}
	if !mission.HasIDForm(mission.PrefixMission, in.MissionID) {
		return noMission(in.MissionID)
	}
	return err
}

func noMission(id string) error { return mission.Invalid("mission_id", "No such mission: %q.", id) }

// CreateContent makes a post of an active or paused mission. It is scheduled at once, or
// waits for review if the mission requires approval. Errors: invalid_request, naming the
// field; conflict.
func (s *API) CreateContent(ctx context.Context, p mission.Principal, in ContentInput) (mission.Content, error) {
	if err := in.check(); err != nil {
		return mission.Content{}, err
	}
	if c, ok, err := idempotency.Earlier[mission.Content](ctx, s.db); ok || err != nil {
		return c, err
	}
	latest, err := s.latestOn(ctx, p.TenantID, []ContentInput{in})
	if err != nil {
		return mission.Content{}, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Content, error) {
		made, problems, err := s.post(ctx, tx, p, []ContentInput{in}, &checkedTexts{latest: latest})
		if err = errors.Join(err, problems[0]); err != nil {
			return mission.Content{}, err
		}
		return made[0], nil
	})
}

// post makes posts, and returns them in the order of the inputs, each with its error:
// invalid_request or conflict. Posts with an error aren't made. The number of statements
// grows only with their missions. texts are the inputs' texts as they were checked before,
// by their indexes; those that weren't are checked.
func (s *API) post(
	ctx context.Context, tx store.Tx, p mission.Principal, in []ContentInput, texts *checkedTexts,
) (made []mission.Content, problems []error, err error) {
	made, problems = make([]mission.Content, len(in)), make([]error, len(in))
	byMission := map[string][]int{}
	for i, each := range in {
		byMission[each.MissionID] = append(byMission[each.MissionID], i)
	}
	var opened []*posting
	for _, id := range slices.Sorted(maps.Keys(byMission)) { // in one order, so that concurrent imports don't deadlock
		b, err := s.openPosting(ctx, tx, p, id, in, byMission[id], texts)
		if mission.CodeOf(err) == mission.CodeNotFound {
			err = noMission(id)
		}
		switch {
		case err == nil:
			opened = append(opened, b)
		case mission.CodeOf(err) == mission.CodeInternal:
			return made, problems, err
		}
		for _, i := range byMission[id] {
			problems[i] = err
		}
	}
	quotas, err := postingQuotas(ctx, tx, p.TenantID, opened, in)
	if err != nil {
		return made, problems, err
	}
	for _, b := range opened {
		b.quotas = quotas
		for _, i := range b.which {
			made[i], problems[i] = b.add(i, in[i])
		}
		if tx.ReadOnly() {
			continue
		}
		if err := b.write(ctx); err != nil {
			return made, problems, err
		}
	}
	return made, problems, nil
}

// posting is what the posts of a mission that people make together are checked against.
type posting struct {
	tx        store.Tx
	principal mission.Principal
	mission   mission.Mission
	which     []int // the indexes of the posts
	now       time.Time
	brand     mission.Brand
	bars      map[destination]*checks.Bar
	texts     *checkedTexts
	linkRule  func(mission.Mission, mission.Platform) mission.LinkRule
	accounts  []mission.Integration
	media     map[string]mission.Media // by id
	// posts are the mission's unsettled ones, own how many of them people made, published
	// the times of those that were published lately.
	posts     []mission.Content
	own       int
	published []time.Time
	// quotas are the daily quotas of the missions' accounts, by integration.
	quotas map[string]*mission.Quota
	added  []mission.AddedContent
	// shared is the free slot that was given last; the zero time if none was.
	shared time.Time
}

// openPosting locks a mission and reads what those of the posts are checked against whose
// indexes are given. Errors: not_found; conflict.
func (s *API) openPosting(
	ctx context.Context, tx store.Tx, p mission.Principal, missionID string, in []ContentInput, which []int,
	texts *checkedTexts,
) (*posting, error) {
	m, err := tx.LockMission(ctx, p.TenantID, missionID)
	if err != nil {
		return nil, err
	}
	if err := m.CheckTakesContent(); err != nil {
		return nil, err
	}
	b := &posting{tx: tx, principal: p, mission: m, which: which, now: s.clock.Now(), texts: texts, bars: map[destination]*checks.Bar{}, linkRule: s.linkRule}
	if b.brand, err = tx.Brand(ctx, m.TenantID); err != nil {
		return nil, err
	}
	ids, free := slices.Clone(m.IntegrationIDs), false
	for _, i := range which {
		if in[i].IntegrationID != nil {
			ids = append(ids, *in[i].IntegrationID)
		}
		free = free || in[i].ScheduledAt == nil
	}
	if b.media, err = chosenMedia(ctx, tx, m.TenantID, in, which); err != nil {
		return nil, err
	}
	slices.Sort(ids)
	if b.accounts, err = tx.Accounts(ctx, m.TenantID, m.Platforms, slices.Compact(ids)); err != nil {
		return nil, err
	}
	if b.posts, err = tx.Slots(ctx, m.ID); err != nil {
		return nil, err
	}
	b.own = len(only(b.posts, byPerson))
	if free {
		b.published, err = tx.PublishedSince(ctx, m.ID, m.Clock(b.now).Add(-mission.Neighborhood))
	}
	return b, err
}

// chosenMedia returns the files that inputs choose, by id.
func chosenMedia(ctx context.Context, tx store.Tx, tenantID string, in []ContentInput, which []int) (map[string]mission.Media, error) {
	var choices []mission.MediaChoice
	for _, i := range which {
		choices = append(choices, in[i].Media...)
	}
	if len(choices) == 0 {
		return nil, nil
	}
	return tx.MediaByID(ctx, tenantID, mission.ChosenIDs(choices))
}

// add checks a post, by its index, and adds it to those that write writes. Errors:
// invalid_request; conflict.
func (b *posting) add(i int, in ContentInput) (mission.Content, error) {
	if err := mission.CheckOwnPosts(b.own); err != nil {
		return mission.Content{}, err
	}
	to, own, err := b.destination(in)
	if err != nil {
		return mission.Content{}, err
	}
	rules := textRules{own, b.linkRule(b.mission, to.Platform)}
	text := b.texts.get(i, in, rules, b.bar(destination{to.Platform, to.IntegrationID}, own))
	if text.err != nil {
		return mission.Content{}, text.err
	}
	caps, _ := mission.CapabilitiesOf(to.Platform)
	files, err := caps.ChooseMedia(in.Media, b.media, len(text.draft.Texts()))
	if err == nil {
		err = in.wording().checkCaptions(rules.on(to.Platform), text.draft, files)
	}
	if err != nil {
		return mission.Content{}, err
	}
	text.draft.Writer = mission.ByPerson(b.principal)
	at, placed, err := b.slot(in, to)
	if err != nil {
		return mission.Content{}, err
	}
	id := b.tx.NewID(mission.PrefixContent, b.now)
	post := b.mission.NewContent(id, mission.OwnContent{
		To: to, Draft: text.draft, Comment: text.comment, Media: files, Verdict: text.verdict, AuthorID: b.principal.UserID, At: at,
		Placed: placed, Outgoing: outgoing(to.Platform, rules.links.Of(id), text.draft, text.comment),
	}, b.now)
	b.quotas[to.IntegrationID].Take(at)
	b.own++
	b.posts, b.added = append(b.posts, post.Content), append(b.added, post)
	return post.Content, nil
}

// bar returns what a text for an account is checked by.
func (b *posting) bar(to destination, own mission.TextLimits) *checks.Bar {
	if b.bars[to] == nil {
		b.bars[to] = personsBar(b.mission, b.brand, b.mission.Exclusions(b.brand), to, own, b.texts.latest.on(to))
	}
	return b.bars[to]
}

// destination returns the account that a post is for, and its own limits. Errors:
// invalid_request.
func (b *posting) destination(in ContentInput) (to mission.Destination, own mission.TextLimits, err error) {
	if !slices.Contains(b.mission.Platforms, in.Platform) {
		return to, own, mission.Invalid("platform", "%s isn't one of the mission's platforms.", in.Platform.Name())
	}
	brief := mission.Brief{Platforms: []mission.Platform{in.Platform}, IntegrationIDs: b.mission.IntegrationIDs}
	if in.IntegrationID != nil {
		brief.IntegrationIDs = []string{*in.IntegrationID}
	}
	to = brief.Destinations(b.accounts)[0]
	account := slices.IndexFunc(b.accounts, func(i mission.Integration) bool { return i.ID == to.IntegrationID })
	if in.IntegrationID != nil {
		switch {
		case to.IntegrationID != *in.IntegrationID || account < 0 || b.accounts[account].DeletedAt != nil:
			return to, own, noAccount(ValidateInput{Platform: in.Platform, IntegrationID: in.IntegrationID})
		case b.accounts[account].Account == nil:
			return to, own, mission.Invalid("integration_id", "%s was never connected.", *in.IntegrationID)
		}
	}
	if account >= 0 && b.accounts[account].Account != nil {
		own = b.accounts[account].Account.Limits
	}
	return to, own, nil
}

func byPerson(c mission.Content) bool { return c.Origin == mission.OriginPerson }

func slotTaken(at time.Time) *mission.Error {
	return mission.Conflict("The mission has another post to the same place at %s.", at.Format(time.RFC3339))
}

// write writes the added posts, and the tasks that they need.
func (b *posting) write(ctx context.Context) error {
	if len(b.added) == 0 {
		return nil
	}
	if err := b.tx.CheckTextQuota(ctx, b.mission.TenantID); err != nil {
		return err
	}
	if err := b.tx.AddContents(ctx, b.added...); err != nil {
		return err
	}
	var tasks []mission.Task
	for _, each := range b.added {
		c := each.Content
		if c.Status == mission.ContentScheduled {
			tasks = append(tasks, mission.NewTask(b.mission, mission.TaskContentPublish, c.ID, *c.ScheduledAt))
			continue
		}
		tasks = append(tasks, reviewTasks(b.mission, mission.Job{}, nil, c)...)
	}
	return b.tx.AddTasks(ctx, b.now, tasks...)
}

// RescheduleContent moves an unpublished post to an instant that a person chose. Errors:
// invalid_request on scheduled_at; not_found; conflict, also if the post's account has
// another post of the mission at that instant.
func (s *API) RescheduleContent(ctx context.Context, p mission.Principal, id string, at time.Time) (mission.Content, error) {
	at = mission.Millis(at)
	return s.changePost(ctx, p, id, func(tx store.Tx, o opened) error {
		ch, err := o.content.Place(o.mission, at, o.now)
		if err != nil {
			return err
		}
		posts, err := tx.Slots(ctx, o.mission.ID)
		if err != nil {
			return err
		}
		if mission.Taken(posts, id, o.content.Destination(), at) {
			return slotTaken(at)
		}
		quotas, err := quotasOf(ctx, tx, p.TenantID, []mission.ContentChange{ch})
		if err != nil {
			return err
		}
		if _, over := mission.WithinQuotas(quotas, []mission.ContentChange{ch}); len(over) > 0 {
			return quotas[ch.To.IntegrationID].Without(ch.FromSlot).Refusal(o.content.Destination(), at)
		}
		return place(ctx, tx, o.mission, []mission.ContentChange{ch}, o.now)
	})
}

// CancelContent cancels an unpublished post. Errors: not_found; conflict.
func (s *API) CancelContent(ctx context.Context, p mission.Principal, id string) (mission.Content, error) {
	return s.changePost(ctx, p, id, func(tx store.Tx, o opened) error {
		ch, err := o.content.Withhold(o.now)
		if err != nil {
			return err
		}
		return s.withhold(ctx, tx, o.mission, []mission.ContentChange{ch}, o.now)
	})
}

// DuplicateMission creates a draft like a mission. Errors: not_found; invalid_request if
// the mission's settings aren't allowed any more.
func (s *API) DuplicateMission(ctx context.Context, p mission.Principal, id string) (mission.Mission, error) {
	m, err := s.Mission(ctx, p, id)
	if err != nil {
		return m, err
	}
	in := m.Copy()
	files, err := mediaOf(ctx, s.db, p.TenantID, in.MediaIDs)
	if err != nil {
		return m, err
	}
	if len(in.Reviewers) > 0 {
		members, err := s.db.UsersByID(ctx, p.TenantID, in.Reviewers)
		if err != nil {
			return m, err
		}
		in.Reviewers = slices.DeleteFunc(slices.Clone(in.Reviewers), func(id string) bool { return !members[id].MayReview() }) // removed since
	}
	in.MediaIDs = slices.DeleteFunc(slices.Clone(in.MediaIDs), func(id string) bool { return files[id].ID == "" }) // deleted since
	return s.CreateMission(ctx, p, in)
}
