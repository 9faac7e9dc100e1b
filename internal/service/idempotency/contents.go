package idempotency

import (
	"context"
	"strings"

	"missiond/mission"
)

// seam separates the fingerprint of what is known of a request before it is run from the hash of its
// contents, which are known afterwards.
const seam = "/"

// bound reports whether a fingerprint has the hash of the request's contents.
func bound(fingerprint string) bool { return strings.Contains(fingerprint, seam) }

// sent is what a request sends.
type sent struct {
	// fingerprint is that of what is known of it before it is run: all of it, if contents is nil.
	fingerprint string
	// contents reads the rest and returns its hash.
	contents func(ctx context.Context) (string, error)
	read     bool // contents was called, and returned hash
	hash     string
}

// BeginStreamed is Begin for a request whose contents arrive while it is worked on: fingerprint is that of
// the rest, and contents reads and hashes them, without doing anything else. It is called once at most, if
// the key was used before; Request.Contains told the hash then. A request that takes over from one that was
// interrupted after its change has nothing left to read: its result is Earlier's. Errors: as for Begin;
// those of contents.
func (r *Requests) BeginStreamed(
	ctx context.Context, p mission.Principal, key, fingerprint string, contents func(ctx context.Context) (string, error),
) (context.Context, *Request, *Reply, error) {
	return r.begin(ctx, p, key, &sent{fingerprint: fingerprint, contents: contents})
}

// begins reports whether a stored fingerprint may be that of the request, by what is known before it is run.
func (s *sent) begins(stored string) bool {
	if s.contents != nil {
		stored, _, _ = strings.Cut(stored, seam)
	}
	return stored == s.fingerprint
}

// check returns an error unless a stored fingerprint is that of the request. One that has no contents is of a
// request that changed nothing, or of an earlier version. Errors: conflict; those of contents.
func (s *sent) check(ctx context.Context, stored string) (err error) {
	if !s.begins(stored) {
		return otherRequest()
	}
	if s.contents == nil || !bound(stored) {
		return nil
	}
	if !s.read {
		if s.hash, err = s.contents(ctx); err != nil {
			return err
		}
		s.read = true
	}
	if stored != s.fingerprint+seam+s.hash {
		return otherRequest()
	}
	return nil
}

// Contains notes the hash of what a streamed request has sent, once all of it is there. The key is bound to
// it with the next change, or with the response. It does nothing on a nil Request.
func (q *Request) Contains(hash string) {
	q.note(func() {
		if head, _, _ := strings.Cut(q.row.Fingerprint, seam); q.streamed {
			q.row.Fingerprint = head + seam + hash
		}
	})
}
