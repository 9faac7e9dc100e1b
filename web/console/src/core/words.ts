import type { Angle, Cadence, EventType, Metric, StageName } from './enums'
import { inWords, table } from './table'

// What the schema's values are called.
export const metricName = table<Metric, string>(
  {
    ENGAGEMENT_RATE: 'Engagement rate',
    IMPRESSIONS: 'Impressions',
    CLICKS: 'Clicks',
    LINK_CLICKS: 'Link clicks',
    LIKES: 'Likes',
    COMMENTS: 'Comments',
    SHARES: 'Shares',
    FOLLOWERS_GAINED: 'Followers gained',
    REACH: 'Reach',
    VIEWS: 'Views',
  },
  inWords,
)

// The fields of Metrics, by the metric.
const fields = {
  ENGAGEMENT_RATE: 'engagementRate',
  IMPRESSIONS: 'impressions',
  CLICKS: 'clicks',
  LINK_CLICKS: 'linkClicks',
  LIKES: 'likes',
  COMMENTS: 'comments',
  SHARES: 'shares',
  FOLLOWERS_GAINED: 'followersGained',
  REACH: 'reach',
  VIEWS: 'views',
} as const satisfies Record<Metric, string>

type Field = (typeof fields)[Metric]

// metricField returns the field of Metrics that has a metric, if the page knows it.
export const metricField = table<Metric, Field | undefined>(fields, () => undefined)

// metricOf returns a metric of a post or of several; null if it isn't there.
export function metricOf(metrics: { readonly [F in Field]?: number | null }, m: string) {
  const field = metricField(m)
  return (field && metrics[field]) ?? null
}

const stages = table<StageName, [string, string]>(
  {
    INTAKE: ['Brief', 'checks and freezes the brief'],
    STRATEGY: ['Plan', 'plans slots, platforms and angles'],
    CONTENT: ['Write', 'writes the posts'],
    PUBLISH: ['Publish', 'schedules and publishes approved posts'],
    ANALYTICS: ['Measure', 'measures the published posts'],
    OPTIMIZE: ['Learn', 'learns what to prefer next'],
  },
  (s) => [inWords(s), ''],
)

export const stageName = (s: string) => stages(s)[0]
export const stageAbout = (s: string) => stages(s)[1]

export const eventName = table<EventType, string>(
  {
    CONTENT_CREATED: 'Post written',
    CONTENT_APPROVED: 'Post approved',
    CONTENT_REJECTED: 'Post rejected',
    CONTENT_HELD: 'Post held for review',
    CONTENT_REOPENED: 'Post back in review',
    CONTENT_SCHEDULED: 'Post scheduled',
    CONTENT_PUBLISHED: 'Post published',
    CONTENT_FAILED: 'Post failed',
    CONTENT_EXPIRING: 'Post about to expire',
    CONTENT_EXPIRED: 'Post expired',
    CONTENT_REVIEW_REQUESTED: 'Post waits for review',
    CONTENT_CANCELED: 'Post canceled',
    CONTENT_COMMENTED: 'Post commented on',
    MISSION_CREATED: 'Mission created',
    MISSION_STARTED: 'Mission started',
    MISSION_PAUSED: 'Mission paused',
    MISSION_RESUMED: 'Mission resumed',
    MISSION_COMPLETED: 'Mission completed',
    PIPELINE_STAGE_COMPLETED: 'Stage finished',
    PIPELINE_JOB_COMPLETED: 'Cycle finished',
    PIPELINE_JOB_FAILED: 'Cycle failed',
    ANALYTICS_KPI_ACHIEVED: 'KPI reached',
    ANALYTICS_ANOMALY_DETECTED: 'Unusual post',
    MEDIA_READY: 'File ready',
    MEDIA_FAILED: 'File unusable',
    REPLY_RECEIVED: 'Reply received',
    REPLY_ANSWERED: 'Reply answered',
    REPLY_ANSWER_FAILED: 'Answer to a reply failed',
    TENANT_HELD: 'Publishing put on hold',
    TENANT_RELEASED: 'Publishing released',
    WEBHOOK_TEST: 'Webhook tested',
  },
  inWords,
)

// wireName returns a type of events as webhooks and the API call it: content.published.
export const wireName = (t: string) => t.toLowerCase().replace('_', '.')

export const cadenceName = table<Cadence, string>(
  { DAILY: 'Every day', WEEKDAYS: 'Monday to Friday', WEEKLY: 'Every week', BIWEEKLY: 'Every two weeks', MONTHLY: 'Every month' },
  inWords,
)

export const angleName = table<Angle, string>(
  { HOW_TO: 'How-to', QUESTION: 'Question', STORY: 'Story', INSIGHT: 'Insight', TIP: 'Tip', MYTH: 'Myth' },
  inWords,
)

// eventTypes are all types of events that the console has words for.
export const eventTypes = eventName.keys
