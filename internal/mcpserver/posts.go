package mcpserver

import (
	"context"
	"time"

	"missiond/mission"
)

// postRow is a post as lists have it.
type postRow struct {
	ID          string                `json:"id"`
	Mission     named                 `json:"mission"`
	Platform    mission.Platform      `json:"platform"`
	Account     *named                `json:"account,omitempty" doc:"absent: the platform's default, or the sandbox"`
	Status      mission.ContentStatus `json:"status"`
	Revision    int                   `json:"revision"`
	ScheduledAt *time.Time            `json:"scheduled_at,omitempty"`
	PublishedAt *time.Time            `json:"published_at,omitempty"`
	ExpiresAt   *time.Time            `json:"expires_at,omitempty" doc:"When it expires unless it is reviewed"`
	Files       int                   `json:"files"`
	Text        Text                  `json:"text"`
	Failure     *failure              `json:"failure,omitempty"`
}

func showPost(post mission.Content, names map[string]named, most int) postRow {
	row := postRow{
		ID: post.ID, Mission: names[post.MissionID], Platform: post.Platform, Status: post.Status, Revision: post.Revision, ScheduledAt: post.ScheduledAt,
		PublishedAt: post.PublishedAt, ExpiresAt: post.ExpiresAt, Files: len(post.Media), Text: cutTo(post.Text, fromPost, most), Failure: showFailure(post.Error),
	}
	if post.IntegrationID != "" {
		row.Account = &named{post.IntegrationID, cutTo(post.AccountHandle, fromPlatform, nameBytes)}
	}
	return row
}

type postsListIn struct {
	paging
	detailed

	MissionID     string                  `json:"mission_id,omitempty"`
	Statuses      []mission.ContentStatus `json:"statuses,omitempty"`
	Platform      mission.Platform        `json:"platform,omitempty" enum:"-"`
	IntegrationID string                  `json:"integration_id,omitempty"`
	From          *time.Time              `json:"scheduled_from,omitempty"`
	To            *time.Time              `json:"scheduled_to,omitempty"`
	PublishedFrom *time.Time              `json:"published_from,omitempty"`
	PublishedTo   *time.Time              `json:"published_to,omitempty"`
	Search        string                  `json:"search,omitempty" doc:"Words that the text contains"`
	Order         mission.ContentOrder    `json:"order,omitempty" enum:"created,scheduled,published,impressions,clicks,likes,comments,shares,engagement_rate" doc:"created, newest first, if omitted; scheduled: earliest first; else latest or highest first"`
}

func (in postsListIn) query() mission.ContentQuery {
	return mission.ContentQuery{
		MissionID: in.MissionID, Platform: in.Platform, IntegrationID: in.IntegrationID, Statuses: in.Statuses,
		Scheduled: mission.Span{From: in.From, Until: in.To}, Published: mission.Span{From: in.PublishedFrom, Until: in.PublishedTo},
		Search: in.Search, Order: in.Order,
	}
}

type postIn struct {
	PostID string `json:"post_id"`
}

type postGetIn struct {
	postIn
	detailed
}

type postOut struct {
	postRow

	URL     *string  `json:"url,omitempty" doc:"Where it is to be seen"`
	Summary Text     `json:"summary" doc:"The first of reasons"`
	Reasons []reason `json:"reasons" doc:"Why it hasn't gone out, or what is waited for"`

	Preview *preview        `json:"preview,omitempty" doc:"With detail full, as are those that follow"`
	Record  *record         `json:"record,omitempty"`
	Metrics mission.Metrics `json:"metrics,omitempty"`
	Earlier []revision      `json:"earlier_revisions,omitempty" doc:"Latest first"`
	Remarks []remark        `json:"review_comments,omitempty" doc:"Of those who review it, newest first"`
	Replies []replied       `json:"replies,omitempty" doc:"On the platform, newest first"`
}

// preview is what goes out.
type preview struct {
	Type            mission.Format `json:"type"`
	Parts           []Text         `json:"parts,omitempty" doc:"Of a thread"`
	FirstComment    *Text          `json:"first_comment,omitempty"`
	Files           []postFile     `json:"files"`
	DisclosureLine  *Text          `json:"disclosure_line,omitempty"`
	MadeWithAI      bool           `json:"made_with_ai"`
	PaidPartnership bool           `json:"paid_partnership"`
	Broken          []broken       `json:"broken_rules" doc:"Rules that its text breaks"`
}

