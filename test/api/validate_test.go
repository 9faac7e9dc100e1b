package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// validateAPI is the part of both APIs that checks posts.
type validateAPI interface {
	linkAPI
	validate(body map[string]any) result
}

func (a restAPI) validate(body map[string]any) result {
	return a.call("POST", "/content/validate", body)
}

func (a graphAPI) validate(body map[string]any) result {
	return plain(a.run(`query($input: ValidateContentInput!) { validateContent(input: $input) { valid parts { text length maxLength } problems { param message } } }`,
		map[string]any{"input": asGraphQL(body)}, "validateContent"), "")
}

func TestValidateScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[validateAPI]{{"posts that are checked", validates}, {"videos that are checked", validatesVideos}})
}

// A video that a platform refuses for how it is coded is refused when a post is to have it.
func validatesVideos(s *harness, a validateAPI) {
	hd := mission.Coding{Codec: mission.CodecH264, Subsampling: mission.Subsampling420, Bits: 8, FrameRate: 29.97, AudioCodec: mission.AudioAACLC, SampleRate: 48_000, Channels: 2}
	phone, screen, fast := hd, hd, hd
	phone.Codec, phone.Bits = mission.CodecHEVC, 10
	screen.Subsampling = mission.Subsampling444
	fast.FrameRate = 120
	for name, tt := range map[string]struct {
		coding  mission.Coding
		refused string
	}{
		"plain":         {hd, ""},
		"not known":     {mission.Coding{}, ""},
		"HEVC, 10 bits": {phone, "twitter: the video codec is HEVC; X takes H.264. twitter: the bit depth is 10; X takes 8 at most."},
		"H.264, 4:4:4":  {screen, "twitter: the chroma subsampling is 4:4:4; X takes 4:2:0. instagram: the chroma subsampling is 4:4:4; Instagram takes 4:2:0."},
		"120 frames": {fast, "twitter: the frame rate is 120; X takes 60 frames a second at most. " +
			"instagram: the frame rate is 120; Instagram takes 23 to 60 frames a second. linkedin: the frame rate is 120; LinkedIn takes 10 to 60 frames a second."},
	} {
		m := s.video(tt.coding)
		var refused []string
		for _, platform := range []string{"twitter", "instagram", "bluesky", "linkedin"} {
			got := a.validate(map[string]any{"platform": platform, "text": "A film", "media": []any{map[string]any{"media_id": m}}})
			s.want(got, "", "")
			for _, problem := range got.Fields["problems"].([]any) {
				p := problem.(map[string]any)
				s.equal("the field", p["param"], "media[0]")
				refused = append(refused, platform+strings.TrimPrefix(p["message"].(string), m))
			}
		}
		s.equal(name, strings.Join(refused, " "), tt.refused)
	}
}

// video uploads a video of 4 seconds that is coded as is said.
func (s *harness) video(coding mission.Coding) string {
	s.t.Helper()
	return s.file(s.principal(), strings.Repeat("x", 80_000), mission.Media{
		Kind: mission.MediaVideo, ContentType: mission.TypeMP4, Width: 640, Height: 480, Duration: 4 * time.Second, Coding: coding,
	})
}

