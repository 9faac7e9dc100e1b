package querylimit

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"missiond/mission"
)

// priced has everything that the rules of costs distinguish.
var priced = gqlparser.MustLoadSchema(&ast.Source{Input: `
directive @listSize(assumedSize: Int!, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
directive @textSize(max: Int!, times: Int = 1) on FIELD_DEFINITION
type Query {
	missions(first: Int, after: String, last: Int, before: String): MissionConnection
	mission(id: ID!): Mission
	node(id: ID!): Node
	all: MissionConnection
	numbers: [Int!]
	nodes(ids: [ID!]!): [Node] @listSize(assumedSize: 100, slicingArguments: ["ids"])
	days(from: String, to: String): Days @listSize(assumedSize: 62, slicingArguments: ["from", "to"], sizedFields: ["list"])
	texts(first: Int): [Text!] @listSize(assumedSize: 101, slicingArguments: ["first"])
}
type Days { list: [Day!]! other: [Day!]! }
type Day { date: String! posts: [Text!]! @listSize(assumedSize: 20) }
type Text { id: ID! text: String! @textSize(max: 10000) parts: [String!]! @textSize(max: 4000, times: 5) }
interface Node { id: ID! }
type MissionConnection { edges: [MissionEdge!]! pageInfo: PageInfo! totalCount: Int! }
type MissionEdge { cursor: String! node: Mission! }
type PageInfo { endCursor: String }
type Mission implements Node {
	id: ID! name: String counts: Counts job: Job kpis: [KPI!]!
	contents(first: Int, last: Int): ContentConnection
	missions(first: Int = 7): MissionConnection
}
type Counts { published: Int! }
type KPI { metric: String! }
type Job implements Node { id: ID! stages: [Stage!]! @listSize(assumedSize: 6) }
type Stage { name: String! error: Failure }
type Failure { code: String! }
type ContentConnection { edges: [ContentEdge!]! totalCount: Int! }
type ContentEdge { node: Content! }
type Content implements Node { id: ID! text: String job: Job counts: Counts }
`})

// costOf returns what an operation costs, with variables as a request sends them.
func costOf(tb testing.TB, schema *ast.Schema, text, variables string) (int, error) {
	tb.Helper()
	doc := parse(tb, text)
	if err := Check(doc); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	if errs := validate(schema, doc); len(errs) > 0 {
		tb.Fatalf("%s: %v", text, errs)
	}
	var given map[string]any
	d := json.NewDecoder(strings.NewReader("{" + variables + "}"))
	d.UseNumber()
	if err := d.Decode(&given); err != nil {
		tb.Fatal(err)
	}
	coerced, err := validator.VariableValues(schema, doc.Operations[0], given)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return NewCosts(schema, 20, 100).Of(doc, doc.Operations[0], coerced)
}