type postFile struct {
	MediaID string            `json:"media_id"`
	Part    int               `json:"part"`
	Kind    mission.MediaKind `json:"kind"`
	AltText Text              `json:"alt_text"`
}

type broken struct {
	Rule    mission.Rule `json:"rule"`
	Message *Text        `json:"message,omitempty"`
}

// record is how a post came about.
type record struct {
	Origin      mission.Origin     `json:"origin"`
	CreatedAt   time.Time          `json:"created_at"`
	Author      mission.AuthorKind `json:"author" doc:"Of the latest revision"`
	WriterShare *float64           `json:"writer_share,omitempty"`
	Decisions   []decision         `json:"decisions" doc:"Latest first"`
	Facts       []Text             `json:"facts"`
}

type decision struct {
	Decision mission.Decision `json:"decision"`
	Revision int              `json:"revision"`
	At       time.Time        `json:"at"`
	By       *Text            `json:"by,omitempty"`
	Reason   *Text            `json:"reason,omitempty"`
}

type revision struct {
	Revision int                   `json:"revision"`
	Status   mission.ContentStatus `json:"status"`
	Text     Text                  `json:"text"`
	Reason   *Text                 `json:"rejection_reason,omitempty"`
}

type remark struct {
	At       time.Time `json:"at"`
	Revision int       `json:"revision"`
	By       *Text     `json:"by,omitempty"`
	Text     Text      `json:"text"`
}

type replied struct {
	ID     string              `json:"id"`
	At     time.Time           `json:"received_at"`
	Status mission.ReplyStatus `json:"status"`
	By     *Text               `json:"by,omitempty"`
	Text   Text                `json:"text"`
	Answer *Text               `json:"answer,omitempty"`
}

func postTools() []*tool {
	return []*tool{
		doing(tool{
			name: "posts_list", title: "List posts", op: mission.OpContentList, reads: true,
			description: "Lists posts with their mission, state, slot and the beginning of their text; with detail full with more of it.",
		}, listPosts),
		doing(tool{
			name: "post_get", title: "Read a post", op: mission.OpContentRead, reads: true,
			also: []mission.Operation{
				mission.OpContentWhy, mission.OpContentRecord, mission.OpContentRevisions, mission.OpContentComments, mission.OpRepliesList, mission.OpRepliesRead,
			},
			description: "Returns a post, why it hasn't gone out and which actions help. With detail full also a preview, the record of how it came about, earlier revisions, comments of reviewers and replies.",
		}, getPost),
	}
}

// fullText is how much of a text detail full has, in bytes: in a list, and alone.
const (
	listedText = 1_500
	aloneText  = 1_500
	wholeText  = 20_000
)

func listPosts(ctx context.Context, c *call, in postsListIn) (paged[postRow], error) {
	var err error
	if in.MissionID, err = c.within(in.MissionID); err != nil {
		return paged[postRow]{}, err
	}
	return c.posts(ctx, in.query(), in.paging, in.detailed)
}

// posts returns a page of posts as shown.
func (c *call) posts(ctx context.Context, q mission.ContentQuery, of paging, d detailed) (paged[postRow], error) {
	none := paged[postRow]{}
	page, err := of.page()
	if err != nil {
		return none, err
	}
	list, err := c.missions.ListContents(ctx, c.p, q, page)
	if err != nil {
		return none, namingCursor(err)
	}
	names, err := c.namesOf(ctx, list.List...)
	if err != nil {
		return none, err
	}
	most := excerptBytes
	if d.full() {
		most = listedText
	}
	rows := make([]postRow, len(list.List))
	for i, post := range list.List {
		rows[i] = showPost(post, names, most)
	}
	return pageOf(list, rows, d, func(post mission.Content) string { return post.ID }), nil
}

func getPost(ctx context.Context, c *call, in postGetIn) (postOut, error) {
	post, err := c.post(ctx, in.PostID)
	if err != nil {
		return postOut{}, err
	}
	names, err := c.namesOf(ctx, post)
	if err != nil {
		return postOut{}, err
	}
	if err := c.may(ctx, mission.OpContentWhy); err != nil {
		return postOut{}, err
	}
	why, err := c.missions.ContentWhy(ctx, c.p, post.ID)
	if err != nil {
		return postOut{}, err
	}
	most := aloneText
	if in.full() {
		most = wholeText
	}
	out := postOut{postRow: showPost(post, names, most), URL: post.PlatformURL, Summary: cutTo(why.Summary, fromService, reasonBytes), Reasons: showReasons(why)}
	if in.full() {
		err = c.addToPost(ctx, &out, post)
	}
	return out, err
}
