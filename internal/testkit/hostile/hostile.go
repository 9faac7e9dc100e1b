// Package hostile has GraphQL documents that are made to cost more than they
// look: tests send them to what must answer them quickly. Each is within 64 KiB
// as JSON has it, and names the fields of the service's schema.
package hostile

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MaxSize is the size in bytes that no document's JSON is beyond.
const MaxSize = 64<<10 - 256

// Documents returns the documents, by what they do.
func Documents() map[string]string {
	all := map[string]string{}
	for _, some := range []map[string]string{bombs(), floods(), clashes(), literals(), introspections(), texts(), fanOuts()} {
		for name, text := range some {
			all[name] = text
		}
	}
	return all
}

// each joins n texts, made by their numbers.
func each(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

// numbered is each with a text that has %[1]d for its number, and %[2]d for the
// next one.
func numbered(n int, format string) string {
	return each(n, func(i int) string { return fmt.Sprintf(format, i, i+1) })
}

// written is how many bytes a text takes in a request's JSON.
func written(text string) int {
	data, err := json.Marshal(text)
	if err != nil {
		panic("bug: a text that JSON can't hold")
	}
	return len(data) - len(`""`)
}

// nested puts inner between n openings and closings.
func nested(n int, opening, inner, closing string) string {
	return strings.Repeat(opening, n) + inner + strings.Repeat(closing, n)
}

// bombs grow when their fragments are spread.
func bombs() map[string]string {
	return map[string]string{
		"bomb, binary":           "{ ...f0 }" + numbered(120, " fragment f%[1]d on Query { ...f%[2]d ...f%[2]d }") + " fragment f120 on Query { __typename }",
		"bomb, binary, aliased":  "{ node(id: 1) { ...f0 } }" + numbered(60, " fragment f%[1]d on Mission { a: kpis { metric ...g } b: kpis { metric ...g } ...f%[2]d ...f%[2]d }") + " fragment f60 on Mission { id } fragment g on KPI { target }",
		"bomb, nested":           "{ event(id: 1) { mission { id } ...f0 } }" + numbered(80, " fragment f%[1]d on Event { a: id delivery: mission { id } ...f%[2]d }") + " fragment f80 on Event { id }",
		"bomb, wide":             "{ event(id: 1) {" + strings.Repeat(" ...f", 400) + " } } fragment f on Event {" + strings.Repeat(" id", 600) + " }",
		"bomb, in fields":        "{ webhooks { ...c0 } }" + numbered(12, " fragment c%[1]d on WebhookConnection { edges { node { a: deliveries { edges { node { id } } } b: deliveries { edges { node { id } } } } } ...c%[2]d ...c%[2]d }") + " fragment c12 on WebhookConnection { totalCount }",
		"bomb, by depth":         "{ webhooks { ...c0 } }" + numbered(10, " fragment c%[1]d on WebhookConnection { a: edges { x: cursor ...e%[1]d } b: edges { y: cursor ...e%[1]d } } fragment e%[1]d on WebhookEdge { cursor ...e%[2]d ...e%[2]d }") + " fragment e10 on WebhookEdge { cursor }",
		"fragments, chained":     "{ ...f0 }" + numbered(100, " fragment f%[1]d on Query { ...f%[2]d }") + " fragment f100 on Query {" + strings.Repeat(" __typename", 900) + " }",
		"fragments, unused":      "{ __typename }" + numbered(220, " fragment f%[1]d on Query { ...f%[2]d __typename }"),
		"fragments, of a name":   "{ ...f }" + strings.Repeat(" fragment f on Query { __typename ...g }", 180),
		"fragments, all in all":  allInAll(25),
		"a cycle":                "{ ...f0 }" + numbered(200, " fragment f%[1]d on Query { ...f%[2]d }") + " fragment f200 on Query { ...f0 }",
		"a cycle through fields": "{ event(id: 1) { ...f } } fragment f on Event { mission { ...g } } fragment g on Mission { kpis { metric ...h } } fragment h on KPI { ...g }",
		"a self spread":          "{ ...f } fragment f on Query {" + strings.Repeat(" ...f", 900) + " }",
		"unknown fragments":      "{" + numbered(900, " ...f%[1]d") + " }",
	}
}

// allInAll spreads every fragment in each one before it.
func allInAll(n int) string {
	return "{ ...f0 }" + each(n, func(i int) string {
		return fmt.Sprintf(" fragment f%d on Query { __typename", i) + each(n-i, func(j int) string { return fmt.Sprintf(" ...f%d", i+j+1) }) + " }"
	}) + fmt.Sprintf(" fragment f%d on Query { __typename }", n)
}

// floods have too many of one thing.
func floods() map[string]string {
	return map[string]string{
		"fields, repeated":               "{" + strings.Repeat(" __typename", 1900) + " }",
		"fields, repeated with others":   "{" + strings.Repeat(" viewer { scopes }", 480) + " }",
		"fields, repeated 100 times":     "{" + strings.Repeat(" missions { edges { node { id name description } } totalCount }", 100) + " }",
		"fields, repeated twice, nested": "{ __schema { types {" + twice(6, "name") + " } } }",
		"fields, unknown":                "{" + numbered(1900, " a%[1]d") + " }",
		"fields, unknown, with others":   "{" + numbered(480, " a%[1]d { b }") + " }",
		"aliases":                        "{" + numbered(630, " a%[1]d: __typename") + " }",
		"aliases, fifteen of each": "{ node(id: 1) { ... on Mission {" + each(15, func(i int) string {
			return fmt.Sprintf(" a%[1]d: id b%[1]d: name c%[1]d: description d%[1]d: status e%[1]d: objectives f%[1]d: platforms g%[1]d: durationDays h%[1]d: startsAt i%[1]d: endsAt j%[1]d: createdAt k%[1]d: updatedAt l%[1]d: pausedAt m%[1]d: estimatedPosts", i)
		}) + " } } }",
		"aliases, spread over fragments": "{" + numbered(100, " ...f%[1]d") + " }" + numbered(100, " fragment f%[1]d on Query { a%[1]d: viewer { scopes } }"),
		"aliases, spread over fields": "{" + each(30, func(i int) string {
			return " viewer {" + each(5, func(j int) string { return fmt.Sprintf(" a%d: scopes", 5*i+j) }) + " }"
		}) + " }",
		"mutations":                     "mutation {" + numbered(200, ` a%[1]d: logout { success }`) + " }",
		"mutations, in fragments":       "mutation {" + numbered(60, " ...f%[1]d") + " }" + numbered(60, " fragment f%[1]d on Mutation { a%[1]d: pauseMission(id: 1) { pausedAt } }"),
		"directives on a field":         "{ __typename" + strings.Repeat(" @skip(if: false)", 280) + " }",
		"directives on fields":          "{" + strings.Repeat(" __typename @a @b @c @d @e @f @g @h @i", 90) + " }",
		"directives on an operation":    "query" + strings.Repeat(" @a", 900) + " { __typename }",
		"directives on a fragment":      "{" + strings.Repeat(" ...f", 300) + " } fragment f on Query" + strings.Repeat(" @a", 400) + " { __typename }",
		"directives on a variable":      "query($a: Int" + strings.Repeat(" @a", 900) + ") { __typename }",
		"deferred":                      "{" + strings.Repeat(" ... @defer { viewer { scopes } }", 200) + " }",
		"operations":                    numbered(380, " query a%[1]d { __typename }"),
		"operations without a name":     strings.Repeat("{ __typename }", 600),
		"operations of one fragment":    numbered(20, " query a%[1]d { ...f }") + " fragment f on Query {" + strings.Repeat(" __typename", 1700) + " }",
		"subscriptions":                 "subscription {" + numbered(900, " a%[1]d") + " }",
		"variables":                     "query(" + numbered(470, " $a%[1]d: Int") + ") { __typename }",
		"variables, used":               "query(" + numbered(100, " $a%[1]d: Int") + ") {" + numbered(100, " missions(first: $a%[1]d) { totalCount }") + " }",
		"variables, undefined":          "{ a(b: [" + numbered(900, " $a%[1]d") + "]) }",
		"variables of deep types":       "query($a: " + nested(900, "[", "Int", "]") + ") { __typename }",
		"arguments":                     "{ missions(" + numbered(600, " a%[1]d: 1") + ") { totalCount } }",
		"arguments, of a name":          "{ missions(" + strings.Repeat(" first: 1", 600) + ") { totalCount } }",
		"inline fragments":              "{" + strings.Repeat(" ... { __typename }", 470) + " }",
		"inline fragments, a tower":     "{" + nested(600, "...{", "__typename", "}") + "}",
		"inline fragments, twenty deep": "{" + strings.Repeat(nested(19, "...{", "__typename", "}"), 32) + "}",
		"all that is allowed": "{" + numbered(9, " missions(first: 1) { ...f%[1]d }") + " }" + numbered(9, " fragment f%[1]d on MissionConnection { edges { ...e } totalCount }") + " fragment e on MissionEdge { cursor node { ...m } } fragment m on Mission {" + each(12, func(i int) string {
			return fmt.Sprintf(" a%[1]d: id b%[1]d: name c%[1]d: description kpis { d%[1]d: metric e%[1]d: target f%[1]d: platform } constraints { g%[1]d: tone h%[1]d: cadence } ...on Node { id ... on Mission { i%[1]d: endsAt } }", i)
		}) + " }",
		"fields, nested":        nested(600, "{a", "{b}", "}"),
		"fields, nested, known": "{ webhooks " + nested(60, "{ edges { node { deliveries ", "{ totalCount }", "} } }") + " }",
	}
}

// twice nests a selection in itself, twice at each level.
func twice(levels int, selection string) string {
	if levels == 0 {
		return selection
	}
	inner := twice(levels-1, selection)
	return " ofType { kind " + inner + " } ofType { " + inner + " }"
}

// clashes have fields that are to be merged, and can't be.
func clashes() map[string]string {
	return map[string]string{
		"clashes between fragments":     "{" + numbered(80, " ...f%[1]d") + " }" + numbered(80, " fragment f%[1]d on Query { a: missions { b: totalCount } c: tenant { d: id } }"),
		"clashes of arguments":          "{" + numbered(100, " missions(first: %[2]d) { totalCount }") + " }",
		"clashes of arguments, later":   "{" + strings.Repeat(" missions(first: 1) { totalCount }", 99) + " missions(first: 2) { totalCount } }",
		"clashes of large arguments":    "{" + strings.Repeat(" missions(filter: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8}) { totalCount }", 45) + " }",
		"clashes, by levels":            "{ ...f0 ...g0 }" + each(9, func(i int) string { return clashing("f", i) + clashing("g", i) }) + " fragment f9 on Event { x: id } fragment g9 on Event { x: type }",
		"clashes in disguise":           "{ node(id: 1) {" + numbered(60, " ... on Mission { a: kpis { m%[1]d: metric } } ... on Webhook { a: deliveries { b: totalCount } }") + " } }",
		"no clash, a hundred in pieces": "{ missions {" + strings.Repeat(" edges { node { id name status } }", 100) + " } }",
	}
}

func clashing(name string, i int) string {
	return fmt.Sprintf(" fragment %[1]s%[2]d on Event { mission { id } a: id ... on Event { b: id } ...%[1]s%[3]d ...%[1]s%[3]d }", name, i, i+1)
}

// literals are values that are large or deep.
func literals() map[string]string {
	return map[string]string{
		"a deep list":           "{ missions(filter: " + nested(900, "[", "1", "]") + ") { totalCount } }",
		"a deep object":         "{ missions(filter: " + nested(480, "{a:", "1", "}") + ") { totalCount } }",
		"a list ten deep":       "{ events(filter: {types: " + nested(9, "[", strings.Repeat("A ", 1900), "]") + "}) { totalCount } }",
		"a wide list":           "{ events(filter: {types: [" + strings.Repeat("A ", 1900) + "]}) { totalCount } }",
		"a wide list of words":  "{ events(filter: {types: [" + strings.Repeat(`"`+strings.Repeat("a", 28)+`" `, 1900) + "]}) { totalCount } }",
		"a wide object":         "{ missions(filter: {" + numbered(600, " a%[1]d: 1") + "}) { totalCount } }",
		"an object of one name": "{ missions(filter: {" + strings.Repeat(" status: DRAFT", 600) + "}) { totalCount } }",
		"a list that is spread": "{ ...f0 }" + numbered(40, " fragment f%[1]d on Query { __typename ...f%[2]d }") + " fragment f40 on Query { events(filter: {types: [" + strings.Repeat("A ", 1300) + "]}) { totalCount } }",
		"a deep default":        "query($a: Int = " + nested(900, "[", "1", "]") + ") { __typename }",
		"a long enum value":     "{ missions(filter: {status: " + strings.Repeat("A", MaxSize-60) + "}) { totalCount } }",
		"a long type":           "query($a: " + strings.Repeat("A", MaxSize-60) + ") { __typename }",
		"a long argument":       "{ missions(" + strings.Repeat("a", MaxSize-60) + ": 1) { totalCount } }",
		"a long field":          "{" + strings.Repeat("a", MaxSize-60) + "}",
		"a long fragment":       "{ ..." + strings.Repeat("a", MaxSize-60) + " }",
		"a large number":        "{ missions(first: " + strings.Repeat("9", MaxSize-60) + ") { totalCount } }",
		"a large fraction":      "{ missions(first: 0." + strings.Repeat("9", MaxSize-60) + ") { totalCount } }",
	}
}

// introspections ask much about the schema.
func introspections() map[string]string {
	ofType := "{ kind name ofType { kind name ofType { kind name ofType { kind name } } } }"
	return map[string]string{
		"introspection, aliased":             "{" + numbered(15, " a%[1]d: __schema { types { name fields { name description args { name type "+ofType+" } type "+ofType+" } } }") + " }",
		"introspection, aliased types":       "{ __schema {" + numbered(15, " a%[1]d: types { name description fields { name description } }") + " } }",
		"introspection, wide":                "{ __schema { types {" + numbered(15, " a%[1]d: fields { a: name b: name c: name d: name e: name f: name g: description h: description }") + " } } }",
		"introspection, nested":              "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }",
		"introspection, nested lists":        "{ __schema { types { possibleTypes { interfaces { name description } } } } }",
		"introspection, through wrappers":    "{ __schema { types { fields { type { ofType { ofType { ofType { fields { name args { name type " + ofType + " } type " + ofType + " } } } } } } } } }",
		"introspection, deep":                "{ __schema { types { fields { type " + nested(400, "{ofType", "{name}", "}") + " } } } }",
		"introspection of types":             "{" + numbered(15, ` a%[1]d: __type(name: "Mission") { fields { type { ofType { fields { name type { name ofType { name fields { name } } } } } } } }`) + " }",
		"introspection by fragments":         "{ __schema { types { ...f0 } } }" + numbered(16, " fragment f%[1]d on __Type { a: ofType { ...f%[2]d } b: ofType { ...f%[2]d } }") + " fragment f16 on __Type { name }",
		"introspection, all that is allowed": "{ __schema { types {" + strings.Repeat(" description", 50) + numbered(14, " n%[1]d: name") + " fields { a: description b: description c: description d: description e: description f: description g: description h: description i: description description type " + ofType + " args { name description type " + ofType + " } } inputFields { type " + ofType + " description } } } }",
		"introspection of nothing":           "{" + numbered(15, ` a%[1]d: __type(name: "x") { name }`) + " }",
	}
}

// texts are hard to read.
func texts() map[string]string {
	fill := func(text string) string { return strings.Repeat(text, (MaxSize-100)/written(text)) }
	return map[string]string{
		"one token":                fill("a"),
		"braces":                   fill("{"),
		"braces, closing":          fill("}"),
		"brackets":                 "{a(b:" + fill("["),
		"parentheses":              "{a" + fill("("),
		"a string":                 `{ node(id: "` + fill("a") + `") { id } }`,
		"a string, escaped":        `{ node(id: "` + fill(`\u0041`) + `") { id } }`,
		"a string, open":           `{ node(id: "` + fill("a"),
		"a block string":           `{ node(id: """` + fill("a\n") + `""") { id } }`,
		"a block string, indented": `{ node(id: """` + fill("  a\n    b\n") + `""") { id } }`,
		"a block string, quotes":   `{ node(id: """` + fill(`\"""`) + `""") { id } }`,
		"strings":                  fill(`"" `),
		"block strings":            fill(`"""""" `),
		"comments":                 fill("#\n"),
		"comments, then a field":   "{" + strings.Repeat("#\n", 1900) + "__typename}",
		"a comment":                "{ __typename } #" + fill("a"),
		"commas":                   "{" + fill(",") + "__typename}",
		"line ends":                "{" + fill("\r\n") + "__typename}",
		"numbers":                  fill("1 "),
		"numbers, signed":          fill("-"),
		"dots":                     fill("."),
		"spreads":                  "{" + fill("... ") + "}",
		"at signs":                 "{ a " + fill("@"),
		"dollars":                  "query(" + fill("$a:$"),
		"unicode":                  "{" + fill("é") + "}",
		"unicode, in a string":     `{ node(id: "` + fill("🂡") + `") { id } }`,
		"byte order marks":         fill("\ufeff"),
		"NUL":                      fill("\x00"),
		"NUL, in a string":         "{ node(id: \"\x00\") { id } }",
		"not UTF-8":                "{ node(id: \"\xff\xfe\") { id } }",
		"nothing":                  "",
		"a schema":                 fill("type A { a: Int } "),
	}
}

// fanOuts ask for many kinds of records, or many records.
func fanOuts() map[string]string {
	types := []string{"Mission", "Content", "Job", "Webhook", "Delivery", "Event", "Notification", "User", "Tenant", "ApiKey", "AuditEntry", "Session"}
	return map[string]string{
		"every type of a node": "{" + each(10, func(i int) string {
			return fmt.Sprintf(" n%d: node(id: 1) {", i) + each(len(types), func(j int) string { return " ... on " + types[j] + " { id createdAt }" }) + " }"
		}) + " }",
		"every field, fifteen names": "mutation { completeMission(id: 1) { mission {" + each(15, func(i int) string {
			return fmt.Sprintf(" a%[1]d: id b%[1]d: name c%[1]d: description d%[1]d: status e%[1]d: objectives f%[1]d: platforms g%[1]d: durationDays h%[1]d: startsAt i%[1]d: endsAt j%[1]d: createdAt k%[1]d: updatedAt", i)
		}) + " } } }",
		"fragments in fragments": "mutation { completeMission(id: 1) { mission { ...f0 } } }" +
			numbered(12, " fragment f%[1]d on Mission { ...f%[2]d"+numbered(15, " a%[1]d: kpis { metric target }")+" }") + " fragment f12 on Mission { id }",
		"every type, many times": "{ node(id: 1) {" + each(300, func(i int) string { return " ... on " + types[i%len(types)] + " { id }" }) + " } }",
		"pages of pages":         "{ webhooks(first: 100) { edges { node { deliveries(first: 100) { edges { node { event { mission { id } } } } } } } } }",
		"pages, aliased":         "{" + numbered(15, " a%[1]d: missions(first: 100) { edges { node { id kpis { metric } kpiProgress { metric } } } }") + " }",
		"a page out of bounds":   "{ missions(first: 2147483647) { edges { node { id } } } }",
	}
}
