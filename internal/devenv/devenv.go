// Package devenv has what missiond dev gives to whoever starts it: a demo tenant,
// its key in <data-dir>/dev.env, and what to do next.
package devenv

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"missiond/internal/identity"
	"missiond/internal/service/accounts"
	"missiond/mission"
)

// Env is the content of dev.env.
type Env struct {
	// URL is the API's URL, without a path.
	URL    string
	APIKey string
}

const (
	file    = "dev.env"
	urlName = "MISSIOND_URL"
	keyName = "MISSIOND_API_KEY"
	// demoSlug is the demo tenant's slug.
	demoSlug = "demo"
	// DemoOrganization is its organization at the development identity provider:
	// whoever logs in as its member joins the demo tenant.
	DemoOrganization = "org_demo"
)

// demoLimits let a developer do in an hour what a tenant does in a week: each operation
// that is limited by the hour, a thousand times.
func demoLimits() mission.Limits {
	limits := mission.Limits{}
	for op, policy := range mission.Operations() {
		if policy.PerHour > 0 {
			limits[string(op)] = "1000/h"
		}
	}
	return limits
}

// Demo returns the demo tenant's key: the folder's if it still works, otherwise a
// new one. The tenant is made if it is missing. Its limits are those of the
// development run, with the given overrides.
func Demo(ctx context.Context, s *accounts.Service, folder string, limits mission.Limits) (Env, error) {
	all := demoLimits()
	maps.Copy(all, limits)
	env, err := demo(ctx, s, folder, all)
	if err != nil {
		return Env{}, err
	}
	return env, s.SetLimits(ctx, env.APIKey, all)
}

func demo(ctx context.Context, s *accounts.Service, folder string, limits mission.Limits) (Env, error) {
	if key := read(folder)[keyName]; key != "" {
		_, err := s.Authenticate(ctx, key)
		if err == nil {
			return Env{APIKey: key}, nil
		}
		if mission.CodeOf(err) != mission.CodeUnauthorized {
			return Env{}, err
		}
	}
	key, ok, err := s.AddAdminKey(ctx, identity.DevOrigin(DemoOrganization))
	if err != nil {
		return Env{}, err
	}
	if !ok {
		_, key, err = s.CreateTenant(ctx, accounts.NewTenant{
			Name: "Demo", Slug: demoSlug, Origin: identity.DevOrigin(DemoOrganization), Plan: mission.PlanEnterprise, Limits: limits,
		})
	}
	return Env{APIKey: key}, err
}

// read returns the variables of a folder's dev.env; none if it is missing.
func read(folder string) map[string]string {
	vars := map[string]string{}
	f, err := os.Open(filepath.Join(folder, file))
	if err != nil {
		return vars
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(strings.TrimSpace(lines.Text()), "="); ok {
			vars[name] = value
		}
	}
	return vars
}

// Write writes e to the folder's dev.env, readable by its owner alone.
func (e Env) Write(folder string) error {
	text := fmt.Sprintf("%s=%s\n%s=%s\n", urlName, e.URL, keyName, e.APIKey)
	path := filepath.Join(folder, file)
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(path+".new", path)
}

// Example returns commands that start a mission with the key of a folder's dev.env,
// without containing it.
func (e Env) Example(folder string) string {
	return ". '" + filepath.Join(folder, file) + "'\n" +
		`curl -sS $` + urlName + `/v1/missions -H "Authorization: Bearer $` + keyName + `" -H 'Content-Type: application/json' ` +
		`-d '{"name":"Hello, missiond","description":"We repair bicycles in Leith. Most punctures are done while you wait. A full service takes two days. Bring your bike before ten.",` +
		`"objectives":["Win customers for spring"],"platforms":["twitter","linkedin"],` +
		`"constraints":{"posts_per_day":2},"duration_days":2,"start_immediately":true}'`
}
