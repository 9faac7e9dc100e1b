package meta

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"
)

const appSecret = "s3cret/+ &"

// signedBy returns a payload as Meta signs it.
func signedBy(secret, payload string) string {
	encoded := base64.RawURLEncoding.EncodeToString([]byte(payload))
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(encoded))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)) + "." + encoded
}

// What isn't signed with the application's secret, in the form that Meta documents, just now and about a
// person, isn't acted upon.
func TestSigned(t *testing.T) {
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	claims := func(algorithm, user string, at time.Time) string {
		return fmt.Sprintf(`{"algorithm":%q,"issued_at":%d,"user_id":%s}`, algorithm, at.Unix(), user)
	}
	good := claims("HMAC-SHA256", `"218471"`, now)
	read := func(text string) (string, bool) {
		s, ok := ReadSigned(text)
		if !ok || !s.By(appSecret) {
			return "", false
		}
		id, at, ok := s.Person(now)
		return id, ok && at.Equal(at.Truncate(time.Second))
	}
	for name, text := range map[string]string{
		"as documented": signedBy(appSecret, good), "a number": signedBy(appSecret, claims("HMAC-SHA256", `218471`, now)),
		"padded":        strings.Replace(signedBy(appSecret, good), ".", "=.", 1),
		"half an hour":  signedBy(appSecret, claims("HMAC-SHA256", `"218471"`, now.Add(-30*time.Minute))),
		"a clock ahead": signedBy(appSecret, claims("hmac-sha256", `"218471"`, now.Add(time.Minute))),
	} {
		if id, ok := read(text); !ok || id != "218471" {
			t.Errorf("%s: got %q, %t", name, id, ok)
		}
	}
	signature, payload, _ := strings.Cut(signedBy(appSecret, good), ".")
	other := base64.RawURLEncoding.EncodeToString([]byte(claims("HMAC-SHA256", `"1"`, now)))
	longer := hmac.New(sha512.New, []byte(appSecret))
	longer.Write([]byte(payload))
	for name, text := range map[string]string{
		"nothing": "", "no signature": "." + payload, "no payload": signature + ".", "one part": signature, "three parts": signature + "." + payload + "." + payload,
		"another's secret": signedBy("another", good), "no secret": signedBy("", good), "another payload": signature + "." + other,
		"a signature that is cut": signature[:len(signature)-4] + "." + payload, "another hash": base64.RawURLEncoding.EncodeToString(longer.Sum(nil)) + "." + payload,
		"no algorithm":      signedBy(appSecret, fmt.Sprintf(`{"issued_at":%d,"user_id":"218471"}`, now.Unix())),
		"another algorithm": signedBy(appSecret, claims("none", `"218471"`, now)),
		"no JSON":           signedBy(appSecret, "user_id=218471"), "a list": signedBy(appSecret, "[]"),
		"an hour ago": signedBy(appSecret, claims("HMAC-SHA256", `"218471"`, now.Add(-time.Hour))), "tomorrow": signedBy(appSecret, claims("HMAC-SHA256", `"218471"`, now.Add(24*time.Hour))),
		"no time": signedBy(appSecret, `{"algorithm":"HMAC-SHA256","user_id":"218471"}`), "no person": signedBy(appSecret, claims("HMAC-SHA256", `""`, now)),
		"a path": signedBy(appSecret, claims("HMAC-SHA256", `"../me"`, now)), "a long person": signedBy(appSecret, claims("HMAC-SHA256", `"`+strings.Repeat("1", 33)+`"`, now)),
		"a fraction": signedBy(appSecret, claims("HMAC-SHA256", `1.5`, now)), "a large one": signedBy(appSecret, good+strings.Repeat(" ", MaxSigned)),
		"the other alphabet": base64.StdEncoding.EncodeToString([]byte{0xfb, 0xff, 0xfe}) + "." + payload,
	} {
		if id, ok := read(text); ok {
			t.Errorf("%s: taken for %q", name, id)
		}
	}
	one, _ := ReadSigned(signedBy(appSecret, good))
	same, _ := ReadSigned(signedBy("another", good))
	if code := one.Code(appSecret); len(code) != 32 || code != same.Code(appSecret) || code == one.Code("another") || strings.Contains(signedBy(appSecret, good), code) {
		t.Errorf("got the code %q", code)
	}
}
