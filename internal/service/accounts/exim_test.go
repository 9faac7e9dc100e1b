package accounts_test

import (
	"strings"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/mail"
	"missiond/internal/servers"
	"missiond/internal/service/accounts"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// With a real mail server: one who is greylisted gets the e-mail at a later attempt, another gets
// it once, and of a name that the server doesn't know the admins hear in its words.
func TestEximIsTriedAgain(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		server, err := servers.StartExim(t.Context(), t.TempDir(), nil, nil)
		if err != nil {
			testkit.NotStarted(t, "Exim", err)
		}
		t.Cleanup(server.Stop)
		sender, err := mail.New("smtp://"+server.Addr, "missiond@example.com")
		w.Must(err)
		ann, _ := mailing(w, nil)
		w.Parts.Accounts = accounts.New(w.DB, accounts.Options{Clock: w.Clock, Real: w.Clock, Mailer: sender})
		w.Must(server.AddBox("bob"))
		w.Must(server.AddBox("ann"))
		w.Must(server.Greylist("ann", true))
		w.Hook("http://127.0.0.1/", mission.EventMissionCreated)
		w.Create(nil)
		arrives := func(name string, want int) {
			t.Helper()
			var mails []string
			for deadline := time.Now().Add(await.Long()); time.Now().Before(deadline) && len(mails) < max(want, 1); _ = clock.Sleep(t.Context(), 20*time.Millisecond) {
				if mails, err = server.Box(name); err != nil || want == 0 {
					break
				}
			}
			if err != nil || len(mails) != want {
				t.Errorf("%s has %d e-mails, want %d; %v\n%s", name, len(mails), want, err, server.Tail())
			}
		}
		w.Pass(2 * time.Minute)
		arrives("bob", 1)
		arrives("ann", 0)
		w.Must(server.Greylist("ann", false))
		w.Pass(5 * time.Minute)
		arrives("ann", 1)
		arrives("bob", 1)
		if n := len(told(w, mission.NotifyEmailRefused, true)); n != 0 {
			t.Errorf("%d notifications of a refusal for now", n)
		}
		w.Must(server.RemoveBox("ann"))
		w.Hook("http://127.0.0.1/again", mission.EventMissionCreated)
		w.Create(nil)
		w.Pass(time.Second)
		list := told(w, mission.NotifyEmailRefused, true)
		if len(list) != 1 || list[0].SubjectID != ann.ID || !strings.HasSuffix(list[0].Message, "for good: 550 5.1.1 Nobody here has that name") {
			t.Errorf("got the notifications %+v", list)
		}
		arrives("bob", 3) // of both endpoints, and of ann
	})
}