func TestCosts(t *testing.T) {
	for _, tt := range []struct {
		text, variables string
		want            int
	}{
		{`{ __typename numbers }`, ``, 0},
		{`{ mission(id: 1) { id name } }`, ``, 1},
		{`{ mission(id: 1) { id counts { published } } }`, ``, 2},
		{`{ mission(id: 1) { kpis { metric } } }`, ``, 1 + 10},
		{`{ mission(id: 1) { job { stages { name error { code } } } } }`, ``, 1 + 1 + 6*2},
		{`{ missions { totalCount } }`, ``, 20},
		{`{ missions(first: null) { totalCount } }`, ``, 20},
		{`{ missions(first: 3) { totalCount } }`, ``, 3},
		{`{ missions(last: 4) { totalCount } }`, ``, 4},
		{`{ missions(first: null, last: 5) { totalCount } }`, ``, 5},
		{`{ missions(first: 0) { totalCount } }`, ``, 1},
		{`{ missions(first: -9) { totalCount } }`, ``, 1},
		{`{ missions(first: 101) { totalCount } }`, ``, 100},
		{`{ missions(first: 3) { edges { node { id } } } }`, ``, 3 * 2},
		{`{ missions(first: 3) { edges { node { id } } pageInfo { endCursor } } }`, ``, 3 * 3},
		{`query($n: Int) { missions(first: $n) { totalCount } }`, ``, 20},
		{`query($n: Int) { missions(first: $n) { totalCount } }`, `"n": null`, 20},
		{`query($n: Int) { missions(first: $n) { totalCount } }`, `"n": 7`, 7},
		{`query($n: Int) { missions(last: $n) { totalCount } }`, `"n": 7`, 7},
		{`query($n: Int = 8) { missions(first: $n) { totalCount } }`, ``, 8},
		{`query($n: Int) { missions(first: $n) { totalCount } }`, `"n": 1000000000000`, 100},
		{`{ all { edges { node { id } } } }`, ``, 20 * 2},
		// Fields that are merged count once.
		{`{ mission(id: 1) { job { id } } mission(id: 1) { job { id stages { name } } } }`, ``, 1 + 1 + 6},
		{`{ mission(id: 1) { ...a ...b ...a } } fragment a on Mission { job { id } ...b } fragment b on Mission { job { id } }`, ``, 2},
		{`{ a: mission(id: 1) { id } b: mission(id: 2) { id } }`, ``, 2},
		// Scalars under further names cost.
		{`{ mission(id: 1) { id a: id b: id name } }`, ``, 1 + 2},
		// Selections that aren't included don't count.
		{`query($y: Boolean!) { mission(id: 1) @skip(if: $y) { id } node(id: 1) @include(if: $y) { id } }`, `"y": true`, 1},
		{`query($y: Boolean!) { mission(id: 1) { ... @include(if: $y) { job { id } } ...f @skip(if: $y) } } fragment f on Mission { kpis { metric } }`, `"y": true`, 2},
		{`query($y: Boolean!) { mission(id: 1) { ... @include(if: $y) { job { id } } ...f @skip(if: $y) } } fragment f on Mission { kpis { metric } }`, `"y": false`, 11},
		// Each type that a node may have counts.
		{`{ node(id: 1) { id ... on Mission { a: job { id } } ... on Content { b: job { id } } } }`, ``, 3},
		// If one name has two connections, the more expensive one counts.
		{`{ node(id: 1) { ... on Mission { x: contents(first: 2) { totalCount } } ... on Content { x: job { id } } } }`, ``, 3},
		{`{ __schema { types { name } } mission(id: 1) { id } }`, ``, 1},
		// A list's length is what is asked for, up to what it has at most.
		{`{ texts { id } }`, ``, 101},
		{`{ texts(first: 3) { id } }`, ``, 3},
		{`{ texts(first: 0) { id } }`, ``, 1},
		{`{ texts(first: null) { id } }`, ``, 101},
		{`query($n: Int) { texts(first: $n) { id } }`, `"n": 1000000000000`, 101},
		{`query($n: Int) { a: texts(first: $n) { id } b: texts(first: 2) { id } }`, `"n": 4`, 6},
		{`{ nodes(ids: [1, 2, 3]) { id } }`, ``, 3},
		{`query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, `"ids": ["a", "b"]`, 2},
		{`{ days(from: "2026-11-01", to: "2026-11-30") { list { date } other { date } } }`, ``, 1 + 30 + 10},
		{`{ days(from: "2026-11-01", to: "2027-11-30") { list { date } } }`, ``, 1 + 62},
		{`{ days(from: "2026-11-01", to: "2025-11-30") { list { date } } }`, ``, 1 + 1},
		{`{ days(from: "2026-11-01") { list { date } } }`, ``, 1 + 62},
		{`{ days(from: "now", to: "then") { list { posts { id } } } }`, ``, 1 + 62*(1+20)},
		// Texts cost by what all of them may have.
		{`{ texts(first: 4) { text } }`, ``, 4},
		{`{ texts(first: 4) { text parts } }`, ``, 4 + 4*30_000/textUnit},
		{`{ texts(first: 50) { text a: text } }`, ``, 50*2 + 50*20_000/textUnit},
		{`{ days(from: "2026-11-01", to: "2026-11-30") { list { posts { text } } } }`, ``, 1 + 30*(1+20) + 30*20*10_000/textUnit},
	} {
		if got, err := costOf(t, priced, tt.text, tt.variables); err != nil || got != tt.want {
			t.Errorf("%s {%s} costs %d, %v, want %d", tt.text, tt.variables, got, err, tt.want)
		}
	}
}

// A page that a frontend shows is far below the smallest plan's limit.
func TestAPageOfMissionsIsCheap(t *testing.T) {
	const page = `query($n: Int!) { missions(first: $n) { totalCount pageInfo { endCursor } edges { cursor node {
		id name status contentCounts { published } job { id stages { name error { code } } }
		contents(first: 5) { totalCount edges { node { id text status metrics { likes } } } }
	} } } }`
	got, err := costOf(t, served(t), page, `"n": 20`)
	const posts, job, counts = 5 * (1 + 1 + 1), 1 + 6*2, 1
	const text = 20 * 5 * 24_700 / textUnit
	if want := 20*(1+1+counts+job+posts+1) + text; err != nil || got != want || got > (mission.Principal{}).CostLimit()/5 {
		t.Errorf("it costs %d, %v, want %d", got, err, want)
	}
}

// Costs that overflow stay large.
func TestCostsSaturate(t *testing.T) {
	text := "{ missions(first: 100) " + nest(3, "{ edges { node { missions(first: 100) ", "{ totalCount }", "} } }") + " }"
	if got, err := costOf(t, priced, text, ``); err != nil || got != 2+100*(2+100*(2+100*2+100)) && got < 100_000_000 {
		t.Errorf("it costs %d, %v", got, err)
	}
	if got := times(mostCost/2, 3); got != mostCost {
		t.Errorf("a product beyond the most is %d", got)
	}
	if got := plus(mostCost, mostCost); got != mostCost {
		t.Errorf("a sum beyond the most is %d", got)
	}
}

// A condition that is null is the caller's mistake.
func TestNullConditions(t *testing.T) {
	for _, directive := range []string{"skip", "include"} {
		_, err := costOf(t, priced, `query($y: Boolean = true) { numbers @`+directive+`(if: $y) }`, `"y": null`)
		if words(err) != "The condition of @"+directive+" is null." {
			t.Errorf("got %v", err)
		}
	}
}

// graphiQLQuery is the query that GraphiQL sends: the standard one without its options.
var graphiQLQuery = strings.NewReplacer(
	"    description\n    queryType { name kind }", "    queryType { name }", "mutationType { name kind }", "mutationType { name }", "subscriptionType { name kind }", "subscriptionType { name }",
	"      isRepeatable\n", "", "  specifiedByURL\n  isOneOf\n", "", "args(includeDeprecated: true)", "args", "inputFields(includeDeprecated: true)", "inputFields",
	"  defaultValue\n  isDeprecated\n  deprecationReason\n", "  defaultValue\n",
).Replace(introspectionQuery)

func TestIntrospectionCosts(t *testing.T) {
	schema := served(t)
	for name, tt := range map[string]struct {
		text    string
		refused bool
	}{
		"what tools ask":      {introspectionQuery, false},
		"what GraphiQL sends": {graphiQLQuery, false},
		"twice what they ask": {strings.Replace(introspectionQuery, "__schema {", "x: __schema { types { ...FullType } } __schema {", 1), true},
		"wide":                {"{ __schema { types {" + repeat(15, " a%[1]d: fields { name description args { name description } }") + " } } }", true},
		"nested": {`{ __schema { types { fields { type { ...of } args { type { ...of } } } } } }
			fragment of on __Type { ofType {` + repeat(9, " a%[1]d: fields { type { ofType { name } } args { name type { name } } }") + ` } }`, true},
		"a type":  {`{ __type(name: "Mission") { fields { name description type { name ofType { name } } } } }`, false},
		"no type": {`query($n: String!) { __type(name: $n) { name } }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			cost, err := costOf(t, schema, tt.text, `"n": "Nope"`)
			if cost != 0 || (err != nil) != tt.refused || tt.refused && !strings.HasPrefix(words(err), "The introspection selects more than ") {
				t.Errorf("it costs %d, %v", cost, err)
			}
		})
	}
}

