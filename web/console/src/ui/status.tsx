import type { ContentStatus, MissionStatus, RunStatus } from '../app/enums'
import { Badge, type Tone } from './parts'

const content: Record<ContentStatus, [string, Tone]> = {
  PENDING_REVIEW: ['Waiting for review', 'warn'],
  APPROVED: ['Approved', 'info'],
  SCHEDULED: ['Scheduled', 'info'],
  PUBLISHING: ['Publishing', 'live'],
  PUBLISHED: ['Published', 'ok'],
  UNKNOWN: ['Checking', 'live'],
  REJECTED: ['Rejected', ''],
  FAILED: ['Failed', 'bad'],
  EXPIRED: ['Expired', 'bad'],
  CANCELED: ['Canceled', ''],
}

const mission: Record<MissionStatus, [string, Tone]> = {
  DRAFT: ['Draft', ''],
  ACTIVE: ['Active', 'ok'],
  PAUSED: ['Paused', 'warn'],
  COMPLETED: ['Completed', 'violet'],
}

const run: Record<RunStatus, [string, Tone]> = {
  PENDING: ['Waiting', ''],
  RUNNING: ['Running', 'live'],
  PAUSED: ['Paused', 'warn'],
  COMPLETED: ['Done', 'ok'],
  FAILED: ['Failed', 'bad'],
  CANCELED: ['Canceled', ''],
}

export const contentStatuses = Object.entries(content).map(([value, [word]]) => [value as ContentStatus, word] as const)
export const contentStatusName = (s: ContentStatus) => content[s][0]
export const missionStatusName = (s: MissionStatus) => mission[s][0]

function of<T extends string>(words: Record<T, [string, Tone]>, status: T) {
  const [word, tone] = words[status]
  return <Badge tone={tone}>{word}</Badge>
}

export const ContentBadge = ({ status }: { status: ContentStatus }) => of(content, status)
export const MissionBadge = ({ status }: { status: MissionStatus }) => of(mission, status)
export const RunBadge = ({ status }: { status: RunStatus }) => of(run, status)
