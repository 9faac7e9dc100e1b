package redirect

import (
	"net/http"
	"slices"
	"strings"
)

// robots are what the user agents of browsers don't have, in lower case: those that name themselves a robot
// or their operator, and those of previews that look like a browser's otherwise.
var robots = []string{
	"bot", "crawl", "spider", "slurp", "preview", "externalhit", "externalagent", "cardyb", "embed", "inspection", "headless",
	"lighthouse", "scan", "monitor", "uptime", "(compatible;", "+http", "mailto:", "google-read-aloud", "googleother", "skype", "slack-img",
}

// fetching are headers by which browsers say that they fetch what nobody has asked for yet, with what they
// have then.
var fetching = map[string][]string{
	"Sec-Purpose": {"prefetch", "prerender"}, "Purpose": {"prefetch", "preview"}, "X-Purpose": {"preview"}, "X-Moz": {"prefetch"},
}

// follows reports whether a request seems to be that of a person who follows a link: by a browser, and not
// by one that only prepares for it, or by what makes a preview.
func follows(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	for header, words := range fetching {
		value := strings.ToLower(r.Header.Get(header))
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(value, word) }) {
			return false
		}
	}
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" && mode != "navigate" {
		return false // a script or a page's picture
	}
	// Every browser's begins so; CUBOT makes phones.
	agent := strings.ReplaceAll(strings.ToLower(r.UserAgent()), "cubot", "")
	if !strings.HasPrefix(agent, "mozilla/") && !strings.HasPrefix(agent, "opera/") {
		return false
	}
	return !slices.ContainsFunc(robots, func(word string) bool { return strings.Contains(agent, word) })
}
