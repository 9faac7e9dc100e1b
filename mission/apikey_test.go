package mission

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var maker = Principal{TenantID: "tnt_1", UserID: "usr_1", Scopes: AllScopes()}

func days(n int) *int { return &n }

func TestKeyInputIsChecked(t *testing.T) {
	for _, tt := range []struct {
		in    KeyInput
		code  Code
		param string
	}{
		{KeyInput{}, CodeInvalidRequest, "name"},
		{KeyInput{Name: strings.Repeat("x", MaxName+1)}, CodeInvalidRequest, "name"},
		{KeyInput{Name: "a\x00"}, CodeInvalidRequest, "name"},
		{KeyInput{Name: "a", Scopes: []Scope{}}, CodeInvalidRequest, "scopes"},
		{KeyInput{Name: "a", Scopes: make([]Scope, 1000)}, CodeInvalidRequest, "scopes"},
		{KeyInput{Name: "a", Scopes: []Scope{ScopeAdmin, "root"}}, CodeInvalidRequest, "scopes[1]"},
		{KeyInput{Name: "a", Scopes: []Scope{ScopeAny}}, CodeInvalidRequest, "scopes[0]"},
		{KeyInput{Name: "a", ExpiresInDays: days(0)}, CodeInvalidRequest, "expires_in_days"},
		{KeyInput{Name: "a", ExpiresInDays: days(MaxKeyDays + 1)}, CodeInvalidRequest, "expires_in_days"},
	} {
		_, err := NewAPIKey("key_1", "p", tt.in, maker, sessionStart)
		wantCode(t, err, tt.code, tt.param)
	}
	editor := Principal{TenantID: "tnt_1", Scopes: RoleEditor.Scopes()}
	_, err := NewAPIKey("key_1", "p", KeyInput{Name: "a", Scopes: []Scope{ScopeContentRead, ScopeAdmin}}, editor, sessionStart)
	wantCode(t, err, CodeForbidden, "")
	k, err := NewAPIKey("key_1", "p", KeyInput{Name: " a ", Scopes: []Scope{ScopeContentRead, ScopeMissionsRead, ScopeContentRead}, ExpiresInDays: days(2)}, editor, sessionStart)
	if err != nil || k.Name != "a" || !slices.Equal(k.Scopes, []Scope{ScopeMissionsRead, ScopeContentRead}) || !k.ExpiresAt.Equal(sessionStart.Add(48*time.Hour)) {
		t.Errorf("got the key %+v, %v", k, err)
	}
}

func TestRotation(t *testing.T) {
	k, err := NewAPIKey("key_1", "p", KeyInput{Name: "a", ExpiresInDays: days(10)}, maker, sessionStart)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []int{-1, MaxGraceDays + 1} {
		_, _, err := k.Rotate("key_2", "q", &bad, maker, nil, sessionStart)
		wantCode(t, err, CodeInvalidRequest, "grace_period_days")
	}
	now := sessionStart.Add(24 * time.Hour)
	old, next, err := k.Rotate("key_2", "q", nil, maker, nil, now)
	if err != nil || !old.GraceUntil.Equal(now.Add(7*24*time.Hour)) || old.Status(now) != KeyRotating || next.Status(now) != KeyActive {
		t.Fatalf("got %+v, %+v, %v after the rotation", old, next, err)
	}
	if !next.ExpiresAt.Equal(now.Add(10*24*time.Hour)) || next.Name != k.Name || !slices.Equal(next.Scopes, k.Scopes) {
		t.Errorf("got the successor %+v", next)
	}
	if s := old.Status(*old.GraceUntil); s != KeyRevoked {
		t.Errorf("after its grace got the key %s", s)
	}
	_, _, err = old.Rotate("key_3", "r", nil, maker, nil, now)
	wantCode(t, err, CodeConflict, "")
	revoked, changed := old.Revoke(now)
	if !changed || revoked.Status(now) != KeyRevoked {
		t.Errorf("got the revoked rotating key %+v, %v", revoked, changed)
	}
	if again, changed := revoked.Revoke(now.Add(time.Hour)); changed || !again.EndedAt(now.Add(time.Hour)).Equal(now) {
		t.Error("a revoked key was revoked again")
	}
	_, _, err = revoked.Rotate("key_3", "r", nil, maker, nil, now)
	wantCode(t, err, CodeConflict, "")
	// A grace period never outlasts the key's own expiry.
	old, _, err = k.Rotate("key_2", "q", days(90), maker, nil, now)
	if err != nil || !old.GraceUntil.Equal(*k.ExpiresAt) {
		t.Errorf("got the grace until %v, %v", old.GraceUntil, err)
	}
	gone, _, err := k.Rotate("key_2", "q", days(0), maker, nil, now)
	if err != nil || gone.Status(now) != KeyRevoked {
		t.Errorf("without a grace got the key %s, %v", gone.Status(now), err)
	}
}

