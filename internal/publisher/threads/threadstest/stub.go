// Package threadstest plays Threads (API v1.0) for tests.
package threadstest

import (
	"net/url"

	"missiond/internal/publisher/meta/metatest"
	"missiond/internal/publisher/publishertest"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// Stub plays Threads.
type Stub = metatest.Stub

// most is how many files a carousel has at most.
const most = 20

// New returns a Threads without posts.
func New() *Stub {
	return metatest.New(metatest.Rules{
		Version: "/v1.0", Grant: "th", LimitCode: 4,
		Scopes: []string{"threads_basic", "threads_content_publish", "threads_manage_insights", "threads_manage_replies", "threads_read_replies"},
		Me: map[string]any{
			"id": metatest.UserID, "username": "ada", "name": "Ada Other", "threads_profile_picture_url": publishertest.Picture,
			"threads_biography": "",
		},
		Create: "threads", Publish: "threads_publish", Limit: "threads_publishing_limit", State: "status", Problem: "error_message", Text: "text",
		Failed: "FAILED_PROCESSING_VIDEO",
		Form: []string{
			"media_type", "text", "image_url", "video_url", "alt_text", "is_carousel_item", "children", "reply_to_id", "topic_tag",
			"link_attachment", "reply_control", "quote_post_id",
		},
		Check:   check,
		Types:   map[string][]string{"image_url": {mission.TypeJPEG, mission.TypePNG}, "video_url": {mission.TypeMP4, mission.TypeMOV}},
		Bytes:   map[string]int64{"image_url": 8_000_000, "video_url": 1_000_000_000},
		AltText: 1_000, Lists: []string{"threads", "replies"},
		Insights: map[string]mission.Metric{
			"views": mission.Views, "likes": mission.Likes, "replies": mission.Comments, "reposts": mission.Shares, "quotes": mission.Shares,
			"shares": mission.Clicks, // which nobody asks for
		},
		Gone:    metatest.Failure{Code: 24, Subcode: 4279009, Message: "The requested resource does not exist: Media Not Found"},
		Address: "https://www.threads.com/@ada/post/C",
	})
}

// check returns what is wrong with a container.
func check(f url.Values, children int) *metatest.Failure {
	kind, item := f.Get("media_type"), f.Get("is_carousel_item")
	caps, _ := mission.CapabilitiesOf(mission.Threads)
	wrong := func(text string) *metatest.Failure { return &metatest.Failure{Code: 100, Message: "(#100) " + text} }
	switch {
	case kind != "TEXT" && kind != "IMAGE" && kind != "VIDEO" && kind != "CAROUSEL":
		return wrong("Param media_type must be one of {TEXT, IMAGE, VIDEO, CAROUSEL}")
	case f.Has("image_url") != (kind == "IMAGE") || f.Has("video_url") != (kind == "VIDEO") || f.Has("children") != (kind == "CAROUSEL"):
		return wrong("The media doesn't match media_type")
	case kind == "CAROUSEL" && (children < 2 || children > most):
		return wrong("A carousel has 2 to 20 items")
	case f.Has("alt_text") && kind != "IMAGE" && kind != "VIDEO":
		return wrong("alt_text is for pictures and videos")
	case f.Has("is_carousel_item") && (item != "true" || f.Has("text") || f.Has("reply_to_id") || kind == "TEXT" || kind == "CAROUSEL"):
		return wrong("A carousel item has a file and nothing else")
	case kind == "TEXT" && f.Get("text") == "":
		return wrong("text is required")
	case !textlimit.Fits(caps, f.Get("text")):
		return wrong("Param text must be at most 500 characters long.")
	}
	return nil
}
