package mission

import "time"

// TaskType is a kind of work in the ledger.
type TaskType string

// The task types. A stage's type is "stage:" and its name.
const (
	TaskMissionStart   TaskType = "mission:start"   // at a draft's starts_at
	TaskMissionEnd     TaskType = "mission:end"     // at a mission's ends_at
	TaskCycleBegin     TaskType = "cycle:begin"     // at a window's start
	TaskCycleEnd       TaskType = "cycle:end"       // at a window's end, and when a post of its job expires later
	TaskCycleExpiring  TaskType = "cycle:expiring"  // when a job's posts that wait for review are about to expire
	TaskStageIntake    TaskType = "stage:intake"    //
	TaskStageStrategy  TaskType = "stage:strategy"  //
	TaskStageContent   TaskType = "stage:content"   //
	TaskStagePublish   TaskType = "stage:publish"   //
	TaskStageAnalytics TaskType = "stage:analytics" //
	TaskStageOptimize  TaskType = "stage:optimize"  //
	TaskContentPublish TaskType = "content:publish" // at a post's slot
	TaskContentComment TaskType = "content:comment" // when a post with a first comment is published
	TaskReplyAnswer    TaskType = "reply:answer"    // when a person has answered a reply
	TaskReplyHide      TaskType = "reply:hide"      // when a person has a reply hidden
	TaskContentExpire  TaskType = "content:expire"  // when a post with Content.OwnTime is about to expire, and when it expires
	TaskMissionMeasure TaskType = "mission:measure" // when a mission's next post is to be measured
	TaskWebhookDeliver TaskType = "webhook:deliver" // at the time of an endpoint's next attempt

	// TaskNotificationEmail is due when a notification is added. Its subject is the notification,
	// and then, in a task for each who gets an e-mail, also the user (see EmailSubject).
	TaskNotificationEmail TaskType = "notification:email"
	// TaskReviewTell is due when reviewers are to be told what of a mission waits for review.
	TaskReviewTell TaskType = "review:tell"

	// TaskTenantRecheck is due when a brand's exclusions change. Its subject is the mission
	// after which it continues, or "".
	TaskTenantRecheck TaskType = "tenant:recheck"
	TaskTenantDelete  TaskType = "tenant:delete" // at once, and when a tenant's grace period is over
	// TaskTenantHold is due when a tenant was put on hold or released, and when its hold ends by
	// itself. Its subject is the mission after which it continues, or "".
	TaskTenantHold TaskType = "tenant:hold"

	// TaskAccountFigures is due when the figures of an account are read, once a day. Its subject is
	// the integration.
	TaskAccountFigures TaskType = "account:figures"

	// TaskMedia removes a file's bytes when they haven't all arrived within UploadLife, or it was
	// deleted.
	TaskMedia TaskType = "media:process"
	// TaskMediaExamine is due when a file's bytes have arrived, or it is to be made anew.
	TaskMediaExamine TaskType = "media:examine"
)

// StageTaskPrefix is the prefix of the task types that run a stage.
const StageTaskPrefix = "stage:"

// StageTask returns the task type that runs a stage.
func StageTask(s StageName) TaskType { return TaskType(StageTaskPrefix + string(s)) }

// Queue names a queue by its purpose.
type Queue string

// The queues.
const (
	QueuePipeline    Queue = "pipeline"
	QueuePublish     Queue = "publish"
	QueueWebhooks    Queue = "webhooks"
	QueueMaintenance Queue = "maintenance"
	// QueueMedia has the examinations of files, which take the processor, and tenants their turns.
	QueueMedia Queue = "media"
)

// AllQueues lists the queues.
func AllQueues() []Queue {
	return []Queue{QueuePipeline, QueuePublish, QueueWebhooks, QueueMaintenance, QueueMedia}
}

// TaskPlan is how tasks of a type are run.
type TaskPlan struct {
	Queue Queue
	// Delays are the waits before the second and each further attempt; after
	// them the task fails, unless it is Endless and repeats the last.
	Delays  []time.Duration
	Endless bool
}

// stageDelays: decisions, "Pipeline".
var stageDelays = []time.Duration{time.Second, 10 * time.Second, time.Minute, 5 * time.Minute}

// keepTrying is for tasks that must succeed eventually: their failures are
// ours.
var keepTrying = []time.Duration{
	time.Second, 10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, time.Hour, time.Hour,
	4 * time.Hour, 4 * time.Hour, 4 * time.Hour, 12 * time.Hour,
}

// emailDelays go on for a day: a mail server may be away for a night, and one that doesn't know
// the sender yet takes nothing for some minutes (greylisting).
var emailDelays = []time.Duration{
	time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 4 * time.Hour, 4 * time.Hour, 12 * time.Hour,
}

// EmailSubject returns the subject of the task that e-mails a notification to a user.
func EmailSubject(notificationID, userID string) string { return notificationID + " " + userID }

