package missions_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// whyPost and whyMission check the reasons of a post or a mission, in their order, and return them.
func whyPost(w *world.World, id string, want ...mission.ReasonCode) mission.Why {
	w.T.Helper()
	got, err := w.Missions.ContentWhy(context.Background(), w.Tenant, id)
	w.Must(err)
	return wantReasons(w, got, want)
}

func whyMission(w *world.World, id string, want ...mission.ReasonCode) mission.Why {
	w.T.Helper()
	got, err := w.Missions.MissionWhy(context.Background(), w.Tenant, id)
	w.Must(err)
	return wantReasons(w, got, want)
}

func wantReasons(w *world.World, got mission.Why, want []mission.ReasonCode) mission.Why {
	w.T.Helper()
	var codes []mission.ReasonCode
	for _, r := range got.Reasons {
		codes = append(codes, r.Code)
	}
	if !slices.Equal(codes, want) {
		w.T.Fatalf("got the reasons %v, want %v: %+v", codes, want, got)
	}
	return got
}

// A post's reasons follow it from its review to its publication, and what stops it in between.
func TestWhyOfAPost(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		account := connect(w, mission.Twitter)
		posts, days, times := 1, 2, []string{"12:00"}
		m := w.Create(onTwitter(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &posts, times, &days
		}))
		whyMission(w, m.ID, mission.ReasonWriting, mission.ReasonCycle)
		w.Step()
		c := w.Posts(m.ID)[0]
		waits := whyPost(w, c.ID, mission.ReasonReview)
		if r := waits.Reasons[0]; r.Until == nil || !r.Until.Equal(*c.ExpiresAt) || waits.Status != string(mission.ContentPendingReview) {
			t.Errorf("got %+v, want it until %s", waits, c.ExpiresAt)
		}
		whyMission(w, m.ID, mission.ReasonReview, mission.ReasonCycle)

		setText(w, c.ID, "All about gardens.")
		exclude(w, m.ID, "garden")
		whyPost(w, c.ID, mission.ReasonReview, mission.ReasonExcluded)
		exclude(w, m.ID)
		_, err := w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil)
		w.Must(err)
		slot := w.Content(c.ID).ScheduledAt
		if r := whyPost(w, c.ID, mission.ReasonSlot).Reasons[0]; !r.Until.Equal(*slot) {
			t.Errorf("got %+v, want it until %s", r, slot)
		}
		whyMission(w, m.ID, mission.ReasonSlot, mission.ReasonCycle)

		w.Must(w.Missions.HoldPublishing(ctx, "a test"))
		whyPost(w, c.ID, mission.ReasonHeld, mission.ReasonSlot)
		whyMission(w, m.ID, mission.ReasonHeld, mission.ReasonSlot, mission.ReasonCycle)
		w.Must(w.Missions.ReleasePublishing(ctx))

		set(w, account, refused)
		told := whyPost(w, c.ID, mission.ReasonReconnect, mission.ReasonSlot).Summary
		narrow := w.Tenant
		narrow.Scopes = []mission.Scope{mission.ScopeContentRead}
		if why, err := w.Missions.ContentWhy(ctx, narrow, c.ID); err != nil || !strings.Contains(told, " (") || strings.Contains(why.Summary, " (") {
			t.Errorf("who may not read accounts is told %q, %v; others %q", why.Summary, err, told)
		}
		after(w, 5*time.Hour)
		whyPost(w, c.ID, mission.ReasonReconnect, mission.ReasonDue)
		whyMission(w, m.ID, mission.ReasonReconnect, mission.ReasonDue, mission.ReasonCycle)
		disconnect(w, account)
		whyPost(w, c.ID, mission.ReasonNotConnected, mission.ReasonDue)

		_, err = w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		if r := whyPost(w, c.ID, mission.ReasonPaused, mission.ReasonNotConnected, mission.ReasonDue).Reasons[0]; !r.Since.Equal(w.Clock.Now()) {
			t.Errorf("got %+v", r)
		}
		_, err = w.Missions.CompleteMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		if r := whyPost(w, c.ID, mission.ReasonCanceled).Reasons[0]; r.Failure == nil || r.Failure.Code != mission.CodeMissionEnded {
			t.Errorf("got %+v", r)
		}
		whyMission(w, m.ID, mission.ReasonCompleted)
	})
}

