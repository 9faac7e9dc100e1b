package mission

import "testing"

// The provider's role applies if it names one; a role set by an admin lasts until the
// provider names a different role than before.
func TestRolesFollowTheProvider(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first bool
		named []string // at the first login, and at each after it
		given Role     // by an admin, after the first login; "" is none
		want  Role
	}{
		{"the first is what the provider says", true, []string{"org:guest"}, "", RoleViewer},
		{"an editor first", true, []string{"org:member"}, "", RoleEditor},
		{"the first without a role", true, []string{""}, "", RoleAdmin},
		{"another one without a role", false, []string{""}, "", RoleViewer},
		{"the first is named later", true, []string{"", "org:member"}, "", RoleEditor},
		{"the first stays while nobody is named", true, []string{"", "", ""}, "", RoleAdmin},
		{"at each login", false, []string{"admin", "member", "guest"}, "", RoleViewer},
		{"the role is no longer named", false, []string{"admin", ""}, "", RoleViewer},
		{"a gift stays", false, []string{"viewer", "viewer"}, RoleAdmin, RoleAdmin},
		{"until the provider changes its mind", false, []string{"viewer", "member"}, RoleAdmin, RoleEditor},
		{"a demotion stays", false, []string{"admin", "admin"}, RoleViewer, RoleViewer},
		{"a gift to one who had no role", false, []string{"", "guest"}, RoleAdmin, RoleViewer},
		{"a gift where no role is named", false, []string{"", ""}, RoleEditor, RoleEditor},
	} {
		u := User{}.Join(tt.named[0], tt.first)
		if tt.given != "" {
			u.Role, u.RoleFrom = tt.given, RoleFromAdmin
		}
		for _, named := range tt.named[1:] {
			u = u.Follow(named)
		}
		if u.Role != tt.want {
			t.Errorf("%s: got the role %s from %s, want %s", tt.name, u.Role, u.RoleFrom, tt.want)
		}
	}
	first := User{}.Join("", true)
	if u := first.Outranked(); first.Role != RoleAdmin || u.Role != RoleViewer || u.Follow("").Role != RoleViewer {
		t.Errorf("after the provider named an admin got the first user %+v", u)
	}
}
