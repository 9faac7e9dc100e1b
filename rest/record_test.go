package rest

import (
	"strings"
	"testing"
	"time"

	"missiond/mission"
)

// The page shows what only few posts have.
func TestRecordPage(t *testing.T) {
	source, message := "https://acme.example/customers", "49 EUR stands in no fact."
	at := time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC)
	r := mission.Record{
		Revisions: []mission.RecordText{{
			Facts:  []mission.CitedFact{{Text: "4,000 teams use Acme.", Source: &source}},
			Checks: []mission.ShownCheck{{Rule: mission.RulePrices, Message: &message}, {Rule: mission.RuleLength, Passed: true}},
		}},
		RestsOn:      []mission.Approval{{ContentID: "cnt_1", By: "usr_1", At: at}},
		Publications: []mission.RecordPublication{{Text: "See https://go.example.com/l/k3v7q2m7w4x6n5rt", PublishedAt: at}},
	}
	var page strings.Builder
	if err := recordTemplate.Execute(&page, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"4,000 teams use Acme. (https://acme.example/customers)", "Breaks the rule prices: 49 EUR", "<td>2026-11-26 08:00:00 UTC</td><td><code>cnt_1</code></td><td><code>usr_1</code></td>",
		"<blockquote>See https://go.example.com/l/k3v7q2m7w4x6n5rt</blockquote>",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page.String(), "the rule length") {
		t.Error("the page has a rule that the text keeps")
	}
}
