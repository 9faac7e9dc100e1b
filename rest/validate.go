package rest

import (
	"context"

	"missiond/internal/service/missions"
	"missiond/mission"
)

type validateBody struct {
	Platform      mission.Platform `json:"platform" doc:"The platform" example:"mastodon"`
	IntegrationID *string          `json:"integration_id,omitempty" nullable:"true" doc:"The account; the platform's default one if omitted" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	Text          *string          `json:"text,omitempty" nullable:"true" doc:"The post's text" example:"Version 2.0 is out: twice as fast, half the size."`
	Parts         []string         `json:"parts,omitempty" doc:"The parts of a thread, instead of a text" example:"First of all: it is faster.,Second: it is smaller."`
	FirstComment  *string          `json:"first_comment,omitempty" nullable:"true" doc:"The text of a first comment, sent right after the post: a reply, or a comment on LinkedIn; only where GET /v1/platforms says so" example:"The release notes: https://acme.example/2.0"`
	Media         []chosenMedia    `json:"media,omitempty" doc:"Its files"`
}

// ValidatedPart is a post, or a part of a thread, that was checked.
type ValidatedPart struct {
	Text      string `json:"text" doc:"The text" example:"Version 2.0 is out: twice as fast, half the size."`
	Length    int    `json:"length" doc:"Its length as the platform counts it" example:"49"`
	MaxLength int    `json:"max_length" doc:"The greatest length that the account allows" example:"500"`
}

// ValidationProblem is what is wrong with a field.
type ValidationProblem struct {
	Param   string `json:"param" doc:"The field: text, parts, parts[i], first_comment, media[i] or one of its fields" example:"parts[0]"`
	Message string `json:"message" doc:"What is wrong" example:"The text is empty."`
}

type validation struct {
	Valid    bool                `json:"valid" doc:"Whether there are no problems" example:"true"`
	Parts    []ValidatedPart     `json:"parts" doc:"The post, or the parts of the thread, in order"`
	Problems []ValidationProblem `json:"problems" doc:"All that is wrong; empty if the post is valid"`
}

func (a *API) validateContent(ctx context.Context, p mission.Principal, _ *RawText, in validateBody) (validation, error) {
	v, err := a.missions.ValidateContent(ctx, p, missions.ValidateInput{
		Platform: in.Platform, IntegrationID: in.IntegrationID, Text: in.Text, Parts: in.Parts, FirstComment: in.FirstComment, Media: choices(in.Media),
	})
	shown := validation{Valid: v.Valid, Parts: make([]ValidatedPart, len(v.Parts)), Problems: make([]ValidationProblem, len(v.Problems))}
	for i, part := range v.Parts {
		shown.Parts[i] = ValidatedPart(part)
	}
	for i, problem := range v.Problems {
		shown.Problems[i] = ValidationProblem(problem)
	}
	return shown, err
}
