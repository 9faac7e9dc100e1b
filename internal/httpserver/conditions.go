package httpserver

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"missiond/mission"
)

// IfMatchHeader has the tags of what a caller has read and wants to change; IfNoneMatchHeader those of what it has.
const (
	IfMatchHeader     = "If-Match"
	IfNoneMatchHeader = "If-None-Match"
)

// Changed returns the error for a record that has none of If-Match's tags.
func Changed() error {
	return &mission.Error{
		Code:    mission.CodePreconditionFailed,
		Message: "The record isn't as it was read any more: read it again, and decide on what it is now.",
		Param:   IfMatchHeader,
	}
}

// tagOf returns the ETag of a response that was buffered: strong, a hash of the body.
func tagOf(r *Response) string {
	sum := sha256.Sum256(r.Body())
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// TagOf returns the ETag that WithETag(next) adds to its response to a read, and "" with the
// status of a response that gets none.
func TagOf(next http.Handler, r *http.Request) (tag string, status int) {
	record := Buffered(unsent{})
	next.ServeHTTP(record, r)
	if record.Status() != http.StatusOK {
		return "", record.Status()
	}
	return tagOf(record), record.Status()
}

// unsent has the headers of a response that isn't sent.
type unsent http.Header

func (u unsent) Header() http.Header       { return http.Header(u) }
func (unsent) Write(p []byte) (int, error) { return len(p), nil }
func (unsent) WriteHeader(int)             {}

// Tags are those of an If-Match header.
type Tags struct {
	any    bool
	strong []string
}

// Any reports whether every tag matches: the header is *.
func (t Tags) Any() bool { return t.any }

// Match compares strongly (RFC 9110, section 8.8.3.2): weak tags never match.
func (t Tags) Match(tag string) bool { return t.any || slices.Contains(t.strong, tag) }

// IfMatch returns the tags of a request's If-Match header; ok is false without one. Errors:
// invalid_request.
func IfMatch(r *http.Request) (tags Tags, ok bool, err error) {
	values := r.Header.Values(IfMatchHeader)
	if len(values) == 0 {
		return tags, false, nil
	}
	text := strings.Trim(strings.Join(values, ","), " \t")
	if text == "*" {
		return Tags{any: true}, true, nil
	}
	found := false
	for {
		text = strings.TrimLeft(text, " \t,")
		if text == "" {
			break
		}
		tag, rest, sound := cutTag(text)
		if !sound {
			found = false
			break
		}
		if found = true; tag[0] == '"' {
			tags.strong = append(tags.strong, tag)
		}
		text = rest
	}
	if !found {
		return tags, true, mission.Invalid(IfMatchHeader, `If-Match must be * or a list of ETags, each in double quotes, as in "5f0c".`)
	}
	return tags, true, nil
}

// CheckMatch returns an error if a request to read is for what has another tag (If-Match). Errors:
// precondition_failed and invalid_request on the header.
func CheckMatch(r *http.Request, tag string) error {
	tags, ok, err := IfMatch(r)
	if err == nil && ok && !tags.Match(tag) {
		err = Changed()
	}
	return err
}

// cutTag cuts the first ETag off a list, with the comma behind it.
func cutTag(list string) (tag, rest string, ok bool) {
	opaque, weak := strings.CutPrefix(list, "W/")
	if opaque == "" || opaque[0] != '"' {
		return "", "", false
	}
	end := strings.IndexByte(opaque[1:], '"') + 1
	if end == 0 || strings.ContainsFunc(opaque[1:end], func(c rune) bool { return c <= ' ' || c == 0x7f }) {
		return "", "", false
	}
	tag, rest = opaque[:end+1], strings.TrimLeft(opaque[end+1:], " \t")
	if weak {
		tag = "W/" + tag
	}
	return tag, rest, rest == "" || rest[0] == ','
}

// CheckEncoding rejects a body with a Content-Encoding, which would be taken for what it
// encodes (RFC 9110, sections 8.4 and 15.5.16). Errors: unsupported_media_type.
func CheckEncoding(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	for coding := range strings.SplitSeq(strings.Join(r.Header.Values("Content-Encoding"), ","), ",") {
		if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
			w.Header().Set("Accept-Encoding", "identity")
			return &mission.Error{Code: mission.CodeUnsupportedMedia, Message: "The body must be sent as it is, without a Content-Encoding."}
		}
	}
	return nil
}

// CheckWhole rejects what sends a part of something, which would be taken for the whole (RFC 9110, section 14.5).
// Errors: invalid_request on the header.
func CheckWhole(r *http.Request) error {
	if reads := r.Method == http.MethodGet || r.Method == http.MethodHead; reads || len(r.Header.Values("Content-Range")) == 0 {
		return nil
	}
	return mission.Invalid("Content-Range", "The body must be sent whole, without a Content-Range.")
}

// CheckCharset rejects the parameters of a Content-Type whose charset isn't UTF-8, which JSON is
// in (RFC 8259, section 8.1). Errors: unsupported_media_type.
func CheckCharset(params map[string]string) error {
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return &mission.Error{Code: mission.CodeUnsupportedMedia, Message: "The charset of the body must be utf-8."}
	}
	return nil
}
