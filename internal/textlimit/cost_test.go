package textlimit

import (
	"flag"
	"runtime"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit/cputime"
	"missiond/mission"
)

// hostile are texts, to be repeated, that are dear to whoever looks at some of
// their characters more than once.
var hostile = []string{
	"@a", "@a@", "@a@b", "@a@b.c ", "a.", "a.b", "aa.bb", "a. ", ". ", ".", "!)", "a? ", " ", "\n", "\u3002", "(", "((http://", "http://", "https://a", "https://a.b/?", "https://a.b/ ",
	"x", "日本語", "👍🏽", "👨‍👩‍👧‍👦", "e\u0301\u0301\u0301", "\u0301", "🇩🇪", "\u200d", "한국", "-", "a-", "a_b.c-d.", "www.", "xn--a.", "1.2.3.4/", "[::1]", "#", "$A", "\r\n", "\x00", "\xff",
}

// perByte is how often a character may be looked at, for each of its bytes.
const perByte = 8

// looks is how often the characters of a text are looked at while it is cut.
func looks(c mission.Capabilities, text string) int {
	s := newSplitting(c, text)
	for at := s.visible(0); at < s.atoms(); {
		at = s.visible(s.partFrom(at))
	}
	return s.looked
}

// Cutting a text looks at each of its characters a few times, however long it
// is.
func TestSplitIsLinear(t *testing.T) {
	for _, p := range []mission.Platform{mission.Mastodon, mission.Twitter, mission.Bluesky, mission.Threads} {
		for _, unit := range hostile {
			for _, head := range []string{"", "A.", "a b c. "} {
				text := head + strings.Repeat(unit, (1<<13)/len(unit))
				if n := looks(caps(p), text); n > perByte*len(text) {
					t.Errorf("%s: %d bytes of %q are looked at %d times", p, len(text), unit, n)
				}
			}
		}
	}
}

// Nothing is allocated for the same characters twice either.
func TestSplitAllocatesInProportion(t *testing.T) {
	for _, unit := range hostile {
		text := strings.Repeat(unit, (1<<14)/len(unit))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Split(caps(mission.Mastodon), text)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > allocated*uint64(len(text)) {
			t.Errorf("%d bytes of %q take %d bytes to cut", len(text), unit, n)
		}
	}
}

// What is far too long is refused before it is measured.
func TestCheckBoundsFirst(t *testing.T) {
	for _, p := range mission.AllPlatforms() {
		c := caps(p)
		long := strings.Repeat("é", excess*c.MaxLength)
		if !bounded(c, long) || bounded(c, long+"é") {
			t.Errorf("%s: the bound isn't %d characters", p, excess*c.MaxLength)
		}
		if err := Check(c, mission.Draft{Format: c.Single(), Text: long + "é"}); mission.CodeOf(err) != mission.CodeInvalidRequest || !strings.Contains(err.Error(), "far too long") {
			t.Errorf("%s: %v", p, err)
		}
		thread := strings.Repeat("é", excess*c.MaxLength*c.MaxParts)
		if parts, err := Thread(c, thread); err != nil || len(parts) == 0 {
			t.Errorf("%s: %v", p, err)
		}
		if parts, err := Thread(c, thread+"é"); mission.CodeOf(err) != mission.CodeInvalidRequest || parts != nil {
			t.Errorf("%s: a text that no thread holds is taken: %v", p, err)
		}
		if err := CheckSize("text", strings.Repeat("é", min(excess*c.MaxLength*c.MaxParts, longest()))); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	if err := CheckSize("text", strings.Repeat("x", longest()+1)); mission.CodeOf(err) != mission.CodeInvalidRequest {
		t.Errorf("a text that no platform holds is taken: %v", err)
	}
}

// FuzzCost looks for texts whose cost grows faster than they do. Its seeds are
// only counted; what is found while fuzzing is timed, and must be slow each time
// to be believed.
func FuzzCost(f *testing.F) {
	for _, unit := range hostile {
		f.Add(unit, "", uint8(0))
		f.Add(unit, "see https://example.com. ", uint8(1))
	}
	platforms := []mission.Platform{mission.Twitter, mission.Mastodon, mission.Bluesky, mission.LinkedIn, mission.Threads}
	f.Fuzz(func(t *testing.T, unit, head string, which uint8) {
		const size, times, tries = 16 << 10, 4, 3
		const floor = 200 * time.Millisecond // the machine has other things to do
		if unit == "" || len(unit)+len(head) > size {
			return
		}
		c := caps(platforms[int(which)%len(platforms)])
		small := head + strings.Repeat(unit, (size-len(head))/len(unit))
		if n := looks(c, small); n > perByte*len(small) {
			t.Fatalf("%s: %d bytes of %q behind %q are looked at %d times", c.Platform, len(small), unit, head, n)
		}
		if flag.Lookup("test.fuzz").Value.String() == "" {
			return
		}
		large := head + strings.Repeat(unit, (times*size-len(head))/len(unit))
		for range tries {
			if cost, most := costOf(c, large), 2*times*costOf(c, small)+floor; cost <= most && cost <= floor+millisecondAKilobyte(large) {
				return
			}
		}
		t.Errorf("%s: %d bytes of %q behind %q take %s, a quarter of them %s", c.Platform, len(large), unit, head, costOf(c, large), costOf(c, small))
	})
}

func millisecondAKilobyte(text string) time.Duration {
	return time.Duration(len(text)>>10) * time.Millisecond
}

// costOf returns what all takes that looks at a text.
func costOf(c mission.Capabilities, text string) time.Duration {
	return cputime.Of(func() {
		Length(c, text)
		Split(c, text)
		_ = Check(c, mission.Draft{Format: mission.FormatPost, Text: text})
	})
}
