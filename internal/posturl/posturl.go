// Package posturl reads what the address of a post says about it, by each platform's own
// form.
package posturl

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"missiond/mission"
)

// Parse returns the publication that the address of a post of an integration's account
// names. Its id is "" if the address is the platform's and doesn't name one. Errors:
// invalid_request on published_url.
func Parse(i mission.Integration, address string) (mission.Publication, error) {
	const param = "published_url"
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || len(address) > mission.MaxURL || u.User != nil || strings.Contains(u.Path, `\`) || u.Scheme != "https" && !local(i, u) {
		return mission.Publication{}, mission.Invalid(param, "The address must be the https URL of the post.")
	}
	read, known := ids[i.Platform]
	if i.ID == "" || !known { // the sandbox's, which has no accounts
		return mission.Publication{URL: u.String()}, nil
	}
	if !onHost(i, strings.ToLower(u.Host)) {
		return mission.Publication{}, mission.Invalid(param, "The address must be one of %s, where the account is, not of %s.", i.Platform, u.Host)
	}
	plain := *u
	plain.Path = path.Clean("/" + u.Path)
	id, ok := read(i, &plain)
	if !ok {
		return mission.Publication{}, mission.Invalid(param, "The address is not that of a post of the account.")
	}
	return mission.Publication{PostID: id, URL: u.String()}, nil
}

// local reports whether an address is on the account's own server, which only development
// calls without TLS.
func local(i mission.Integration, u *url.URL) bool {
	return u.Scheme == "http" && strings.HasPrefix(i.Server, "http://") && onHost(i, strings.ToLower(u.Host))
}

// hosts are the hosts of posts' addresses. Names of more labels end with them.
var hosts = map[mission.Platform][]string{
	mission.Twitter: {"x.com", "twitter.com"}, mission.LinkedIn: {"linkedin.com"}, mission.Bluesky: {"bsky.app"},
	mission.Discord:   {"discord.com", "discordapp.com"},
	mission.Threads:   {"threads.com", "threads.net"},
	mission.Telegram:  {"t.me", "telegram.me"},
	mission.Instagram: {"instagram.com"},
	mission.Facebook:  {"facebook.com"},
}

// onHost reports whether a host has the posts of the account. Mastodon's servers may show
// posts on another host than the API's: that of the account's own page, or of its handle.
func onHost(i mission.Integration, host string) bool {
	if caps, _ := mission.CapabilitiesOf(i.Platform); caps.OwnServers {
		own := []string{i.Server}
		if i.Account != nil {
			_, domain, _ := strings.Cut(i.Account.Handle, "@")
			own = append(own, i.Account.URL, "https://"+domain)
		}
		for _, each := range own {
			if u, err := url.Parse(each); err == nil && u.Host != "" && strings.EqualFold(u.Host, host) {
				return true
			}
		}
		return false
	}
	for _, name := range hosts[i.Platform] {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return false
}

// ids return the id that an address names; ok is false if it isn't the address of a post
// of the account.
var ids = map[mission.Platform]func(i mission.Integration, u *url.URL) (id string, ok bool){
	mission.Twitter: onX, mission.LinkedIn: onLinkedIn, mission.Mastodon: onMastodon, mission.Bluesky: onBluesky,
	mission.Discord:   onDiscord,
	mission.Threads:   onThreads,
	mission.WordPress: onWordPress, mission.Ghost: onGhost,
	mission.Telegram:  onTelegram,
	mission.Instagram: onInstagram,
	mission.Facebook:  onFacebook,
}

var (
	xPath        = regexp.MustCompile(`^/(?:i/web|[A-Za-z0-9_]+)/status(?:es)?/([0-9]{1,19})(?:/.*)?$`)
	linkedInURN  = regexp.MustCompile(`^/feed/update/(urn:li:(share|ugcPost|activity):[0-9]+)/?$`)
	linkedInPost = regexp.MustCompile(`^/posts/[^/]+-(activity|share|ugcPost)-([0-9]+)(?:-[^/]*)?/?$`)
	// The addresses of posts on Mastodon (its config/routes.rb) and, with "notice" and "p", on
	// Pleroma and Pixelfed. Behind an account may also be a page of it, such as "media", whose
	// name has no digit.
	mastodonPath  = regexp.MustCompile(`^(?:/web|/deck)?/(?:@[^/]+(?:/statuses)?|(?:ap/)?users/[^/]+/statuses|p/[^/]+|statuses|notice)/([0-9A-Za-z]*[0-9][0-9A-Za-z]*|[0-9A-Za-z]{16,})$`)
	mastodonOwner = regexp.MustCompile(`^(?:/web|/deck)?/(?:(?:@|users/|p/)([^/]+)|ap/users/([^/]+))(/[^/]+)?`)
	// A post of a Page may have a code instead of its number. A reel is a video.
	facebookPath  = regexp.MustCompile(`^/([A-Za-z0-9.]+)/(posts|videos)/(?:[^/]+/)?(pfbid[A-Za-z0-9]+|[0-9]{1,25})$`)
	facebookPost  = regexp.MustCompile(`^/([0-9]{1,25})_([0-9]{1,25})$`)
	facebookReel  = regexp.MustCompile(`^/reel/([0-9]{1,25})$`)
	discordPath   = regexp.MustCompile(`^(/channels/[0-9]{1,20}/[0-9]{1,20})/([0-9]{1,20})$`)
	instagramPath = regexp.MustCompile(`^/(?:([A-Za-z0-9_.]+)/)?(?:p|reel|reels|tv)/[A-Za-z0-9_-]+/?$`)
	threadsPath   = regexp.MustCompile(`^/@([^/]+)/post/[A-Za-z0-9_-]+(?:/media)?/?$`)
	blueskyPath   = regexp.MustCompile(`^/profile/([^/]+)/post/([a-z0-9]+)/?$`)
	telegramPath  = regexp.MustCompile(`^/(?:s/([A-Za-z][A-Za-z0-9_]+)|c/([0-9]+)|([A-Za-z][A-Za-z0-9_]+))/([0-9]{1,10})/?$`)
)

func onX(i mission.Integration, u *url.URL) (string, bool) {
	found := xPath.FindStringSubmatch(u.Path)
	if found == nil {
		return "", false
	}
	user, _, _ := strings.Cut(u.Path[1:], "/")
	return found[1], user == "i" || i.Account == nil || i.Account.Handle == "" || strings.EqualFold(user, i.Account.Handle)
}

// onLinkedIn reads LinkedIn's addresses. An activity's number isn't that of its post, so
// that such an address names no post.
func onLinkedIn(_ mission.Integration, u *url.URL) (string, bool) {
	kind, id := "", ""
	if found := linkedInURN.FindStringSubmatch(u.Path); found != nil {
		kind, id = found[2], found[1]
	} else if found := linkedInPost.FindStringSubmatch(u.Path); found != nil {
		kind, id = found[1], "urn:li:"+found[1]+":"+found[2]
	}
	if kind == "activity" {
		id = ""
	}
	return id, kind != ""
}

// onMastodon reads the addresses of Mastodon and of other servers that speak its API. One
// of another form may still be a post's, unless it is another account's: it names none.
func onMastodon(i mission.Integration, u *url.URL) (string, bool) {
	owner := mastodonOwner.FindStringSubmatch(u.Path)
	if owner != nil && (owner[3] == "" || !owns(i, owner[1], owner[2])) {
		return "", false
	}
	found := mastodonPath.FindStringSubmatch(u.Path)
	if found == nil {
		return "", len(u.Path) > 1
	}
	return found[1], true
}

// owns reports whether the account has a name in an address, or an id; it does if it isn't
// known.
func owns(i mission.Integration, name, id string) bool {
	if i.Account == nil || i.Account.Handle == "" {
		return true
	}
	own, _, _ := strings.Cut(i.Account.Handle, "@")
	return strings.EqualFold(name, own) || strings.EqualFold(name, i.Account.Handle) || id != "" && id == i.Account.ID
}

// onThreads reads Threads' addresses, whose codes aren't the ids of posts: they name none.
func onThreads(i mission.Integration, u *url.URL) (string, bool) {
	found := threadsPath.FindStringSubmatch(u.Path)
	return "", found != nil && owns(i, found[1], "")
}

// onInstagram reads Instagram's addresses, whose codes aren't the ids of posts: they name none.
func onInstagram(i mission.Integration, u *url.URL) (string, bool) {
	found := instagramPath.FindStringSubmatch(u.Path)
	return "", found != nil && (found[1] == "" || owns(i, found[1], ""))
}

// onFacebook reads Facebook's addresses. A post's id has its Page's before it, a video's has not; a
// code isn't the id of a post: it names none.
func onFacebook(i mission.Integration, u *url.URL) (string, bool) {
	if i.Account == nil {
		return "", false
	}
	page := i.Account.ID
	if found := facebookPost.FindStringSubmatch(u.Path); found != nil {
		return u.Path[1:], found[1] == page
	}
	if found := facebookReel.FindStringSubmatch(u.Path); found != nil {
		return found[1], true
	}
	if q := u.Query(); u.Path == "/permalink.php" || u.Path == "/story.php" {
		id := q.Get("story_fbid")
		return numbered(page, id), q.Get("id") == page && id != ""
	}
	found := facebookPath.FindStringSubmatch(u.Path)
	if found == nil || found[1] != page && !strings.EqualFold(found[1], i.Account.Handle) {
		return "", false
	}
	if found[2] == "videos" {
		return found[3], !strings.HasPrefix(found[3], "pfbid")
	}
	return numbered(page, found[3]), true
}

// numbered returns the id of a Page's post by its number; "" for a code.
func numbered(page, number string) string {
	if !facebookPost.MatchString("/" + page + "_" + number) {
		return ""
	}
	return page + "_" + number
}

func onBluesky(i mission.Integration, u *url.URL) (string, bool) {
	found := blueskyPath.FindStringSubmatch(u.Path)
	if found == nil || i.Account == nil || found[1] != i.Account.ID && !strings.EqualFold(found[1], i.Account.Handle) {
		return "", false
	}
	return "at://" + i.Account.ID + "/app.bsky.feed.post/" + found[2], true
}

// onDiscord reads the address of a message in the account's channel, whose address is the account's.
func onDiscord(i mission.Integration, u *url.URL) (string, bool) {
	found := discordPath.FindStringSubmatch(u.Path)
	if found == nil || i.Account == nil {
		return "", false
	}
	channel, err := url.Parse(i.Account.URL)
	return found[2], err == nil && channel.Path == found[1]
}

// onTelegram reads the addresses of messages in a channel: by its name, also in the preview (s), or by its id (c).
func onTelegram(i mission.Integration, u *url.URL) (string, bool) {
	found := telegramPath.FindStringSubmatch(u.Path)
	if found == nil || i.Account == nil {
		return "", false
	}
	if private := found[2]; private != "" {
		return found[4], "-100"+private == i.Account.ID
	}
	return found[4], strings.EqualFold(found[1]+found[3], i.Account.Handle)
}