func validates(s *harness, a validateAPI) {
	s.platform.set(func(f *fakePlatform) { f.limits = mission.TextLimits{MaxLength: 40, LinkLength: 30} })
	own, _ := a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "good"}).Fields["id"].(string)
	s.platform.set(func(f *fakePlatform) { f.account, f.limits = "2", mission.TextLimits{} })
	other, _ := a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:2", "access_token": "good"}).Fields["id"].(string)
	long := strings.Repeat("x", 600)
	for _, tt := range []struct {
		body     map[string]any
		lengths  string
		problems string
	}{
		{map[string]any{"platform": "bluesky", "text": "Less is more."}, "13/300", ""},
		{map[string]any{"platform": "bluesky", "text": long}, "600/300", "text"},
		{map[string]any{"platform": "bluesky", "text": " "}, "0/300", "text"},
		{map[string]any{"platform": "bluesky", "parts": []any{"One.", long, ""}}, "4/300 600/300 0/300", "parts[1] parts[2]"},
		{map[string]any{"platform": "bluesky", "parts": []any{long}}, "600/300", "parts[0]"},
		{map[string]any{"platform": "linkedin", "parts": []any{"One.", "Two."}}, "4/3000 4/3000", "parts"},
		{map[string]any{"platform": "twitter", "parts": []any{"Same.", "Other.", "same. "}}, "5/280 6/280 5/280", "parts[2]"},
		{map[string]any{"platform": "mastodon", "integration_id": other, "parts": []any{"Same.", "Same."}}, "5/500 5/500", ""},
		{map[string]any{"platform": "twitter", "text": "日本 https://example.com/a"}, "28/280", ""},
		{map[string]any{"platform": "mastodon", "text": "0123456789 https://example.com"}, "41/40", "text"}, // the default one
		{map[string]any{"platform": "mastodon", "integration_id": own, "text": "012345678 https://example.com"}, "40/40", ""},
		{map[string]any{"platform": "mastodon", "integration_id": other, "text": "0123456789 https://example.com"}, "34/500", ""},
	} {
		got := a.validate(tt.body)
		s.want(got, "", "")
		var lengths, problems []string
		parts, _ := got.Fields["parts"].([]any)
		for _, part := range parts {
			p := part.(map[string]any)
			lengths = append(lengths, fmt.Sprintf("%v/%v", p["length"], p["max_length"]))
		}
		list, _ := got.Fields["problems"].([]any)
		for _, problem := range list {
			problems = append(problems, problem.(map[string]any)["param"].(string))
		}
		if strings.Join(lengths, " ") != tt.lengths || strings.Join(problems, " ") != tt.problems || got.Fields["valid"] != (tt.problems == "") {
			s.t.Errorf("%.100v returned %v, %v, %v", tt.body, got.Fields["valid"], lengths, list)
		}
	}
	for _, tt := range []struct {
		body  map[string]any
		param string
	}{
		{map[string]any{"platform": "bluesky"}, "text"},
		{map[string]any{"platform": "bluesky", "text": "x", "parts": []any{"x"}}, "parts"},
		{map[string]any{"platform": "bluesky", "parts": []any{"1", "2", "3", "4", "5", "6", "7"}}, "parts"},
		{map[string]any{"platform": "twitter", "integration_id": own, "text": "x"}, "integration_id"},
		{map[string]any{"platform": "mastodon", "integration_id": "int_x", "text": "x"}, "integration_id"},
	} {
		s.want(a.validate(tt.body), "invalid_request", tt.param)
	}
}

// What platforms show is what texts are checked by, for each account.
func TestPlatformsList(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := restAPI{s}
	s.platform.set(func(f *fakePlatform) { f.limits = mission.TextLimits{MaxLength: 1000} })
	a.connect(map[string]any{"platform": "mastodon", "server": "127.0.0.1:1", "access_token": "good"})
	got := a.call("GET", "/platforms", nil)
	list, _ := got.Fields["data"].([]any)
	if len(list) != len(mission.AllPlatforms()) {
		t.Fatalf("got %v", got)
	}
	for i, c := range mission.AllCapabilities() {
		shown := list[i].(map[string]any)
		limits := []map[string]any{shown["text"].(map[string]any)}
		for _, account := range shown["accounts"].([]any) {
			limits = append(limits, account.(map[string]any)["text"].(map[string]any))
		}
		if shown["first_comment"] != c.FirstComment || c.FirstComment && len(c.Connect) == 0 {
			t.Errorf("%s shows first comments as %v", c.Platform, shown["first_comment"])
		}
		if shown["platform"] != string(c.Platform) || (len(limits) == 2) != (c.Platform == mission.Mastodon) {
			t.Errorf("%s is shown as %v", c.Platform, shown)
		}
		for n, l := range limits {
			if n > 0 {
				c = c.Within(mission.TextLimits{MaxLength: 1000})
			}
			most := int(l["max_length"].(float64))
			if !textlimit.Fits(c, strings.Repeat("x", most)) || textlimit.Fits(c, strings.Repeat("x", most+1)) {
				t.Errorf("%s: %d characters aren't the limit", c.Platform, most)
			}
			link := 0.0
			if l["link_length"] != nil {
				link = l["link_length"].(float64)
			}
			if l["unit"] == "" || int(link) != c.LinkLength || int(l["max_parts"].(float64)) != c.MaxParts {
				t.Errorf("%s: got %v", c.Platform, l)
			}
		}
	}
}
