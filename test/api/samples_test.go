package api

import (
	"fmt"
	"strings"
	"testing"

	"missiond/internal/service/media"
	"missiond/internal/writer/builtin"
	"missiond/mission"
)

// sampleAPI writes samples of a brand, over either API.
type sampleAPI interface {
	accountsAPI
	sample(body map[string]any) result
	mediaPosts(id string) result
}

func (a restAPI) sample(body map[string]any) result { return a.call("POST", "/tenant/sample", body) }
func (a restAPI) mediaPosts(id string) result       { return a.call("GET", "/media/"+id+"/content", nil) }
func (a graphAPI) sample(body map[string]any) result {
	return a.run(`mutation($input: WriteSampleInput!) { writeSample(input: $input) { sample { text facts { text source } costCents } } }`,
		map[string]any{"input": asGraphQL(body)}, "writeSample", "sample")
}

func (a graphAPI) mediaPosts(id string) result {
	data, failed := a.call(`query($id: ID!) { mediaPosts(id: $id) { id } }`, map[string]any{"id": id})
	if failed.Code != "" {
		return failed
	}
	return result{Fields: map[string]any{"data": data["mediaPosts"]}}
}

func TestSampleScenarios(t *testing.T) {
	t.Parallel()
	playAll(t, []scenario[sampleAPI]{
		{"a sample of a brand", samples},
		{"the posts of a file", postsOfFiles},
	})
}

// A sample keeps the brand's rules, those that aren't saved too, and changes nothing.
func samples(s *harness, a sampleAPI) {
	s.writer.Writer = builtin.New()
	texts := map[string]bool{}
	for _, subject := range []string{"Announce the 2.0 release", "Sell the family plan"} {
		got := a.sample(map[string]any{
			"platform": "mastodon", "subject": subject,
			"brand": map[string]any{
				"required_words": []any{"Acme"}, "hashtags": map[string]any{"max": 1, "always": []any{"acme"}},
				"facts": []any{
					map[string]any{"text": "The 2.0 release opens files twice as fast."}, map[string]any{"text": "Acme has no ads."},
					map[string]any{"text": "The family plan is for six."},
				},
			},
		})
		text := fmt.Sprint(s.at(got, "text"))
		for _, has := range []string{"Acme", "#acme"} {
			if !strings.Contains(text, has) {
				s.t.Errorf("%q doesn't have %q", text, has)
			}
		}
		s.equal("the cost", s.at(got, "cost_cents"), 0.0)
		texts[text] = true
	}
	if len(texts) < 2 {
		s.t.Errorf("samples of different subjects are the same: %v", texts)
	}
	p, err := s.Accounts.Authenticate(s.t.Context(), s.key)
	s.must(err)
	tenant, err := s.DB.Tenant(s.t.Context(), p.TenantID)
	s.must(err)
	s.equal("the stored brand's words", len(tenant.Brand.RequiredWords)+len(tenant.Brand.Hashtags.Always), 0)

	s.want(a.sample(map[string]any{"platform": "mastodon"}), "conflict", "") // a brand without facts says nothing
	s.want(a.sample(map[string]any{"platform": "mastodon", "subject": strings.Repeat("a", mission.MaxItem+1)}), "invalid_request", "subject")
	s.want(a.sample(map[string]any{
		"platform": "mastodon", "subject": "Announce the 2.0 release", "brand": map[string]any{"excluded_topics": []any{"release"}},
	}), "invalid_request", "subject")
	s.want(a.sample(map[string]any{"platform": "mastodon", "brand": map[string]any{"website": "x"}}), "invalid_request", "brand.website")
	_, s.key = s.newKey(a, map[string]any{"name": "x", "scopes": []any{"missions:write", "content:write"}})
	s.want(a.sample(map[string]any{"platform": "mastodon"}), "forbidden", "")
}

func postsOfFiles(s *harness, a sampleAPI) {
	s.want(a.mediaPosts("med_01jd0000000000000000000000"), "not_found", "")
	s.want(a.mediaPosts("x"), "not_found", "")
	p, err := s.Accounts.Authenticate(s.t.Context(), s.key)
	s.must(err)
	m, err := s.Media.Upload(s.t.Context(), p, media.Upload{ContentType: mission.TypePNG, Size: -1}, strings.NewReader("a picture"))
	s.must(err)
	s.equal("the posts of a new file", fmt.Sprint(s.at(a.mediaPosts(m.ID), "data")), "[]")
	s.key = s.keys["theirs"]
	s.want(a.mediaPosts(m.ID), "not_found", "")
}
