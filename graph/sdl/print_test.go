package sdl

import "testing"

// The printed schema has scopes instead of the service's operations.
func TestPrint(t *testing.T) {
	const source = `
directive @operation(is: String!) on FIELD_DEFINITION
directive @live on QUERY
"A mission."
type Mission { "Its name." name(short: Boolean = true): String! @deprecated(reason: "No.") }
type Query {
  "The missions."
  missions: [Mission!] @operation(is: "missions.list")
  "Who calls."
  viewer: String @operation(is: "session.whoami")
}`
	const want = `directive @live on QUERY
"""
A mission.
"""
type Mission {
  """
  Its name.
  """
  name(short: Boolean = true): String! @deprecated(reason: "No.")
}
type Query {
  """
  The missions.
  Needs the scope MISSIONS_READ.
  """
  missions: [Mission!]
  """
  Who calls.
  """
  viewer: String
}
`
	s := parse(t, source)
	got := Print(s)
	if got != want {
		t.Errorf("it is printed as\n%s", got)
	}
	if again := Print(parse(t, got)); again != got {
		t.Errorf("printed again it is\n%s", again)
	}
	if s.Directives[bound] == nil || s.Query.Fields.ForName("missions").Directives.ForName(bound) == nil {
		t.Error("the schema itself was changed")
	}
}
