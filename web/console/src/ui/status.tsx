import type { ContentStatus, MissionStatus, RunStatus } from '../core/enums'
import { inWords, table } from '../core/table'
import { Badge, type Tone } from './parts'

// unknown is how a state is shown that the page doesn't know.
export const unknown = (value: string): [string, Tone] => [inWords(value), '']

const content = table<ContentStatus, [string, Tone]>(
  {
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
  },
  unknown,
)

const mission = table<MissionStatus, [string, Tone]>(
  {
    DRAFT: ['Draft', ''],
    ACTIVE: ['Active', 'ok'],
    PAUSED: ['Paused', 'warn'],
    COMPLETED: ['Completed', 'violet'],
  },
  unknown,
)

const run = table<RunStatus, [string, Tone]>(
  {
    PENDING: ['Waiting', ''],
    RUNNING: ['Running', 'live'],
    PAUSED: ['Paused', 'warn'],
    COMPLETED: ['Done', 'ok'],
    FAILED: ['Failed', 'bad'],
    CANCELED: ['Canceled', ''],
  },
  unknown,
)

export const contentStatuses = content.keys.map((value) => [value, content(value)[0]] as const)
export const contentStatusName = (s: string) => content(s)[0]
export const missionStatusName = (s: string) => mission(s)[0]

// State is a badge of a state's word and tone.
export const State = ({ of: [word, tone] }: { of: [string, Tone] }) => <Badge tone={tone}>{word}</Badge>

export const ContentBadge = ({ status }: { status: string }) => <State of={content(status)} />
export const MissionBadge = ({ status }: { status: string }) => <State of={mission(status)} />
export const RunBadge = ({ status }: { status: string }) => <State of={run(status)} />
