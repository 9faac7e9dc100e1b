package posturl

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"missiond/mission"
)

// wordPressID matches the number of a post.
var wordPressID = regexp.MustCompile(`^[1-9][0-9]{0,18}$`)

// onWordPress reads the addresses of a WordPress site, which only without permalinks name their
// post: /?p=12.
func onWordPress(i mission.Integration, u *url.URL) (string, bool) {
	if id := u.Query().Get("p"); wordPressID.MatchString(id) {
		return id, true
	}
	return "", onSite(i, u)
}

// onGhost reads the addresses of a Ghost site, which never name their post by its id.
func onGhost(i mission.Integration, u *url.URL) (string, bool) {
	return "", onSite(i, u) && !strings.HasPrefix(u.Path, "/ghost")
}

// onSite reports whether an address is a page of a site, and not its front page.
func onSite(i mission.Integration, u *url.URL) bool {
	home, err := url.Parse(i.Server)
	if err != nil || !strings.EqualFold(home.Host, u.Host) {
		return len(u.Path) > 1 // on the host of the account's own page
	}
	root := strings.TrimSuffix(path.Clean("/"+home.Path), "/")
	rest, below := strings.CutPrefix(u.Path, root+"/")
	return below && rest != ""
}