// An ended key never becomes valid again, and its status follows from its end.
func TestKeyStatusProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moment := func(name string) *time.Time {
			if rapid.Bool().Draw(t, name+" is null") {
				return nil
			}
			at := sessionStart.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, name)) * time.Hour)
			return &at
		}
		k := APIKey{ExpiresAt: moment("expires"), GraceUntil: moment("grace"), RevokedAt: moment("revoked")}
		over := false
		for h := range 101 {
			now := sessionStart.Add(time.Duration(h) * time.Hour)
			ended := k.EndedAt(now)
			if over && ended == nil || (ended != nil) != (k.Status(now) == KeyRevoked) || ended != nil && ended.After(now) {
				t.Fatalf("after %d hours %+v is %s, ended %v", h, k, k.Status(now), ended)
			}
			over = ended != nil
		}
	})
}

func TestRoles(t *testing.T) {
	for name, want := range map[string]Role{
		"admin": RoleAdmin, "org:admin": RoleAdmin, "Owner": RoleAdmin, "org:member": RoleEditor, "basic_member": RoleEditor,
		"editor": RoleEditor, "viewer": RoleViewer, "org:billing": RoleViewer, "": RoleViewer,
	} {
		if got := RoleOf(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	if got := ScopesWithin(AllScopes(), RoleViewer); !slices.Equal(got, RoleViewer.Scopes()) {
		t.Errorf("got a viewer's key's scopes %v", got)
	}
	if got := ScopesWithin([]Scope{ScopeAdmin}, RoleEditor); len(got) != 0 {
		t.Errorf("got an editor's admin key's scopes %v", got)
	}
	for _, s := range RoleViewer.Scopes() {
		if !strings.HasSuffix(string(s), ":read") || !slices.Contains(RoleEditor.Scopes(), s) {
			t.Errorf("a viewer's key has the scope %s", s)
		}
	}
	if _, err := ParseRole("root"); CodeOf(err) != CodeInvalidRequest {
		t.Errorf("root: %v", err)
	}
}

func TestTenantSettings(t *testing.T) {
	text := func(s string) *string { return &s }
	before := Tenant{ID: "tnt_1", Name: "A", Slug: "a", Brand: Brand{Voice: "dry", ExcludedTopics: []string{"x"}}}
	for _, tt := range []struct {
		in    TenantInput
		param string
	}{
		{TenantInput{Name: text(" ")}, "name"},
		{TenantInput{Slug: text("")}, "slug"},
		{TenantInput{Slug: text("A")}, "slug"},
		{TenantInput{Slug: text("a--b")}, "slug"},
		{TenantInput{Slug: text("-a")}, "slug"},
		{TenantInput{Slug: text(strings.Repeat("a", MaxSlug+1))}, "slug"},
		{TenantInput{Brand: &BrandInput{Voice: text(strings.Repeat("a", MaxBrand+1))}}, "brand.voice"},
		{TenantInput{Brand: &BrandInput{Audience: text("\x01")}}, "brand.audience"},
		{TenantInput{Brand: &BrandInput{Website: text("javascript:alert(1)")}}, "brand.website"},
		{TenantInput{Brand: &BrandInput{Website: text("https://me:pw@example.com")}}, "brand.website"},
		{TenantInput{Brand: &BrandInput{ExcludedTopics: []string{"a", ""}}}, "brand.excluded_topics[1]"},
	} {
		got, _, err := before.Change(tt.in, sessionStart)
		wantCode(t, err, CodeInvalidRequest, tt.param)
		if got.Name != before.Name || got.Brand.Voice != before.Brand.Voice {
			t.Errorf("%s changed the tenant", tt.param)
		}
	}
	after, fields, err := before.Change(TenantInput{Name: text("B "), Slug: text("a"), Brand: &BrandInput{Website: text("https://b.example"), ExcludedTopics: []string{}}}, sessionStart)
	if err != nil || after.Name != "B" || after.Brand.Name != "B" || after.Brand.Voice != "dry" || len(after.Brand.ExcludedTopics) != 0 ||
		!slices.Equal(fields, []string{"name", "brand.website", "brand.excluded_topics"}) || !after.UpdatedAt.Equal(sessionStart) {
		t.Errorf("got %+v, %v, %v after the change", after, fields, err)
	}
	if _, fields, err := before.Change(TenantInput{Name: text("A")}, sessionStart); err != nil || len(fields) != 0 {
		t.Errorf("an empty change returned %v, %v", fields, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		slug := SlugOf(rapid.String().Draw(t, "name"))
		if len(slug) > MaxSlug || !slugForm.MatchString(slug) || !slugForm.MatchString(slug+"-abc123") {
			t.Fatalf("got the slug %q", slug)
		}
	})
}
