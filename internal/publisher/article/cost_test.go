package article

import (
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit/cputime"
	"missiond/mission"
)

// The longest texts take no long time, however they are nested.
func TestCost(t *testing.T) {
	for _, piece := range []string{
		"[", "]", "[a](", "![", "*a ", "**a", "_", "`", "``` ", "> ", "- ", "  - a\n", "# ", "| a ", "~~", "#a ", "#", "<", "<a", "&", "https://", "https://a.b/(", "www.", "a@b.", "\\", "1. ", "\t", "=\n", "[a]: b\n", "*_", "[[]", "\"", "日本", "éá",
	} {
		text := "T\n\n" + strings.Repeat(piece, mission.MaxArticle/len([]rune(piece)))
		var a Article
		took := cputime.Of(func() {
			a = Of(part(text))
			_ = a.Text()
			_ = Slug(part(text))
		})
		if took > 2*time.Second {
			t.Errorf("%q: %s, %d bytes", piece, took, len(a.HTML))
		}
	}
}