var taskPlans = map[TaskType]TaskPlan{
	TaskMissionStart:   {Queue: QueuePipeline, Delays: keepTrying},
	TaskMissionEnd:     {Queue: QueuePipeline, Delays: keepTrying},
	TaskCycleBegin:     {Queue: QueuePipeline, Delays: keepTrying},
	TaskCycleEnd:       {Queue: QueuePipeline, Delays: keepTrying},
	TaskCycleExpiring:  {Queue: QueuePipeline, Delays: keepTrying},
	TaskStageIntake:    {Queue: QueuePipeline, Delays: stageDelays},
	TaskStageStrategy:  {Queue: QueuePipeline, Delays: stageDelays},
	TaskStageContent:   {Queue: QueuePipeline, Delays: stageDelays},
	TaskStagePublish:   {Queue: QueuePipeline, Delays: stageDelays},
	TaskStageAnalytics: {Queue: QueuePipeline, Delays: stageDelays},
	TaskStageOptimize:  {Queue: QueuePipeline, Delays: stageDelays},
	TaskContentPublish: {Queue: QueuePublish, Delays: stageDelays},
	TaskContentComment: {Queue: QueuePublish, Delays: stageDelays},
	TaskReplyAnswer:    {Queue: QueuePublish, Delays: stageDelays},
	TaskReplyHide:      {Queue: QueuePublish, Delays: stageDelays},
	TaskContentExpire:  {Queue: QueuePipeline, Delays: keepTrying},
	TaskMissionMeasure: {Queue: QueueMaintenance, Delays: keepTrying, Endless: true},
	TaskWebhookDeliver: {Queue: QueueWebhooks, Delays: keepTrying},

	TaskTenantDelete:      {Queue: QueueMaintenance, Delays: keepTrying, Endless: true},
	TaskNotificationEmail: {Queue: QueueMaintenance, Delays: emailDelays},
	TaskReviewTell:        {Queue: QueueMaintenance, Delays: keepTrying},
	TaskTenantHold:        {Queue: QueueMaintenance, Delays: keepTrying, Endless: true},
	TaskTenantRecheck:     {Queue: QueueMaintenance, Delays: keepTrying, Endless: true},
	TaskMedia:             {Queue: QueueMaintenance, Delays: keepTrying, Endless: true},
	TaskMediaExamine:      {Queue: QueueMedia, Delays: keepTrying, Endless: true},
	TaskAccountFigures:    {Queue: QueueMaintenance, Delays: keepTrying, Endless: true},
}

// TaskTypes lists every task type with its plan.
func TaskTypes() map[TaskType]TaskPlan {
	table := make(map[TaskType]TaskPlan, len(taskPlans))
	for t, p := range taskPlans {
		table[t] = p
	}
	return table
}

// Publishes reports whether tasks of the type send something to a platform.
func (t TaskType) Publishes() bool {
	return t == TaskContentPublish || t == TaskContentComment || t == TaskReplyAnswer
}

// Plan returns how tasks of the type are run.
func (t TaskType) Plan() TaskPlan { return taskPlans[t] }

// MaxAttempts returns how often a task is tried before it fails.
func (p TaskPlan) MaxAttempts() int { return len(p.Delays) + 1 }

// Delay returns the wait after a failed attempt (from 1); ok is false after the
// last.
func (p TaskPlan) Delay(attempt int) (d time.Duration, ok bool) {
	if p.Endless {
		attempt = min(attempt, len(p.Delays))
	}
	if attempt < 1 || attempt > len(p.Delays) {
		return 0, false
	}
	return p.Delays[attempt-1], true
}

// OutageWait is the wait between attempts while an external service doesn't
// respond, once the plan's delays are used up.
const OutageWait = 10 * time.Minute

// OutageDelay returns the wait after a failed attempt (from 1) to which an
// external service didn't respond: the plan's, and then OutageWait as long as
// that fits into what is left of the work's window. retryAfter, which may be 0,
// lengthens a wait, but leaves time for another attempt before the window's
// end. ok is false if the task has failed.
func (p TaskPlan) OutageDelay(attempt int, retryAfter, left time.Duration) (d time.Duration, ok bool) {
	d, ok = p.Delay(attempt)
	if !ok {
		d, ok = OutageWait, left > OutageWait
	}
	return max(d, min(retryAfter, left-OutageWait)), ok
}

// TaskState is the state of a ledger row. A completed task has no row.
type TaskState string

// The states of a task.
const (
	// TaskWaiting waits for its time, or for a worker.
	TaskWaiting TaskState = "waiting"
	// TaskRunning is leased by a worker, with a fence.
	TaskRunning TaskState = "running"
	// TaskParked waits for its mission to resume.
	TaskParked TaskState = "parked"
)

// Task is a row of the ledger: work that a committed change requires.
type Task struct {
	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	Type      TaskType
	Queue     Queue
	// Subject is the id of what the task works on: a mission, a job or a content.
	Subject string
	// Day is the posting day of a cycle task.
	Day   int
	RunAt time.Time
	State TaskState
	// Attempt counts the attempts made, including the running one.
	Attempt int
	// Fence grows with every claim. A worker whose fence isn't the row's has
	// lost the task, and its writes to it are refused.
	Fence int64
	// Lost counts the consecutive leases that expired.
	Lost int
	// Trouble is what of the service's own kept it from being done in the last attempts, and TroubleSince since when;
	// "" and nil if nothing did.
	Trouble      Trouble `bun:",nullzero"`
	TroubleSince *time.Time
	// Dispatches counts how often the task was enqueued since it was last
	// claimed.
	Dispatches int `bun:"hands"`
	CreatedAt  time.Time
	// Traceparent names the span in which the task was created; "" if it wasn't
	// recorded.
	Traceparent string `bun:",nullzero"`
}

// NewTask returns a task for m's tenant. The store assigns its id.
func NewTask(m Mission, t TaskType, subject string, at time.Time) Task {
	return Task{
		TenantID: m.TenantID, MissionID: m.ID, Type: t, Queue: t.Plan().Queue, Subject: subject,
		RunAt: at, State: TaskWaiting,
	}
}

// NewTenantTask returns a task without a mission. The store assigns its id.
func NewTenantTask(tenantID string, t TaskType, subject string, at time.Time) Task {
	return Task{TenantID: tenantID, Type: t, Queue: t.Plan().Queue, Subject: subject, RunAt: at, State: TaskWaiting}
}
