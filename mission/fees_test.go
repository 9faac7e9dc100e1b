package mission

import "testing"

func TestFeesOfFiles(t *testing.T) {
	x, _ := CapabilitiesOf(Twitter)
	files := []PostMedia{{AltText: "a"}, {}, {AltText: "b"}}
	if got := x.Fees.Files(files); got != 10_000 {
		t.Errorf("on X two alt texts cost %d", got)
	}
	m, _ := CapabilitiesOf(Mastodon)
	if got := m.Fees.Files(files); got != 0 {
		t.Errorf("on Mastodon they cost %d", got)
	}
}
