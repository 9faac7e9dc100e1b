package acceptance

import (
	"os/exec"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// Behind a PgBouncer in transaction mode the schema is migrated and missions
// publish all their posts, with the statements that the processes find out or are
// told to send. What the pooler can't do is refused at the start.
func TestBehindAPooler(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	through, _ := testkit.PgBouncer(t, testkit.PostgresURL(t))
	f := newFleetOn(t, through, testkit.Redis(t))
	refused := append([]string{"serve", "--addr", freeAddr(t), "--ops-addr", "127.0.0.1:0", "--database-statements", "prepared"}, f.flags...)
	text, err := exec.Command(binary(t), refused...).CombinedOutput()
	if err == nil || !strings.Contains(string(text), "--database-statements=plain") {
		t.Errorf("with prepared statements serve ended with %v and %q, want a refusal that names the flag", err, tail(string(text)))
	}
	shared := f.flags
	for _, statements := range []string{"auto", "plain"} {
		f.flags = append([]string{"--database-statements", statements}, shared...)
		api, worker := f.serve(), f.worker()
		var missions []string
		for range 4 {
			missions = append(missions, api.start(1, 1))
		}
		f.finish(api, missions)
		f.end(api, []*program{worker})
	}
}
