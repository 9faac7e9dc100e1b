package mission

import (
	"testing"
	"time"
)

// BenchmarkSlots places a day's fifty posts around a DST change.
func BenchmarkSlots(b *testing.B) {
	m := started(b, time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC), func(m *Mission) {
		m.Constraints.PostsPerDay, m.Constraints.Timezone = MaxPostsPerDay, "Europe/Berlin"
		m.Constraints.PostingTimes = []string{"09:00", "12:30", "18:00"}
	})
	w := m.window(0)
	for b.Loop() {
		m.Constraints.Slots(w, 0)
	}
}
