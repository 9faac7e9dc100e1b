package textlimit

import (
	"strings"
	"testing"

	"missiond/mission"
)

// A text is cut neither within a date, a title and a name, nor after an abbreviation, if
// there is another way. The bar is where it may not be cut.
func TestSplitKeepsTogether(t *testing.T) {
	c := mission.Capabilities{Unit: mission.UnitGraphemes}
	for _, text := range []string{
		"Wir feiern an dem 3.|Oktober", "Es war an den 17.|Mai", "We met them on Feb.|10", "They wrote to the U.S.|Senate", "We met in D.C.|Monday", "We open at 9 a.m.|Monday", "Zu Gast ist Hr.|Maier",
		"Parla il dott.|Rossi", "Habla la Srta.|Gil", "Voici donc Mlle.|Durand", "We talk of Gen.|Grant", "We talk of Rev.|Green", "We are Acme Inc.|Berlin", "Jest przy ul.|Długiej", "Ждём на ул.|Ленина",
		"Es war Louis XIV.|Danach", "Für alle inkl.|Kuchen", "In der Schillerstr.|Berlin", "Our beekeeper is Prof.|Mills",
	} {
		before, after, _ := strings.Cut(text, "|")
		c.MaxLength = len([]rune(before)) + 1 // the cut would be there
		parts := Split(c, before+" "+after)
		if parts[0] == before || !strings.HasSuffix(parts[len(parts)-1], after) {
			t.Errorf("%q is cut into %q", text, parts)
		}
	}
}
