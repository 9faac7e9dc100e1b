package posturl

import (
	"testing"

	"missiond/mission"
)

func TestSites(t *testing.T) {
	on := func(p mission.Platform, server, home string) mission.Integration {
		return mission.Integration{ID: "int_1", Platform: p, Server: server, Account: &mission.Account{ID: "1", Handle: "ada@a.example", URL: home}}
	}
	blog, pages := on(mission.WordPress, "https://a.example/blog", "https://www.a.example/blog/author/ada/"), on(mission.Ghost, "https://admin.a.example", "https://a.example/")
	const refused = "-"
	for _, tt := range []struct {
		of          mission.Integration
		address, id string
	}{
		{blog, "https://a.example/blog/?p=12", "12"},
		{blog, "https://a.example/blog/2026/11/27/three-rules/", ""},
		{blog, "https://www.a.example/blog/three-rules/", ""},
		{blog, "https://a.example/blog/?p=x", refused},
		{blog, "https://a.example/blog/", refused},
		{blog, "https://a.example/other/three-rules/", refused},
		{blog, "https://a.example/blogs/three-rules/", refused},
		{blog, "https://b.example/blog/?p=12", refused},
		{blog, "http://a.example/blog/?p=12", refused},
		{pages, "https://a.example/three-rules/", ""},
		{pages, "https://admin.a.example/three-rules/", ""},
		{pages, "https://a.example/", refused},
		{pages, "https://a.example/ghost/#/editor/post/6b08", refused},
		{pages, "https://b.example/three-rules/", refused},
	} {
		got, err := Parse(tt.of, tt.address)
		if tt.id == refused {
			if mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Errorf("%s %q: got %+v, %v", tt.of.Platform, tt.address, got, err)
			}
			continue
		}
		if err != nil || got.PostID != tt.id || got.URL == "" {
			t.Errorf("%s %q: got %+v, %v", tt.of.Platform, tt.address, got, err)
		}
	}
}
