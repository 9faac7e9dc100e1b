package graph

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/graph/exec"
	"missiond/mission"
)

func schema() *ast.Schema { return exec.Schema() }

// Every way into the service is bound to an operation of the policy's table.
func TestEveryRootFieldHasAnOperation(t *testing.T) {
	s := schema()
	fields := 0
	for _, root := range []*ast.Definition{s.Query, s.Mutation, s.Subscription} {
		if root == nil {
			continue
		}
		for _, f := range root.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			fields++
			d := f.Directives.ForName("operation")
			if d == nil {
				t.Errorf("%s.%s has no @operation", root.Name, f.Name)
				continue
			}
			op := mission.Operation(d.Arguments.ForName("is").Value.Raw)
			if _, ok := mission.PolicyOf(op); !ok {
				t.Errorf("%s.%s has the unknown operation %q", root.Name, f.Name, op)
			}
		}
	}
	if fields < 6 {
		t.Errorf("only %d root fields were looked at", fields)
	}
}

// resolvedFromParent are resolved without reaching data that the field's parent didn't show already.
var resolvedFromParent = []string{
	"AuditEntry.agentId", "AuditEntry.keyId", "AuditEntry.userId", "Brand.audience", "Brand.language", "Brand.voice", "Brand.website", "KPI.platform", "KPIProgress.platform",
	"ReviewComment.authorName", "Content.accountHandle", "Content.allowedActions", "Content.angle", "Content.jobId", "Content.costCents", "Content.integrationId", "Slot.integrationId", "Content.metrics", "Integration.label", "Integration.server", "PlatformCapabilities.fees", "PlatformCapabilities.lookup", "PlatformCapabilities.media", "PlatformCapabilities.pageLookup", "PlatformCapabilities.replies", "IntegrationAccount.avatarUrl", "IntegrationAccount.handle", "Mission.estimatedPosts", "Mission.kpiProgress", "Revision.authorId", "Revision.firstComment", "Revision.instructions",
	"Revision.reviewedBy", "User.email", "User.name", "Verdict.excludedTopic",
}

// Whatever a resolver of ours reaches is bound to an operation: the field
// itself, or, for totals, the connection that it is a part of. A caller who
// lacks the scope gets null there and the rest of the data, so such a field is
// never non-null.
func TestEveryResolverHasAnOperation(t *testing.T) {
	s := schema()
	root := reflect.TypeFor[exec.ResolverRoot]()
	for i := range root.NumMethod() {
		resolver := root.Method(i)
		d := s.Types[resolver.Name]
		for j := range resolver.Type.Out(0).NumMethod() {
			method := resolver.Type.Out(0).Method(j).Name
			k := slices.IndexFunc(d.Fields, func(f *ast.FieldDefinition) bool { return strings.EqualFold(f.Name, method) })
			if k < 0 {
				t.Fatalf("%s has no field %s", d.Name, method)
			}
			name := d.Name + "." + d.Fields[k].Name
			inConnection := strings.HasSuffix(d.Name, "Connection") && d.Fields[k].Name == "totalCount"
			if d.Fields[k].Directives.ForName("operation") == nil && !inConnection && !slices.Contains(resolvedFromParent, name) {
				t.Errorf("%s is resolved, but has no @operation", name)
			}
		}
	}
	for _, d := range s.Types {
		for _, f := range d.Fields {
			if op := f.Directives.ForName("operation"); op != nil && f.Type.NonNull {
				t.Errorf("%s.%s has an operation and is non-null: its refusal would take the rest of the data along", d.Name, f.Name)
			}
			if strings.HasSuffix(f.Type.Name(), "Connection") && f.Directives.ForName("operation") == nil {
				t.Errorf("%s.%s is a list without an operation", d.Name, f.Name)
			}
		}
	}
}

// A frontend developer needs no other page: everything is described.
func TestEverythingIsDescribed(t *testing.T) {
	for _, d := range schema().Types {
		if d.BuiltIn || strings.HasPrefix(d.Name, "__") || d.Name == "Query" || d.Name == "Mutation" || d.Name == "Subscription" {
			continue
		}
		if d.Description == "" {
			t.Errorf("%s isn't described", d.Name)
		}
		for _, f := range d.Fields {
			if f.Description == "" {
				t.Errorf("%s.%s isn't described", d.Name, f.Name)
			}
			for _, a := range f.Arguments {
				if a.Description == "" {
					t.Errorf("%s.%s(%s) isn't described", d.Name, f.Name, a.Name)
				}
			}
		}
		for _, v := range d.EnumValues {
			if v.Description == "" {
				t.Errorf("%s.%s isn't described", d.Name, v.Name)
			}
		}
	}
}

// Every value of a bound enum stands for a value of mission, and the other way
// round.
func TestEnumsAreComplete(t *testing.T) {
	s := schema()
	for name, want := range map[string]int{
		"MissionStatus": len(mission.AllStatuses()), "Cadence": len(mission.AllCadences()), "Visibility": len(mission.AllVisibilities()),
		"AiTextDisclosure": len(mission.AllAITextDisclosures()), "AiMediaDisclosure": len(mission.AllAIMediaDisclosures()),
		"Platform": len(mission.AllPlatforms()), "Metric": len(mission.AllMetrics()), "Scope": len(mission.AllScopes()),
		"Role": len(mission.AllRoles()), "ApiKeyStatus": len(mission.AllKeyStatuses()), "Plan": len(mission.AllPlans()),
		"AuditAction": len(mission.AllAuditActions()), "ContentStatus": len(mission.AllContentStatuses()), "StageName": len(mission.AllStages()),
		"AuthorKind": len(mission.AllAuthorKinds()), "ReviewDecision": len(mission.AllDecisions()), "ReviewVia": len(mission.AllReviewVias()),
		"ReadbackState": len(mission.AllReadbackStates()), "CheckRule": len(mission.AllRules()), "EmojiUse": len(mission.AllEmojiUses()),
		"AutonomyState": len(mission.AllAutonomyStates()), "AutonomyEndReason": len(mission.AllAutonomyEndReasons()),
		"Angle": len(mission.AllAngles()), "MissionAction": len(mission.AllActions()),
	} {
		if got := len(s.Types[name].EnumValues); got != want {
			t.Errorf("%s has %d values, mission has %d", name, got, want)
		}
	}
}
