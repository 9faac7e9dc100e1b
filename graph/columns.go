package graph

import (
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"missiond/graph/exec"
	"missiond/store"
)

// Columns that a page doesn't show are not read. These are the columns behind the
// fields, "" for none but the id; for a field that isn't listed here the whole
// record is read.
var (
	missionFields = map[string]string{
		"__typename": "", "id": "", "events": "", "contents": "", "learning": "", "reviewLinks": "", "health": "",
		"spentCents": "spent_micros", "reservedCents": "reserved_micros",
		"name": "name", "description": "description", "status": "status", "objectives": "objectives",
		"platforms": "platforms", "durationDays": "duration_days", "startsAt": "starts_at", "endsAt": "ends_at",
		"pipelineJobId": "pipeline_job_id", "pausedAt": "paused_at", "createdAt": "created_at", "updatedAt": "updated_at",
		"job": "pipeline_job_id,status", "jobs": "next_cycle,status", "nextPublishAt": "status", "allowedActions": "status",
		"contentCounts": "generated,pending_review,approved,published,scheduled",
	}
	contentFields = map[string]string{
		"__typename": "", "id": "", "missionId": "mission_id", "mission": "mission_id", "origin": "origin",
		"jobId": "job_id", "job": "mission_id,job_id",
		"platform": "platform", "type": "format", "status": "status", "text": "body,parts", "parts": "parts",
		"firstComment": "first_comment,status", "media": "media", "comments": "", "angle": "angle", "verdict": "verdict", "facts": "facts",
		"revision": "revision", "scheduledAt": "scheduled_at", "publishedAt": "published_at", "expiresAt": "expires_at,status",
		"repeats": "repeats", "objective": "job_id,position", "slot": "job_id,position",
		"allowedActions": "mission_id,status,origin,publications,in_doubt,reviewed_at",
		"platformPostId": "platform_post_id", "platformUrl": "platform_url", "rejectionReason": "rejection_reason",
		"createdAt": "created_at", "updatedAt": "updated_at",
	}
)

// jobFields are the columns behind a job's fields. A plan is a large part of a job,
// and so are the stages if there are many posts.
var jobFields = map[string]string{
	"__typename": "", "id": "", "posts": "", "missionId": "mission_id", "mission": "mission_id", "cycle": "cycle", "status": "status",
	"currentStage": "current_stage", "error": "error", "costCents": "cost_micros", "createdAt": "created_at", "completedAt": "completed_at",
	"progressPercent": "planned,written,settled," + store.JobStageStates, "stages": "planned,written,settled," + store.JobStages,
}

// jobColumns returns the columns that the selection of the job being resolved
// needs.
func jobColumns(ctx context.Context) store.Columns {
	return exec.Columns(ctx, func() store.Columns {
		return columnsOf(graphql.CollectFieldsCtx(ctx, []string{"Job", "Node"}), jobFields)
	})
}

// missionColumns returns the columns that the page of missions being resolved
// needs.
func missionColumns(ctx context.Context) store.Columns {
	return exec.Columns(ctx, func() store.Columns { return pageColumns(ctx, missionFields, "Mission") })
}

// contentColumns returns the columns that the page of posts being resolved needs.
func contentColumns(ctx context.Context) store.Columns {
	return exec.Columns(ctx, func() store.Columns { return pageColumns(ctx, contentFields, "Content") })
}

// totalSelected reports whether the connection being resolved is asked for its
// total.
func totalSelected(ctx context.Context) bool {
	return slices.ContainsFunc(graphql.CollectFieldsCtx(ctx, nil), func(f graphql.CollectedField) bool { return f.Name == "totalCount" })
}

// pageColumns returns the columns behind the selected fields of a connection's
// records.
func pageColumns(ctx context.Context, behind map[string]string, record string) store.Columns {
	op := graphql.GetOperationContext(ctx)
	var shown []graphql.CollectedField
	for _, edges := range graphql.CollectFieldsCtx(ctx, []string{record + "Connection"}) {
		if edges.Name != "edges" {
			continue
		}
		for _, node := range graphql.CollectFields(op, edges.Selections, []string{record + "Edge"}) {
			if node.Name != "node" {
				continue
			}
			shown = append(shown, graphql.CollectFields(op, node.Selections, []string{record, "Node"})...)
		}
	}
	return columnsOf(shown, behind)
}

// columnsOf returns the columns behind fields.
func columnsOf(fields []graphql.CollectedField, behind map[string]string) store.Columns {
	columns := []string{"id"} // always read, even if nothing else is
	for _, field := range fields {
		names, known := behind[field.Name]
		if !known {
			return ""
		}
		if names != "" {
			columns = append(columns, strings.Split(names, ",")...)
		}
	}
	slices.Sort(columns)
	return store.Columns(strings.Join(slices.Compact(columns), ","))
}
