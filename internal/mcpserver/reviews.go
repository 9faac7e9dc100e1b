package mcpserver

import (
	"context"

	"missiond/mission"
	"missiond/store"
)

type reviewsListIn struct {
	paging
	detailed

	MissionID string `json:"mission_id,omitempty"`
}

type reviewsOut struct {
	paged[postRow]

	Attention []attention `json:"attention,omitempty" doc:"What else needs a person, the most pressing first; on the first page without mission_id"`
	Replies   *int        `json:"new_replies,omitempty" doc:"Replies that nobody has dealt with, as far as they are counted; on the first page"`
}

type attention struct {
	Kind  mission.AttentionKind `json:"kind"`
	Count int                   `json:"count" doc:"100: or more"`
}

type approveIn struct {
	postIn
	once

	Revision *int `json:"revision" doc:"The one that was read; if the post has another one now, nothing changes"`
}

type rejectIn struct {
	approveIn

	Reason string `json:"reason,omitempty" doc:"For the writer"`
}

func reviewTools() []*tool {
	return []*tool{
		doing(tool{
			name: "reviews_list", title: "List what waits for review", op: mission.OpContentList, reads: true,
			also:        []mission.Operation{mission.OpAttention},
			description: "Lists the posts that wait for review, the first to expire first, and how much else needs a person.",
		}, listReviews),
		doing(tool{
			name: "post_approve", title: "Approve a post", op: mission.OpContentApprove, world: true, posts: true,
			description: "Approves a revision of a post, which then goes out at its slot. Refused unless the tenant lets agents approve, for what an agent wrote, and where the mission names an editor.",
		}, approvePost),
		doing(tool{
			name: "post_reject", title: "Reject a post", op: mission.OpContentReject, destroys: true,
			description: "Rejects a revision of a post that waits for review, with a reason for the writer.",
		}, rejectPost),
	}
}

func listReviews(ctx context.Context, c *call, in reviewsListIn) (out reviewsOut, err error) {
	if in.MissionID, err = c.within(in.MissionID); err != nil {
		return out, err
	}
	q := mission.ContentQuery{MissionID: in.MissionID, Statuses: []mission.ContentStatus{mission.ContentPendingReview}, Order: mission.OrderDeadline}
	if out.paged, err = c.posts(ctx, q, in.paging, in.detailed); err != nil || in.StartingAfter != "" {
		return out, err
	}
	if in.MissionID == "" && c.adds(ctx, mission.OpAttention) {
		list, err := c.missions.Attention(ctx, c.p)
		if err != nil {
			return out, err
		}
		for _, a := range list {
			out.Attention = append(out.Attention, attention{a.Kind, a.Count})
		}
	}
	if !c.adds(ctx, mission.OpRepliesList) {
		return out, nil
	}
	n, err := c.missions.CountReplies(ctx, c.p, store.ReplyFilter{MissionID: in.MissionID, Status: mission.ReplyNew})
	if n != store.Uncounted {
		out.Replies = &n
	}
	return out, err
}

func approvePost(ctx context.Context, c *call, in approveIn) (writtenPost, error) {
	if err := c.reviews(ctx, in); err != nil {
		return writtenPost{}, err
	}
	post, err := c.missions.ApproveContent(ctx, c.p, in.PostID, in.Revision)
	return written(post, err)
}

func rejectPost(ctx context.Context, c *call, in rejectIn) (writtenPost, error) {
	if err := c.reviews(ctx, in.approveIn); err != nil {
		return writtenPost{}, err
	}
	post, err := c.missions.RejectContent(ctx, c.p, in.PostID, in.Reason, in.Revision)
	return written(post, err)
}

// reviews returns an error unless a review names a post that the caller reaches and the revision
// that was read.
func (c *call) reviews(ctx context.Context, in approveIn) error {
	if in.Revision == nil {
		return mission.Invalid("revision", "The revision that was read is required.")
	}
	_, err := c.post(ctx, in.PostID)
	return err
}
