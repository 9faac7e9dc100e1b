package media

import (
	"context"
	"net/url"
	"strings"

	"missiond/mission"
)

// address returns the URL at which a platform may fetch a post's file; "" if the process isn't
// told where platforms reach it.
func (s *Service) address(c mission.Content, m mission.PostMedia) string {
	if s.public == "" {
		return ""
	}
	q := url.Values{"tenant": {c.TenantID}, "signature": {s.secrets.Sign(fetchContext(c.TenantID, c.ID, m.Hash))}}
	return s.public + "/v1/content/" + c.ID + "/files/" + m.Hash + "?" + q.Encode()
}

func fetchContext(tenantID, contentID, hash string) string {
	return strings.Join([]string{"fetch", tenantID, contentID, hash}, "/")
}

// Fetch returns a post's file for its platform, which has the file's signed address; see
// mission.Content.Fetchable. Errors: unauthorized if the address isn't one; not_found before it
// holds and once it doesn't any more.
func (s *Service) Fetch(ctx context.Context, contentID, hash string, q url.Values) (File, error) {
	tenant := q.Get("tenant")
	if !s.secrets.Signed(fetchContext(tenant, contentID, hash), q.Get("signature")) {
		return File{}, mission.Unauthorized()
	}
	if s.files == nil {
		return File{}, noFiles()
	}
	c, err := s.store.Content(ctx, tenant, contentID)
	if err != nil {
		return File{}, err
	}
	m, ok := c.Fetchable(hash, s.clock.Now())
	if ok { // it may have been deleted once the post was out
		found, err := s.store.MediaByID(ctx, tenant, []string{m.MediaID})
		if err != nil {
			return File{}, err
		}
		_, ok = found[m.MediaID]
	}
	if !ok {
		return File{}, mission.NotFound("file", hash)
	}
	return File{ContentType: m.ContentType, Hash: m.Hash, Bytes: m.Bytes, tenant: tenant, key: m.Key}, nil
}
