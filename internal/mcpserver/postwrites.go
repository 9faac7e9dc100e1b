package mcpserver

import (
	"context"
	"time"

	"missiond/internal/service/missions"
	"missiond/mission"
)

// fileIn is a file that a post is given.
type fileIn struct {
	MediaID string  `json:"media_id"`
	AltText *string `json:"alt_text,omitempty" doc:"The file's own if omitted"`
	Part    *int    `json:"part,omitempty" doc:"Of a thread, from 0"`
}

func choicesOf(list []fileIn) []mission.MediaChoice {
	chosen := make([]mission.MediaChoice, len(list))
	for i, f := range list {
		chosen[i] = mission.MediaChoice{MediaID: f.MediaID, AltText: f.AltText}
		if f.Part != nil {
			chosen[i].Part = *f.Part
		}
	}
	return chosen
}

type postWriteIn struct {
	missionIn
	once

	Platform      mission.Platform `json:"platform"`
	IntegrationID *string          `json:"integration_id,omitempty" doc:"The mission's account there if omitted"`
	Text          *string          `json:"text,omitempty"`
	Parts         []string         `json:"parts,omitempty" doc:"Of a thread, instead of text"`
	FirstComment  *string          `json:"first_comment,omitempty"`
	Files         []fileIn         `json:"files,omitempty"`
	ScheduledAt   *time.Time       `json:"scheduled_at,omitempty" doc:"The mission's next free slot if omitted"`
	CheckOnly     bool             `json:"check_only,omitempty" doc:"Whether the post is only checked against the platform's limits, and not stored"`
}

// writtenPost is a post that was made or changed.
type writtenPost struct {
	ID          string                `json:"id,omitempty"`
	MissionID   string                `json:"mission_id,omitempty"`
	Status      mission.ContentStatus `json:"status,omitempty"`
	Revision    int                   `json:"revision,omitzero"`
	ScheduledAt *time.Time            `json:"scheduled_at,omitempty"`
	Text        *Text                 `json:"text,omitempty"`
}

// postWriteOut is a post that was made, or what its check found.
type postWriteOut struct {
	writtenPost

	Check *checkedIn `json:"check,omitempty" doc:"With check_only"`
}

type checkedIn struct {
	Valid    bool           `json:"valid"`
	Parts    []partLength   `json:"parts"`
	Problems []shownProblem `json:"problems"`
}

type partLength struct {
	Length    int `json:"length" doc:"As the platform counts"`
	MaxLength int `json:"max_length"`
}

type postEditIn struct {
	postIn
	once

	Text         *string   `json:"text,omitempty"`
	Parts        []string  `json:"parts,omitempty" doc:"Of a thread, instead of text"`
	FirstComment *string   `json:"first_comment,omitempty" doc:"Empty: removes it"`
	Files        *[]fileIn `json:"files,omitempty" doc:"Replaces its files"`
	Instructions *string   `json:"instructions,omitempty" doc:"Instead of the others: what the service's writer is told to write it again"`
	Revision     *int      `json:"revision,omitempty" doc:"The one that was read: if the post has another one now, nothing changes"`
}

type postRescheduleIn struct {
	postIn
	once

	ScheduledAt *time.Time `json:"scheduled_at"`
}

type postDoIn struct {
	postIn
	once
}

func postWrites() []*tool {
	return []*tool{
		doing(tool{
			name: "post_write", title: "Write a post", op: mission.OpContentCreate, world: true, posts: true, also: []mission.Operation{mission.OpContentValidate},
			description: "Makes a post of a running or paused mission, or with check_only checks one. It waits for review where the mission requires approval, and goes out at its slot otherwise.",
		}, writePost),
		doing(tool{
			name: "post_edit", title: "Edit a post", op: mission.OpContentEdit, destroys: true, world: true, also: []mission.Operation{mission.OpContentRegenerate},
			description: "Replaces the text, first comment or files of an unpublished post, or has the service's writer write it again. An approval doesn't hold for the new revision.",
		}, editPost),
		doing(tool{
			name: "post_reschedule", title: "Move a post", op: mission.OpContentReschedule, repeats: true, world: true,
			description: "Moves an unpublished post to another time before its mission's end.",
		}, reschedulePost),
		doing(tool{
			name: "post_cancel", title: "Cancel a post", op: mission.OpContentCancel, destroys: true, repeats: true,
			description: "Cancels an unpublished post for good. A published post stays where it is.",
		}, cancelPost),
	}
}

