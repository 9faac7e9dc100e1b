// The schema's enums, from the artifacts that happen to have them.
export type { ContentStatus, CommentStatus, ContentType, Platform } from '../__generated__/PostContent_content.graphql'
export type { LengthUnit, Metric } from '../__generated__/limitsQuery.graphql'
export type { EventType, MissionAction, MissionStatus, Trend } from '../__generated__/liveSubscription.graphql'
export type { Angle } from '../__generated__/Brief_content.graphql'
export type { Cadence } from '../__generated__/Mission_head.graphql'
export type { RunStatus, StageName } from '../__generated__/Pipeline_job.graphql'
