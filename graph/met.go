package graph

import (
	"missiond/graph/node"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// The methods below record which records that those of some lists refer to will be asked for
// together.

func (l *loaders) metMissions(lists ...[]mission.Mission) {
	l.met(idsOf(lists, func(m *mission.Mission) string { return m.ID }))
	l.met(idsOf(lists, func(m *mission.Mission) string { return orEmpty(m.PipelineJobID) }))
}

func (l *loaders) metContents(lists ...[]mission.Content) {
	l.met(idsOf(lists, func(c *mission.Content) string { return c.ID }))
	l.met(idsOf(lists, func(c *mission.Content) string { return c.MissionID }))
	l.met(idsOf(lists, func(c *mission.Content) string { return c.JobID }))
	l.met(idsOf(lists, func(c *mission.Content) string { return c.AuthorID }))
	l.met(idsOf(lists, func(c *mission.Content) string { return c.ReviewedBy }))
	var files []string
	for _, list := range lists {
		for i := range list {
			files = append(files, list[i].MediaIDs()...)
		}
	}
	l.met(files)
}

func (l *loaders) metComments(lists ...[]mission.ReviewComment) {
	l.met(idsOf(lists, func(c *mission.ReviewComment) string { return c.ContentID }))
}

func (l *loaders) metReviewLinks(lists ...[]mission.ReviewLink) {
	l.met(idsOf(lists, func(k *mission.ReviewLink) string { return k.MissionID }))
}

func (l *loaders) metReviewed(results []missions.Reviewed) {
	var list []mission.Content
	for _, r := range results {
		if r.Content != nil {
			list = append(list, *r.Content)
		}
	}
	l.metContents(list)
}

func (l *loaders) metJobs(lists ...[]mission.Job) {
	l.met(idsOf(lists, func(j *mission.Job) string { return j.ID }))
	l.met(idsOf(lists, func(j *mission.Job) string { return j.MissionID }))
}

func (l *loaders) metEvents(lists ...[]mission.Event) {
	l.met(idsOf(lists, func(e *mission.Event) string { return e.MissionID }))
	var contents, jobs []string
	for _, list := range lists {
		for _, e := range list {
			content, job := node.SubjectsOf(e)
			contents, jobs = append(contents, content), append(jobs, job)
		}
	}
	l.met(contents)
	l.met(jobs)
}

func (l *loaders) metRevisions(lists ...[]mission.Revision) {
	l.met(idsOf(lists, func(r *mission.Revision) string { return r.AuthorID }))
	l.met(idsOf(lists, func(r *mission.Revision) string { return r.ReviewedBy }))
}

func (l *loaders) metAudit(lists ...[]mission.AuditEntry) {
	l.met(idsOf(lists, func(e *mission.AuditEntry) string { return e.UserID }))
	l.met(idsOf(lists, func(e *mission.AuditEntry) string { return e.KeyID }))
	l.met(idsOf(lists, func(e *mission.AuditEntry) string { return e.TargetID }))
}

func (l *loaders) metNotifications(lists ...[]mission.Notification) {
	l.met(idsOf(lists, func(n *mission.Notification) string { return n.SubjectID }))
}

func (l *loaders) metDeliveries(lists ...[]mission.Delivery) {
	l.met(idsOf(lists, func(d *mission.Delivery) string { return d.ID }))
	l.met(idsOf(lists, func(d *mission.Delivery) string { return d.EventID }))
	l.met(idsOf(lists, func(d *mission.Delivery) string { return d.MissionID }))
}

func (l *loaders) metWebhooks(lists ...[]mission.Webhook) {
	l.met(idsOf(lists, func(w *mission.Webhook) string { return w.ID }))
}

func (l *loaders) metAttention(list []mission.Attention) {
	items := make([][]mission.AttentionItem, len(list))
	for i, a := range list {
		items[i] = a.Items
	}
	l.met(idsOf(items, func(i *mission.AttentionItem) string { return i.ContentID }))
	l.met(idsOf(items, func(i *mission.AttentionItem) string { return i.MissionID }))
	l.met(idsOf(items, func(i *mission.AttentionItem) string { return i.JobID }))
}

func (l *loaders) metReplies(lists ...[]mission.Reply) {
	l.met(idsOf(lists, func(r *mission.Reply) string { return r.MissionID }))
	l.met(idsOf(lists, func(r *mission.Reply) string { return r.ContentID }))
	l.met(idsOf(lists, func(r *mission.Reply) string { return r.IntegrationID }))
}