// written returns a post that was made or changed as shown.
func written(post mission.Content, err error) (writtenPost, error) {
	if err != nil {
		return writtenPost{}, renamed(naming(err, mission.CodeNotFound, "post_id"), "media", "files")
	}
	return writtenPost{post.ID, post.MissionID, post.Status, post.Revision, post.ScheduledAt, some(post.Text, fromPost, aloneText)}, nil
}

func writePost(ctx context.Context, c *call, in postWriteIn) (postWriteOut, error) {
	if err := c.reaches(in.MissionID); err != nil {
		return postWriteOut{}, err
	}
	if in.CheckOnly {
		return checkPost(ctx, c, in)
	}
	post, err := c.missions.CreateContent(ctx, c.p, missions.ContentInput{
		MissionID: in.MissionID, Platform: in.Platform, IntegrationID: in.IntegrationID, Text: in.Text, Parts: in.Parts, FirstComment: in.FirstComment,
		Media: choicesOf(in.Files), ScheduledAt: in.ScheduledAt,
	})
	out, err := written(post, err)
	return postWriteOut{writtenPost: out}, err
}

func checkPost(ctx context.Context, c *call, in postWriteIn) (postWriteOut, error) {
	if err := c.may(ctx, mission.OpContentValidate); err != nil {
		return postWriteOut{}, err
	}
	v, err := c.missions.ValidateContent(ctx, c.p, missions.ValidateInput{
		Platform: in.Platform, IntegrationID: in.IntegrationID, Text: in.Text, Parts: in.Parts, FirstComment: in.FirstComment, Media: choicesOf(in.Files),
	})
	if err != nil {
		return postWriteOut{}, renamed(err, "media", "files")
	}
	found := checkedIn{Valid: v.Valid, Parts: []partLength{}, Problems: []shownProblem{}}
	for _, part := range v.Parts[:min(len(v.Parts), maxParts)] {
		found.Parts = append(found.Parts, partLength{part.Length, part.MaxLength})
	}
	for _, problem := range v.Problems[:min(len(v.Problems), maxOthers)] {
		found.Problems = append(found.Problems, shownProblem{problem.Param, problem.Message})
	}
	return postWriteOut{Check: &found}, nil
}

func editPost(ctx context.Context, c *call, in postEditIn) (writtenPost, error) {
	c.target = in.PostID
	if _, err := c.post(ctx, in.PostID); err != nil {
		return writtenPost{}, err
	}
	if in.Instructions != nil {
		if in.Text != nil || in.Parts != nil || in.FirstComment != nil || in.Files != nil {
			return writtenPost{}, mission.Invalid("instructions", "Give either instructions or what replaces the post's.")
		}
		if err := c.may(ctx, mission.OpContentRegenerate); err != nil {
			return writtenPost{}, err
		}
		post, err := c.missions.RegenerateContent(ctx, c.p, in.PostID, *in.Instructions, in.Revision)
		return written(post, err)
	}
	edit := missions.EditInput{Text: in.Text, Parts: in.Parts, FirstComment: given(in.FirstComment), Revision: in.Revision}
	if in.Files != nil {
		files := choicesOf(*in.Files)
		edit.Media = &files
	}
	post, err := c.missions.EditContent(ctx, c.p, in.PostID, edit)
	return written(post, err)
}

func reschedulePost(ctx context.Context, c *call, in postRescheduleIn) (writtenPost, error) {
	if in.ScheduledAt == nil {
		return writtenPost{}, mission.Invalid("scheduled_at", "The time is required.")
	}
	if _, err := c.post(ctx, in.PostID); err != nil {
		return writtenPost{}, err
	}
	post, err := c.missions.RescheduleContent(ctx, c.p, in.PostID, *in.ScheduledAt)
	return written(post, err)
}

func cancelPost(ctx context.Context, c *call, in postDoIn) (writtenPost, error) {
	if _, err := c.post(ctx, in.PostID); err != nil {
		return writtenPost{}, err
	}
	post, err := c.missions.CancelContent(ctx, c.p, in.PostID)
	return written(post, err)
}
