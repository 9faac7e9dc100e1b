package rest

import (
	"context"
	"time"

	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

const tagContent tag = "Content"

// routeContents registers the routes of posts (decisions, "Content").
func (a *API) routeContents() {
	handle(a, tagContent.get(mission.OpContentList, "/v1/content", "List posts"), a.listContents)
	handle(a, tagContent.get(mission.OpContentRead, "/v1/content/{id}", "Read a post"), a.readContent)
	handleBody(a, tagContent.post(mission.OpContentCreate, "/v1/content", "Make a post").created().
		withExample(`{"mission_id":"msn_01jnd2x6k8e4rvt0m7y3bqz5ca","platform":"twitter",`+
			`"text":"Version 2.0 is here: faster, and it works offline."}`), a.createContent)
	a.registerImport(tagContent.post(mission.OpContentImport, "/v1/content/import", "Make posts of a file's rows"))
	handleBody(a, tagContent.post(mission.OpContentReschedule, "/v1/content/{id}/reschedule", "Move a post to another time").
		withExample(`{"scheduled_at":"2025-03-03T09:00:00Z"}`), a.rescheduleContent)
	handle(a, tagContent.post(mission.OpContentCancel, "/v1/content/{id}/cancel", "Cancel an unpublished post"), a.cancelContent)
	handleBody(a, tagContent.put(mission.OpContentEdit, "/v1/content/{id}", "Edit a post's text").
		withExample(`{"text":"Version 2.0 is here: faster, and it works offline."}`), a.editContent)
	handleBody(a, tagContent.post(mission.OpContentValidate, "/v1/content/validate", "Check a post's text without keeping it").
		withExample(`{"platform":"mastodon","text":"Version 2.0 is here: faster, and it works offline."}`), a.validateContent)
	handle(a, tagContent.get(mission.OpContentRevisions, "/v1/content/{id}/revisions", "List a post's revisions"), a.listRevisions)
	handle(a, tagContent.get(mission.OpContentWhy, "/v1/content/{id}/why", "Read why a post hasn't gone out"), a.contentWhy)
	a.registerRecord(tagContent.get(mission.OpContentRecord, "/v1/content/{id}/record", "Read how a post came about"))
	handleBody(a, tagContent.post(mission.OpContentApprove, "/v1/content/{id}/approve", "Approve a post").optionalOrNull().
		withExample(`{"revision":1}`), a.approveContent)
	handleBody(a, tagContent.post(mission.OpContentReject, "/v1/content/{id}/reject", "Reject a post").optionalOrNull().
		withExample(`{"reason":"Too loud","revision":1}`), a.rejectContent)
	handle(a, tagContent.post(mission.OpContentReopen, "/v1/content/{id}/reopen", "Have a post wait for review again"), a.reopenContent)
	handleBody(a, tagContent.post(mission.OpContentSettle, "/v1/content/{id}/settle", "Say what became of a post whose outcome is unknown").
		withExample(`{"published_url":"https://www.linkedin.com/feed/update/urn:li:share:7400000000000000000/"}`), a.settleContent)
	handleBody(a, tagContent.post(mission.OpContentRegenerate, "/v1/content/{id}/regenerate", "Have a post rewritten").optionalOrNull().
		withExample(`{"instructions":"Shorter, and no question at the end","revision":1}`), a.regenerateContent)
}

// ContentPath has the parameters of a post's routes.
type ContentPath struct {
	ID string `path:"id" doc:"The post's id" example:"cnt_01jd0000000000000000000000"`
}

type shownContent struct {
	ID              string                    `json:"id" doc:"Its id" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	MissionID       string                    `json:"mission_id" doc:"The mission" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Origin          mission.Origin            `json:"origin" doc:"Who made it: the service's writer or a person" example:"writer"`
	Repeats         *string                   `json:"repeats,omitempty" doc:"The post that it repeats; absent for none" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	JobID           *string                   `json:"job_id" doc:"The job that made it; null if a person did" example:"job_01jnd2x6k8e4rvt0m7y3bqz5cj"`
	Platform        mission.Platform          `json:"platform" doc:"The platform" example:"twitter"`
	IntegrationID   *string                   `json:"integration_id" doc:"The account; null for the platform's default until the post is published, and for the sandbox" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	AccountHandle   *string                   `json:"account_handle" doc:"The account's handle, without a leading @; null if it isn't known or has none" example:"acme@mastodon.example"`
	Type            mission.Format            `json:"type" doc:"The post's format" example:"post"`
	Status          mission.ContentStatus     `json:"status" doc:"unknown: the platform never responded; the post is being looked up or, if its error is outcome_unknown, a person has to settle it" example:"scheduled"`
	Text            string                    `json:"text" doc:"For a thread, its parts joined by blank lines" example:"Version 2.0 is out: twice as fast, half the size."`
	Parts           []string                  `json:"parts" doc:"The parts of a thread, in order; otherwise empty" example:"First of all: it is faster.,Second: it is smaller."`
	FirstComment    nullable[shownComment]    `json:"first_comment" doc:"Its first comment; null if it has none"`
	Media           []shownPostMedia          `json:"media" doc:"Its files, as they go out"`
	Disclosure      mission.ContentDisclosure `json:"disclosure" doc:"What it discloses, as decided when its current text was written"`
	Unreviewed      bool                      `json:"unreviewed" doc:"Whether it goes out, or went out, without review since its mission has earned that; its record has the approvals that this rests on" example:"false"`
	Facts           []mission.CitedFact       `json:"facts" doc:"The facts of the brand that its current text rests on, as they were when it was written"`
	Verdict         shownVerdict              `json:"verdict" doc:"The results of the checks of its current text"`
	Links           []mission.ContentLink     `json:"links" doc:"Its links that don't go out as they are written, as decided when its current text was written"`
	Angle           *mission.Angle            `json:"angle" doc:"How the post approaches its subject; null if a person made it" example:"how_to"`
	Revision        int                       `json:"revision" doc:"Counts the texts it has had, from 1" example:"1"`
	ScheduledAt     *time.Time                `json:"scheduled_at" doc:"When it is to go out"`
	PublishedAt     *time.Time                `json:"published_at" doc:"When it was published"`
	PlatformPostID  *string                   `json:"platform_post_id" doc:"The platform's id of the post" example:"1896500000000000000"`
	PlatformURL     *string                   `json:"platform_url" doc:"Where the post is to be seen" example:"https://x.com/acme/status/1896500000000000000"`
	RejectionReason *string                   `json:"rejection_reason" doc:"Why it was rejected" example:"Too loud"`
	Error           nullable[mission.Failure] `json:"error" doc:"Why publishing failed, why its outcome is unknown, or why the post was canceled; otherwise null"`
	ExpiresAt       *time.Time                `json:"expires_at" doc:"When the post expires if nobody reviews it; null unless it is waiting for review"`
	CostCents       int64                     `json:"cost_cents" doc:"Rounded up" example:"2"`
	Metrics         nullable[mission.Metrics] `json:"metrics" doc:"The latest figures; null before the first measurement"`
	CreatedAt       time.Time                 `json:"created_at" doc:"When it was made"`
	UpdatedAt       time.Time                 `json:"updated_at" doc:"When it changed last"`
}

// shownPostMedia is a file of a post.
type shownPostMedia struct {
	MediaID     string            `json:"media_id" doc:"The file" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Part        int               `json:"part" doc:"The index of the part of a thread that has it, from 0" example:"0"`
	Kind        mission.MediaKind `json:"kind" enum:"image,animation,video" doc:"What it is" example:"image"`
	AltText     string            `json:"alt_text" doc:"What the post says of it to people who don't see it" example:"A red bicycle against a white wall"`
	ContentType string            `json:"content_type" doc:"What is sent" example:"image/jpeg"`
	Bytes       int64             `json:"bytes" doc:"The size of what is sent" example:"1843200"`
	Width       int               `json:"width" doc:"In pixels" example:"4032"`
	Height      int               `json:"height" doc:"In pixels" example:"3024"`
	Hash        string            `json:"hash" doc:"The SHA-256 of what is sent, in hex: an approval holds for it; as variant of GET /v1/media/{id}/file it shows that very file" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
}

func showPostMedia(list []mission.PostMedia) []shownPostMedia {
	shown := make([]shownPostMedia, len(list))
	for i, m := range list {
		shown[i] = shownPostMedia{
			MediaID: m.MediaID, Part: m.Part, Kind: m.Kind, AltText: m.AltText, ContentType: m.ContentType, Bytes: m.Bytes,
			Width: m.Width, Height: m.Height, Hash: m.Hash,
		}
	}
	return shown
}

// chosenMedia is a file that a person gives to a post.
type chosenMedia struct {
	MediaID string  `json:"media_id" doc:"The file, which is ready" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	AltText *string `json:"alt_text,omitempty" nullable:"true" doc:"What the post says of it to people who don't see it; if omitted, the file's own" example:"A red bicycle against a white wall"`
	Part    *int    `json:"part,omitempty" nullable:"true" doc:"The index of the part of a thread that has it, from 0" example:"0"`
}

func choices(list []chosenMedia) []mission.MediaChoice {
	chosen := make([]mission.MediaChoice, len(list))
	for i, m := range list {
		chosen[i] = mission.MediaChoice{MediaID: m.MediaID, AltText: m.AltText}
		if m.Part != nil {
			chosen[i].Part = *m.Part
		}
	}
	return chosen
}

// shownComment is the first comment of a post.
type shownComment struct {
	Text        string                    `json:"text" doc:"Its text" example:"The release notes: https://acme.example/2.0"`
	Status      mission.CommentStatus     `json:"status" doc:"waiting: for the post to be published; unknown: the platform never responded, and the comment is being looked up; canceled: the post was canceled, rejected, or expired or failed" example:"published"`
	PlatformURL *string                   `json:"platform_url" doc:"Where it is to be seen" example:"https://x.com/acme/status/1896500000000000001"`
	Error       nullable[mission.Failure] `json:"error" doc:"Why it wasn't sent, or why its outcome is unknown; otherwise null. The post stays published"`
}

func showComment(c *mission.Comment) *shownComment {
	if c == nil {
		return nil
	}
	return &shownComment{Text: c.Text, Status: c.Status, PlatformURL: c.URL(), Error: nullable[mission.Failure]{c.Error}}
}

func showContent(c mission.Content) shownContent {
	var metrics *mission.Metrics
	if c.MeasuredAt != nil {
		metrics = &c.Metrics
	}
	return shownContent{
		ID: c.ID, MissionID: c.MissionID, Origin: c.Origin, Unreviewed: c.Unreviewed(), Repeats: orNull(c.Repeats), JobID: orNull(c.JobID), Platform: c.Platform,
		IntegrationID: orNull(c.IntegrationID), AccountHandle: orNull(c.AccountHandle), Type: c.Format,
		Status: c.Status, Text: c.Text, Parts: c.Parts, FirstComment: nullable[shownComment]{showComment(c.FirstComment())}, Media: showPostMedia(c.Media),
		Disclosure: c.Disclosure(), Facts: append([]mission.CitedFact{}, c.Facts...), Verdict: showVerdict(c.Verdict), Angle: orNull(c.Angle), Revision: c.Revision, ScheduledAt: c.ScheduledAt, PublishedAt: c.PublishedAt,
		PlatformPostID: c.PlatformPostID, PlatformURL: c.PlatformURL, RejectionReason: c.RejectionReason,
		Error: nullable[mission.Failure]{c.Error}, ExpiresAt: c.ExpiresAt,
		CostCents: c.Cost.Cents(), Metrics: nullable[mission.Metrics]{metrics}, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}

// shown returns a function that returns a post as shown, with its links' clicks, or passes an error on.
func (a *API) shown(ctx context.Context, p mission.Principal) func(c mission.Content, err error) (shownContent, error) {
	return func(c mission.Content, err error) (shownContent, error) {
		if err != nil {
			return shownContent{}, err
		}
		show, err := a.showing(ctx, p, c)
		return show(c), err
	}
}

// showing returns a function that returns the posts as shown, with their links' clicks.
func (a *API) showing(ctx context.Context, p mission.Principal, posts ...mission.Content) (func(mission.Content) shownContent, error) {
	links, err := a.missions.LinksOf(ctx, p, posts)
	return func(c mission.Content) shownContent {
		shown := showContent(c)
		shown.Links = links[c.ID]
		return shown
	}, err
}

func (a *API) readContent(ctx context.Context, p mission.Principal, in *ContentPath) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.Content(ctx, p, in.ID))
}

type contentParams struct {
	ContentPath
	RawText
}

type createBody struct {
	MissionID     string           `json:"mission_id" doc:"The mission, which is active or paused" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Platform      mission.Platform `json:"platform" doc:"The platform, one of the mission's" example:"mastodon"`
	IntegrationID *string          `json:"integration_id,omitempty" nullable:"true" doc:"The account; if omitted, the first that the mission has chosen on the platform, or else the platform's default one" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Text          *string          `json:"text,omitempty" nullable:"true" doc:"The text of a single post" example:"Version 2.0 is out: twice as fast, half the size."`
	Parts         []string         `json:"parts,omitempty" doc:"The parts of a thread, instead of a text" example:"First of all: it is faster.,Second: it is smaller."`
	FirstComment  *string          `json:"first_comment,omitempty" nullable:"true" doc:"The text of a first comment, sent right after the post: a reply, or a comment on LinkedIn; only where GET /v1/platforms says so" example:"The release notes: https://acme.example/2.0"`
	Media         []chosenMedia    `json:"media,omitempty" doc:"Its files"`
	ScheduledAt   *time.Time       `json:"scheduled_at,omitempty" nullable:"true" doc:"When it goes out: in the future, and before the mission's end; if omitted, the mission's next free slot"`
}

func (a *API) createContent(ctx context.Context, p mission.Principal, _ *RawText, body createBody) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.CreateContent(ctx, p, missions.ContentInput{
		MissionID: body.MissionID, Platform: body.Platform, IntegrationID: body.IntegrationID, Text: body.Text, Parts: body.Parts,
		FirstComment: body.FirstComment, Media: choices(body.Media), ScheduledAt: body.ScheduledAt,
	}))
}

type rescheduleBody struct {
	ScheduledAt *time.Time `json:"scheduled_at" nullable:"false" doc:"When it goes out: in the future, and before the mission's end"`
}

func (a *API) rescheduleContent(ctx context.Context, p mission.Principal, in *contentParams, body rescheduleBody) (shownContent, error) {
	if body.ScheduledAt == nil {
		return shownContent{}, mission.Invalid("scheduled_at", "The time is required.")
	}
	return a.shown(ctx, p)(a.missions.RescheduleContent(ctx, p, in.ID, *body.ScheduledAt))
}

func (a *API) cancelContent(ctx context.Context, p mission.Principal, in *ContentPath) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.CancelContent(ctx, p, in.ID))
}

type editBody struct {
	Text         *string          `json:"text,omitempty" doc:"The text; for a thread, it is split into parts at the ends of sentences" example:"Version 2.0 is out: twice as fast, half the size."`
	Parts        []string         `json:"parts,omitempty" doc:"The parts of a thread, instead of a text" example:"First of all: it is faster.,Second: it is smaller."`
	FirstComment optional[string] `json:"first_comment,omitzero" doc:"The text of the first comment, which null or an empty text removes; if omitted, it stays. It may be changed alone" example:"The release notes: https://acme.example/2.0"`
	Media        *[]chosenMedia   `json:"media,omitempty" nullable:"false" doc:"Its files, instead of those that it has; they may be changed alone. An approval doesn't hold for other files"`
	Revision     *int             `json:"revision,omitempty" nullable:"true" doc:"The revision that was read; if the post has another one now, the error is conflict" example:"1"`
}

func (a *API) editContent(ctx context.Context, p mission.Principal, in *contentParams, body editBody) (shownContent, error) {
	edit := missions.EditInput{Text: body.Text, Parts: body.Parts, FirstComment: body.FirstComment.Optional, Revision: body.Revision}
	if body.Media != nil {
		files := choices(*body.Media)
		edit.Media = &files
	}
	return a.shown(ctx, p)(a.missions.EditContent(ctx, p, in.ID, edit))
}

type approveBody struct {
	Revision *int `json:"revision,omitempty" nullable:"true" doc:"The revision that was reviewed; if the post has another one now, the error is conflict" example:"1"`
}

func (a *API) approveContent(ctx context.Context, p mission.Principal, in *contentParams, body approveBody) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.ApproveContent(ctx, p, in.ID, body.Revision))
}

type rejectBody struct {
	Reason   *string `json:"reason,omitempty" nullable:"true" doc:"The reason, for the writer" example:"Too loud"`
	Revision *int    `json:"revision,omitempty" nullable:"true" doc:"The revision that was reviewed; if the post has another one now, the error is conflict" example:"1"`
}

func (a *API) rejectContent(ctx context.Context, p mission.Principal, in *contentParams, body rejectBody) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.RejectContent(ctx, p, in.ID, text(body.Reason), body.Revision))
}

func (a *API) reopenContent(ctx context.Context, p mission.Principal, in *ContentPath) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.ReopenContent(ctx, p, in.ID))
}

type settleBody struct {
	PublishedURL *string `json:"published_url,omitempty" maxLength:"2048" doc:"The post is there: its https URL on its platform" example:"https://www.linkedin.com/feed/update/urn:li:share:7400000000000000000/"`
	PublishAgain *bool   `json:"publish_again,omitempty" doc:"true: the post isn't there, and is to be sent once more; instead of published_url" example:"true"`
}

func (a *API) settleContent(ctx context.Context, p mission.Principal, in *contentParams, body settleBody) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.SettleContent(ctx, p, in.ID, missions.SettleInput(body)))
}

// text returns "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type regenerateBody struct {
	Instructions *string `json:"instructions,omitempty" nullable:"true" doc:"Instructions for the writer" example:"Shorter, and no question at the end"`
	Revision     *int    `json:"revision,omitempty" nullable:"true" doc:"The revision that was read; if the post has another one now, the error is conflict" example:"1"`
}

func (a *API) regenerateContent(ctx context.Context, p mission.Principal, in *contentParams, body regenerateBody) (shownContent, error) {
	return a.shown(ctx, p)(a.missions.RegenerateContent(ctx, p, in.ID, text(body.Instructions), body.Revision))
}

type shownVerdict struct {
	Passed        bool                 `json:"passed" doc:"Whether the text breaks none of the rules that bind everybody: excluded_topics, banned_words and facts" example:"true"`
	ExcludedTopic *string              `json:"excluded_topic" doc:"The first excluded topic that the text mentions" example:"politics"`
	TopicsChecked int                  `json:"topics_checked" doc:"How many topics were looked for" example:"1"`
	Checks        []mission.ShownCheck `json:"checks" doc:"The result of each rule; of texts before rules had names, none"`
}

func showVerdict(v mission.Verdict) shownVerdict {
	return shownVerdict{Passed: v.Passed(), ExcludedTopic: orNull(v.ExcludedTopic), TopicsChecked: v.TopicsChecked, Checks: v.Shown()}
}

type shownRevision struct {
	Revision        int                   `json:"revision" doc:"Counts the texts it has had, from 1" example:"1"`
	Type            mission.Format        `json:"type" doc:"The post's format" example:"post"`
	Text            string                `json:"text" doc:"The text" example:"Version 2.0 is out: twice as fast, half the size."`
	Parts           []string              `json:"parts" doc:"Of a thread, in order; else empty" example:"First of all: it is faster.,Second: it is smaller."`
	FirstComment    *string               `json:"first_comment" doc:"The text of its first comment; null if it has none" example:"The release notes: https://acme.example/2.0"`
	Media           []shownPostMedia      `json:"media" doc:"Its files"`
	AuthorID        *string               `json:"author_id" doc:"The user who wrote it; null if the service's writer did" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	Instructions    *string               `json:"instructions" doc:"The instructions given to the writer" example:"Shorter, and no question at the end"`
	Verdict         shownVerdict          `json:"verdict"`
	Facts           []mission.CitedFact   `json:"facts" doc:"The facts of the brand that it rests on, as they were when it was written"`
	Status          mission.ContentStatus `json:"status" doc:"Its outcome; for the current revision, the post's state" example:"rejected"`
	RejectionReason *string               `json:"rejection_reason" doc:"Why it was rejected" example:"Too loud"`
	ReviewedBy      *string               `json:"reviewed_by" doc:"Who decided: a user, a review link, an agent, or the key that one calls with" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	ReviewedAt      *time.Time            `json:"reviewed_at" doc:"When a person decided"`
}

func showRevision(r mission.Revision) shownRevision {
	return shownRevision{
		Revision: r.Revision, Type: r.Format, Text: r.Text, Parts: r.Parts, FirstComment: orNull(r.Comment), Media: showPostMedia(r.Media),
		AuthorID: orNull(r.AuthorID), Instructions: orNull(r.Instructions),
		Verdict: showVerdict(r.Verdict), Facts: append([]mission.CitedFact{}, r.Facts...), Status: r.Status, RejectionReason: r.RejectionReason, ReviewedBy: orNull(r.ReviewedBy), ReviewedAt: r.ReviewedAt,
	}
}

func (a *API) listRevisions(ctx context.Context, p mission.Principal, in *ContentPath) (page[shownRevision], error) {
	list, err := a.missions.Revisions(ctx, p, in.ID, store.TextPage{})
	return whole(list, showRevision), err
}
