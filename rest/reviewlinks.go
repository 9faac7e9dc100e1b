package rest

import (
	"context"
	"time"

	"missiond/mission"
)

// routeReviewLinks registers the routes of the links with which people without an account review.
func (a *API) routeReviewLinks() {
	const links = "/v1/missions/{id}/review_links"
	handleBody(a, tagMissions.post(mission.OpReviewLinksCreate, links, "Make a review link").created().
		withExample(`{"name":"Acme, marketing","expires_in_hours":72,"may_decide":true}`), a.createReviewLink)
	handle(a, tagMissions.get(mission.OpReviewLinksList, links, "List review links"), a.listReviewLinks)
	handle(a, tagMissions.get(mission.OpReviewLinksRead, links+"/{link_id}", "Read a review link"), a.readReviewLink)
	handle(a, tagMissions.delete(mission.OpReviewLinksRevoke, links+"/{link_id}", "Revoke a review link"), a.revokeReviewLink)
}

type reviewLinkPath struct {
	MissionPath

	LinkID string `path:"link_id" doc:"The link's id" example:"rvl_01jd0000000000000000000000"`
}

// ShownReviewLink is a review link without its address.
type ShownReviewLink struct {
	ID         string     `json:"id" doc:"Its id" example:"rvl_01jnd2x6k8e4rvt0m7y3bqz5cl"`
	MissionID  string     `json:"mission_id" doc:"The mission whose posts it shows" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Name       string     `json:"name" doc:"Whom it is for" example:"Acme, marketing"`
	MayDecide  bool       `json:"may_decide" doc:"Whether posts can be approved and rejected with it" example:"true"`
	ExpiresAt  time.Time  `json:"expires_at" doc:"Until when it works"`
	CreatedAt  time.Time  `json:"created_at" doc:"When it was made"`
	CreatedBy  string     `json:"created_by" doc:"The user or the API key that made it" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	RevokedAt  *time.Time `json:"revoked_at" doc:"When it was revoked; null if it wasn't"`
	LastUsedAt *time.Time `json:"last_used_at" doc:"When somebody decided or commented with it last; null if nobody did"`
}

func showReviewLink(l mission.ReviewLink) ShownReviewLink {
	return ShownReviewLink{
		ID: l.ID, MissionID: l.MissionID, Name: l.Name, MayDecide: l.MayDecide, ExpiresAt: l.ExpiresAt, CreatedAt: l.CreatedAt,
		CreatedBy: l.CreatedBy, RevokedAt: l.RevokedAt, LastUsedAt: l.LastUsedAt,
	}
}

type createdReviewLink struct {
	ShownReviewLink

	URL string `json:"url" doc:"Its address, which is shown only this once: whoever has it, has the link" example:"https://missions.example.com/review/mX2vKq0yQf7bqz5chjnd2x6k8e4rvt0m7y3bqz5chjn"`
}

func (a *API) createReviewLink(ctx context.Context, p mission.Principal, in *missionParams, body mission.ReviewLinkInput) (createdReviewLink, error) {
	made, err := a.missions.CreateReviewLink(ctx, p, in.ID, body)
	return createdReviewLink{ShownReviewLink: showReviewLink(made.Link), URL: made.URL}, err
}

type reviewLinkListParams struct {
	MissionPath
	Paging
}

func (a *API) listReviewLinks(ctx context.Context, p mission.Principal, in *reviewLinkListParams) (page[ShownReviewLink], error) {
	list, err := a.missions.ReviewLinks(ctx, p, in.ID, in.page())
	return pageOf(list, list.Total, showReviewLink), namingCursor(err)
}

func (a *API) readReviewLink(ctx context.Context, p mission.Principal, in *reviewLinkPath) (ShownReviewLink, error) {
	l, err := a.missions.ReviewLink(ctx, p, in.ID, in.LinkID)
	return showReviewLink(l), err
}

func (a *API) revokeReviewLink(ctx context.Context, p mission.Principal, in *reviewLinkPath) (ShownReviewLink, error) {
	l, err := a.missions.RevokeReviewLink(ctx, p, in.ID, in.LinkID)
	return showReviewLink(l), err
}