// What a platform says of a post is its reason: a pause for all of the account's posts, an attempt that
// failed, an outcome that is unknown or stays so, a refusal.
func TestWhyOfAPlatformsResponses(t *testing.T) {
	refusal := &mission.PublishError{Outcome: mission.OutcomeRefused, Failure: mission.Failure{Code: mission.CodePlatformRefused, Message: "Too loud."}}
	pause := &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, RetryAfter: 8 * time.Hour, Failure: mission.Failure{Code: mission.CodePlatformRateLimited, Message: "Later."},
	}
	for name, each := range map[string]struct {
		response  error
		want      []mission.ReasonCode
		ofMission mission.ReasonCode
	}{
		"accepted":     {nil, []mission.ReasonCode{mission.ReasonPublished}, mission.ReasonSlot},
		"refused":      {refusal, []mission.ReasonCode{mission.ReasonFailed}, mission.ReasonSlot},
		"not accepted": {outcome(mission.OutcomeNotAccepted), []mission.ReasonCode{mission.ReasonRetry}, mission.ReasonDue},
		"paused":       {pause, []mission.ReasonCode{mission.ReasonPlatformPause, mission.ReasonDue}, mission.ReasonPlatformPause},
		"no response":  {errors.New("lost"), []mission.ReasonCode{mission.ReasonLookup}, mission.ReasonUnknown},
		"unknowable":   {outcome(mission.OutcomeUnknowable), []mission.ReasonCode{mission.ReasonUnknown}, mission.ReasonUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				connect(w, mission.Twitter)
				w.Parts.Publisher = &scripted{Publisher: w.Parts.Publisher, results: []error{each.response}}
				m := w.Create(onTwitter(func(in *mission.CreateInput) {
					in.Constraints.PostingTimes = []string{"12:00", "18:00"}
				}))
				w.Step()
				c := w.Posts(m.ID)[0]
				w.Run(runUntil(w, mission.TaskContentPublish, c.ID).ID)
				whyPost(w, c.ID, each.want...)
				got, err := w.Missions.MissionWhy(context.Background(), w.Tenant, m.ID)
				w.Must(err)
				if got.Reasons[0].Code != each.ofMission {
					t.Errorf("the mission has %+v", got)
				}
			})
		})
	}
}

// Decisions of people, money that is used up, and platforms without an account are reasons, and so are a
// draft, a deletion of the tenant, and a job that failed.
func TestWhyOfWhatPeopleDecide(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		draft := w.Create(func(in *mission.CreateInput) { in.StartImmediately = nil })
		whyMission(w, draft.ID, mission.ReasonDraft)

		m := w.Create(func(in *mission.CreateInput) {
			fourADay(in)
			world.NeedsApproval(in)
		})
		w.Step()
		posts := w.Posts(m.ID)
		w.Must(of(w.Missions.RejectContent(ctx, w.Tenant, posts[0].ID, "Too loud", nil)))
		if got := whyPost(w, posts[0].ID, mission.ReasonRejected); got.Summary != `It was rejected with the reason "Too loud".` {
			t.Errorf("got %q", got.Summary)
		}
		w.Must(of(w.Missions.CancelContent(ctx, w.Tenant, posts[1].ID)))
		whyPost(w, posts[1].ID, mission.ReasonCanceled)
		w.Over(m.ID)
		whyPost(w, posts[2].ID, mission.ReasonExpired)

		connect(w, mission.Twitter)
		nothing := int64(0)
		paid := w.Create(onTwitter(func(in *mission.CreateInput) {
			in.Constraints.PostingTimes, in.Constraints.BudgetCents = []string{"23:00"}, &nothing
		}))
		w.Step()
		c := w.Posts(paid.ID)[0]
		whyPost(w, c.ID, mission.ReasonBudget, mission.ReasonSlot)
		w.Run(runUntil(w, mission.TaskContentPublish, c.ID).ID)
		if r := whyPost(w, c.ID, mission.ReasonFailed).Reasons[0]; r.Failure.Code != mission.CodeBudgetExhausted {
			t.Errorf("got %+v", r)
		}

		w.WithoutSandbox()
		unconnected := w.Create(func(in *mission.CreateInput) {
			in.Platforms, in.Constraints.PostingTimes = []mission.Platform{mission.LinkedIn}, []string{"22:00"}
		})
		w.Step()
		c = w.Posts(unconnected.ID)[0]
		whyPost(w, c.ID, mission.ReasonNotConnected, mission.ReasonSlot)
		whyMission(w, unconnected.ID, mission.ReasonNotConnected, mission.ReasonSlot, mission.ReasonCycle)

		w.Writer = world.PlainWriter{Fail: func(mission.Assignment) error { return errors.New("broken") }}
		broken := w.Create(onTwitter(world.OneDay))
		w.Until("a retry", func() bool {
			_, stage := contentStage(w, broken)
			return stage.Error != nil
		})
		whyMission(w, broken.ID, mission.ReasonRetry, mission.ReasonWriting, mission.ReasonNoCycle)
		w.Until("a failed job", func() bool { return w.Status(broken.ID).Pipeline.Status == mission.RunFailed })
		whyMission(w, broken.ID, mission.ReasonJobFailed, mission.ReasonNoCycle)

		w.Must(of(w.Parts.Accounts.DeleteTenantAs(ctx, w.Tenant.TenantID, tenantOf(w).Slug, time.Hour)))
		whyPost(w, c.ID, mission.ReasonDeletion, mission.ReasonNotConnected, mission.ReasonSlot)
		whyPost(w, posts[0].ID, mission.ReasonRejected)
	})
}

