package grammar

import (
	"strings"
	"testing"
)

// A brand's own capitals stay in a hashtag.
func TestHashtagsOfBrands(t *testing.T) {
	for objective, want := range map[string]string{
		"Promote our iPhone app": "#iPhoneApp", "Promote our eBay store": "#eBayStore", "Promote our macOS tools": "#macOSTools", "Promote our mRNA vaccines": "#mRNAVaccines",
		"Promote our new bakery tours": "#BakeryTours", "Promote TaskFlow templates": "#TaskFlowTemplates",
	} {
		if got := hashtag(subjectOf(objective, "BRAND", false).tag); got != want {
			t.Errorf("%q has the hashtag %q, want %q", objective, got, want)
		}
	}
}

// Nor do they get another where a sentence begins.
func TestSentencesOfBrands(t *testing.T) {
	for text, want := range map[string]string{"eBay sellers meet": "eBay sellers meet.", "we meet eBay": "We meet eBay.", "éclairs": "Éclairs.", "": "."} {
		if got := sentence(strings.Fields(text)); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}
