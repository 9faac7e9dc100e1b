package servers

import (
	"os/exec"
	"strings"
	"testing"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// Behind a PgBouncer in transaction mode the schema is migrated and missions
// publish all their posts, with the statements that the processes find out or are
// told to send. What the pooler can't do is refused at the start.
func TestBehindAPooler(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	through, _ := testkit.PgBouncer(t, testkit.PostgresURL(t))
	f := missiond.NewFleetOn(t, through, testkit.Redis(t))
	refused := append([]string{"serve", "--addr", missiond.FreeAddr(t), "--ops-addr", "127.0.0.1:0", "--database-statements", "prepared"}, f.Flags...)
	text, err := exec.Command(missiond.Path(t), refused...).CombinedOutput()
	if err == nil || !strings.Contains(string(text), "--database-statements=plain") {
		t.Errorf("with prepared statements serve ended with %v and %q, want a refusal that names the flag", err, output.Tail(string(text)))
	}
	shared := f.Flags
	for _, statements := range []string{"auto", "plain"} {
		f.Flags = append([]string{"--database-statements", statements}, shared...)
		api, worker := f.Serve(), f.Worker()
		var missions []string
		for range 4 {
			missions = append(missions, api.StartMission(1, 1))
		}
		f.Finish(api, missions)
		f.End(api, []*missiond.Process{worker})
	}
}