func tenantOf(w *world.World) mission.Tenant {
	w.T.Helper()
	tenant, err := w.DB.Tenant(context.Background(), w.Tenant.TenantID)
	w.Must(err)
	return tenant
}

// The reasons of several posts and missions take as many statements as those of one; those of another
// tenant aren't found.
func TestWhyOfSeveral(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		ctx := context.Background()
		var missionIDs, posts []string
		for range 3 {
			m := w.Create(fourADay)
			w.Step()
			missionIDs = append(missionIDs, m.ID)
			for _, c := range w.Posts(m.ID) {
				posts = append(posts, c.ID)
			}
		}
		type reading func(context.Context, mission.Principal, []string) (map[string]mission.Why, error)
		for name, each := range map[string]struct {
			read reading
			ids  []string
		}{"posts": {w.Missions.ContentWhys, posts}, "missions": {w.Missions.MissionWhys, missionIDs}} {
			took := func(ids []string) int64 {
				before := faults.Statements()
				got, err := each.read(ctx, w.Tenant, ids)
				w.Must(err)
				if len(got) != len(ids) {
					t.Errorf("got the reasons of %d of %d %s", len(got), len(ids), name)
				}
				return faults.Statements() - before
			}
			if one, all := took(each.ids[:1]), took(each.ids); one != all || one > 12 {
				t.Errorf("the reasons of one of the %s take %d statements, those of %d take %d", name, one, len(each.ids), all)
			}
			if got, err := each.read(ctx, w.NewTenant("Other "+name), each.ids); err != nil || len(got) != 0 {
				t.Errorf("another tenant gets %v, %v", got, err)
			}
		}
		_, err := w.Missions.ContentWhy(ctx, w.NewTenant("One more"), posts[0])
		world.WantCode(t, err, mission.CodeNotFound)
		_, err = w.Missions.MissionWhy(ctx, w.NewTenant("And another"), missionIDs[0])
		world.WantCode(t, err, mission.CodeNotFound)
	})
}

// failureDirs are the packages whose failures posts, first comments and jobs have.
var failureDirs = []string{"../../../mission", "../../publisher", ".", "../integrations", "../../writer", "../../../tasks"}

// Each code that a failure is made with has an entry in the table of what helps.
func TestEveryFailureHasACure(t *testing.T) {
	fset, constants := token.NewFileSet(), map[string]ast.Expr{}
	var codes []ast.Expr
	for _, dir := range failureDirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(filepath.Dir(path), "test") {
				return err
			}
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err == nil {
				codes = append(codes, failureCodes(file, constants)...)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	known := map[string]bool{}
	for _, code := range codes {
		if value, ok := constantOf(code, constants); ok {
			known[value] = true
			if !slices.Contains(mission.AllFailureCodes(), value) {
				t.Errorf("%s: nothing says what helps against %q", fset.Position(code.Pos()), value)
			}
		}
	}
	for _, code := range mission.AllFailureCodes() {
		if !known[code] && code != string(mission.CodeInvalidRequest) { // that of an error of the writer's
			t.Errorf("no failure is made with the code %q", code)
		}
	}
}

// failureCodes returns what the failures in a file are made with, and adds its constants.
func failureCodes(file *ast.File, constants map[string]ast.Expr) (codes []ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i >= len(n.Values) {
					continue
				}
				constants[name.Name] = n.Values[i]
				if n.Type == nil && strings.HasPrefix(name.Name, "Code") { // those with a type are codes of requests' errors
					codes = append(codes, n.Values[i])
				}
			}
		case *ast.CompositeLit:
			if name := nameOf(n.Type); name == "Failure" {
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && nameOf(kv.Key) == "Code" {
						codes = append(codes, kv.Value)
					}
				}
			}
		case *ast.CallExpr: // publisher.Response's
			if slices.Contains([]string{"Refused", "failure"}, nameOf(n.Fun)) && len(n.Args) > 1 {
				codes = append(codes, n.Args[0])
			}
		}
		return true
	})
	return codes
}

// nameOf returns the last name of an expression, or "".
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	default:
		return ""
	}
}

// constantOf returns the value of a constant text; ok is false for other expressions.
func constantOf(e ast.Expr, constants map[string]ast.Expr) (value string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		value, err := strconv.Unquote(e.Value)
		return value, err == nil && e.Kind == token.STRING
	case *ast.CallExpr: // string(mission.CodeInternal)
		if nameOf(e.Fun) == "string" {
			return constantOf(e.Args[0], constants)
		}
	case *ast.Ident, *ast.SelectorExpr:
		if of, found := constants[nameOf(e)]; found && of != e {
			return constantOf(of, constants)
		}
	}
	return "", false
}
