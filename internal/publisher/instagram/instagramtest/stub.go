// Package instagramtest plays Instagram (Instagram API with Instagram Login, v25.0) for tests.
package instagramtest

import (
	"net/url"
	"unicode/utf8"

	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/mission"
)

// Stub plays Instagram.
type Stub = metatest.Stub

// How many files a carousel has, and how long a caption is, at most.
const (
	mostFiles = 10
	caption   = 2_200
)

// New returns an Instagram without posts.
func New() *Stub {
	s := metatest.New(metatest.Rules{
		Version: "/v25.0", Grant: "ig", ListsTokens: true, LimitCode: 80002,
		Scopes: []string{
			"instagram_business_basic", "instagram_business_content_publish", "instagram_business_manage_comments",
			"instagram_business_manage_insights",
		},
		Me: map[string]any{
			"user_id": metatest.UserID, "username": "ada", "name": "Ada Other", "profile_picture_url": publishertest.Picture, "account_type": "BUSINESS",
		},
		Create: "media", Publish: "media_publish", Limit: "content_publishing_limit", State: "status_code", Problem: "status", Text: "caption",
		Failed: "Error: Media upload has failed with error code 2207026",
		Form: []string{
			"media_type", "caption", "image_url", "video_url", "alt_text", "is_carousel_item", "children", "is_ai_generated", "collaborators",
			"user_tags", "location_id", "share_to_feed", "thumb_offset", "cover_url",
		},
		Check:   check,
		Types:   map[string][]string{"image_url": {mission.TypeJPEG}, "video_url": {mission.TypeMP4, mission.TypeMOV}},
		Bytes:   map[string]int64{"image_url": 8 << 20, "video_url": 300_000_000},
		AltText: 1_000, Lists: []string{"media"},
		Insights: map[string]mission.Metric{
			"views": mission.Views, "reach": mission.Reach, "likes": mission.Likes, "comments": mission.Comments, "shares": mission.Shares,
			"saved": mission.Clicks, "total_interactions": mission.Clicks, // which nobody asks for
		},
		Gone:    metatest.Failure{Code: 24, Subcode: 2207006, Message: "The media could not be found to be published."},
		Address: "https://www.instagram.com/p/C",
	})
	s.Total = 50
	return s
}

// check returns what is wrong with a container.
func check(f url.Values, children int) *metatest.Failure {
	kind, item := f.Get("media_type"), f.Has("is_carousel_item")
	wrong := func(text string) *metatest.Failure { return &metatest.Failure{Code: 100, Message: "(#100) " + text} }
	switch {
	case kind != "" && kind != "VIDEO" && kind != "REELS" && kind != "CAROUSEL":
		return &metatest.Failure{Code: 100, Subcode: 2207023, Message: "The media type " + kind + " is unknown."}
	case f.Has("image_url") != (kind == "") || f.Has("children") != (kind == "CAROUSEL") || f.Has("video_url") != (kind == "VIDEO" || kind == "REELS"):
		return wrong("The parameter image_url, video_url or children is required, for its media_type alone")
	case kind == "CAROUSEL" && (children < 2 || children > mostFiles):
		return &metatest.Failure{Code: 100, Subcode: 2207028, Message: "Your post won't work as a carousel. Carousels need at least 2 photos/videos and no more than 10 photos/videos."}
	case f.Has("alt_text") && kind != "":
		return wrong("alt_text is for pictures")
	case item && (f.Get("is_carousel_item") != "true" || f.Has("caption") || f.Has("is_ai_generated") || kind == "CAROUSEL" || kind == "REELS"):
		return wrong("A carousel item has no caption, no label, and is no reel")
	case kind == "VIDEO" && !item:
		return wrong("VIDEO is no longer supported; use REELS")
	case f.Has("is_ai_generated") && f.Get("is_ai_generated") != "true":
		return wrong("is_ai_generated is invalid")
	case utf8.RuneCountInString(f.Get("caption")) > caption:
		return &metatest.Failure{Code: 36004, Subcode: 2207010, Message: "The caption was too long."}
	}
	return nil
}
