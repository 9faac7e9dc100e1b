import type { EventType, Metric, StageName } from './enums'

// What the schema's values are called.
const metrics: Record<Metric, string> = {
  ENGAGEMENT_RATE: 'Engagement rate',
  IMPRESSIONS: 'Impressions',
  CLICKS: 'Clicks',
  LINK_CLICKS: 'Link clicks',
  LIKES: 'Likes',
  COMMENTS: 'Comments',
  SHARES: 'Shares',
  FOLLOWERS_GAINED: 'Followers gained',
  REACH: 'Reach',
}

export const metricName = (m: Metric) => metrics[m]

// The fields of Metrics, by the metric.
export const metricField = {
  ENGAGEMENT_RATE: 'engagementRate',
  IMPRESSIONS: 'impressions',
  CLICKS: 'clicks',
  LINK_CLICKS: 'linkClicks',
  LIKES: 'likes',
  COMMENTS: 'comments',
  SHARES: 'shares',
  FOLLOWERS_GAINED: 'followersGained',
  REACH: 'reach',
} as const satisfies Record<Metric, string>

const stages: Record<StageName, [string, string]> = {
  INTAKE: ['Brief', 'checks and freezes the brief'],
  STRATEGY: ['Plan', 'plans slots, platforms and angles'],
  CONTENT: ['Write', 'writes the posts'],
  PUBLISH: ['Publish', 'schedules and publishes approved posts'],
  ANALYTICS: ['Measure', 'measures the published posts'],
  OPTIMIZE: ['Learn', 'learns what to prefer next'],
}

export const stageName = (s: StageName) => stages[s][0]
export const stageAbout = (s: StageName) => stages[s][1]

const events: Record<EventType, string> = {
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
  CONTENT_CANCELED: 'Post canceled',
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
  WEBHOOK_TEST: 'Webhook tested',
}

export const eventName = (t: EventType) => events[t]

const cadences = { DAILY: 'Every day', WEEKDAYS: 'Monday to Friday', WEEKLY: 'Every week', BIWEEKLY: 'Every two weeks', MONTHLY: 'Every month' } as const

export const cadenceName = (c: keyof typeof cadences) => cadences[c]

// eventTypes are all types of events that the console has words for.
export const eventTypes = Object.keys(events) as EventType[]