// The count of a response's values is exact.
func TestValuesOf(t *testing.T) {
	for text, want := range map[string]int{
		`{ __type(name: "Nope") { name } }`:                                                   1,
		`{ __type(name: "Job") { name kind description ofType { name } } }`:                   1 + 4,
		`{ __type(name: "Job") { fields { name type { name ofType { name } } } } }`:           1 + 2*(1+1+1+1+1) + 2,
		`{ __type(name: "Node") { possibleTypes { name interfaces { name } } } }`:             1 + 3*(1+1+1+1),
		`{ __type(name: "Query") { interfaces { name } possibleTypes { name } } }`:            1 + 2,
		`{ __schema { queryType { name } mutationType { name } subscriptionType { name } } }`: 1 + 2 + 1 + 1,
		`{ __type(name: "Job") { a: fields { args { name } } } }`:                             1 + 2*(1+1),
	} {
		if got := valuesOf(parse(t, text), priced); got != want {
			t.Errorf("%s has %d values, want %d", text, got, want)
		}
	}
}

// BenchmarkCosts measures what each request with a cached document pays.
func BenchmarkCosts(b *testing.B) {
	doc := parse(b, `{ missions(first: 20) { edges { node { id name counts { published } contents(first: 5) { edges { node { id text job { id } } } } } } } }`)
	if errs := validate(priced, doc); len(errs) > 0 {
		b.Fatal(errs)
	}
	costs := NewCosts(priced, 20, 100)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = costs.Of(doc, doc.Operations[0], nil)
	}
}

// The worked example of docs/graphql.md holds.
func TestTheExampleInTheDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/graphql.md")
	if err != nil {
		t.Fatal(err)
	}
	_, costs, _ := strings.Cut(string(text), "## Costs\n")
	_, example, _ := strings.Cut(costs, "```graphql\n")
	example, _, _ = strings.Cut(example, "```")
	if got, err := costOf(t, served(t), example, ``); err != nil || !strings.Contains(string(text), fmt.Sprintf(`"requested": %d,`, got)) || !strings.Contains(example, fmt.Sprintf("= %d\n", got)) {
		t.Errorf("it costs %d, %v", got, err)
	}
}
