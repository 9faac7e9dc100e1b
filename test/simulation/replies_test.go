package simulation

import (
	"fmt"
	"net/http"
	"strings"

	"missiond/internal/publisher/publishertest"
)

// knownAnswer is an answer to a reply that was acknowledged.
type knownAnswer struct{ platform, text string }

// reply has a stranger reply to a post that is out, and handles one that the service has read.
func (c *client) reply() {
	c.s.outside.stranger(fmt.Sprintf("What of it, in act %d?", c.p.acts), c.r.IntN)
	var list struct {
		Data []struct{ ID, Platform, Status string }
	}
	status := ""
	if c.r.IntN(4) > 0 {
		status = "&status=new"
	}
	if a := c.once(http.MethodGet, "/v1/replies?limit=20"+status, nil, ""); a.outcome == done {
		a.read(&list)
	}
	if len(list.Data) == 0 {
		return
	}
	r := one(c.r, list.Data)
	switch op := one(c.r, []string{"answer", "answer", "answer", "answer", "done", "reopen", "hide"}); op {
	case "answer":
		text := fmt.Sprintf("Thank you, says act %d.", c.p.acts)
		if c.do(http.MethodPost, "/v1/replies/"+r.ID+"/answer", map[string]any{"text": text}).outcome == done {
			c.p.model.answers[r.ID] = knownAnswer{r.Platform, text}
		}
	default:
		c.do(http.MethodPost, "/v1/replies/"+r.ID+"/"+op, nil)
	}
}

// stranger has somebody reply to a post that is out, where the platform's replies are read.
func (o *outside) stranger(text string, draw func(int) int) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	if len(o.sent) == 0 {
		return
	}
	to := o.sent[len(o.sent)-1-draw(min(10, len(o.sent)))]
	if stub, ok := o.on(string(to.platform)).stub.(publishertest.Answerer); ok && to.id != "" {
		o.asked[string(to.platform)+" "+stub.Answer(to.id, "grace", text)] = text
		o.s.covered["a stranger replied"]++
	}
}

// checkReplies: replies are what strangers wrote, received once; an answer that was acknowledged is out
// once, or it is known why not.
func (a *audit) checkReplies(final bool) {
	once := map[string]bool{}
	a.rows(`SELECT id, tenant_id, mission_id, content_id, platform, reply_id, body, status, coalesce(answer ->> '$.text', ''), coalesce(answer ->> '$.status', '') FROM replies`, func(scan func(...any)) {
		var id, tenant, of, post, platform, there, body, status, answer, sent string
		scan(&id, &tenant, &of, &post, &platform, &there, &body, &status, &answer, &sent)
		wrote := a.outside.asked[platform+" "+there]
		a.hold(wrote == body, "replies are what strangers wrote", id, wrote, body)
		a.hold(!once[post+there], "a reply is received once", id, "once", there)
		once[post+there] = true
		m := a.missions[of]
		a.hold(m != nil && m.tenant == tenant && a.posts[post] != nil, "tenants are sealed", id, "its mission's", tenant)
		if known, ok := a.people.model.answers[id]; ok {
			a.hold(strings.HasSuffix(answer, known.text), "nothing acknowledged is lost", id, known.text, answer)
		}
		if answer == "" {
			return
		}
		out := 0
		for _, o := range a.outside.sent {
			if string(o.platform) == platform && strings.HasSuffix(o.text, answer) {
				out++
			}
		}
		a.hold(out == 0 || !final || sent == "published" || sent == "unknown", "what is out is known", id, "published or unknown", sent)
		a.hold(!final || sent == "published" || sent == "unknown" || sent == "failed", "every answer comes to rest", id, "settled", sent)
		a.hold(sent != "failed" && (!final || sent != "unknown") || status != "answered", "an answer that failed is to be given again", id, "another state", status)
		if final && sent == "published" {
			a.count("answered on " + platform)
		}
	})
}
