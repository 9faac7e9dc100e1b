import './mission.css'
import { lazy, Suspense } from 'react'
import { graphql, useFragment, useLazyLoadQuery } from 'react-relay'
import { Link, useParams } from 'wouter'
import type { Mission_head$key } from '../../__generated__/Mission_head.graphql'
import type { MissionQuery } from '../../__generated__/MissionQuery.graphql'
import { useNow } from '../../core/clock'
import { count, dateTime, list, money, plural, readable, span } from '../../core/format'
import { useFresh, useRefresh } from '../../core/live'
import { useTitle } from '../../core/title'
import { cadenceName } from '../../core/words'
import { LinkButton } from '../../ui/button'
import { Due, overdue } from '../../ui/due'
import { Icon } from '../../ui/icons'
import { Empty, Meter, Note, PageHead, Skeleton } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { MissionBadge } from '../../ui/status'
import { Time, Zone } from '../../ui/time'
import { Actions } from './actions'
import { Overview } from './Overview'

const Posts = lazy(() => import('./Posts'))
const Cycles = lazy(() => import('./Cycles'))
const Reviewing = lazy(() => import('./Reviewing'))
const Plan = lazy(() => import('./Plan'))

const query = graphql`
  query MissionQuery($id: ID!) {
    mission(id: $id) {
      id
      ...Mission_head
      ...actions_mission
    }
  }
`

const tabs = [
  ['', 'Overview'],
  ['posts', 'Posts'],
  ['cycles', 'Cycles'],
  ['review', 'Review'],
  ['brief', 'Brief'],
] as const

// Mission is one mission: where it stands, what it made, and what it learned.
export default function Mission() {
  const { id = '', tab = '' } = useParams<{ id: string; tab?: string }>()
  const [fetchKey, refresh] = useFresh(['MISSIONS'])
  // A read that began before an event may end after it, with what was: it is read once more.
  useRefresh(['MISSION_', 'CONTENT_', 'PIPELINE_'], refresh, (e) => e.mission?.id === id)
  const { mission } = useLazyLoadQuery<MissionQuery>(query, { id }, { fetchPolicy: 'store-and-network', fetchKey })
  if (!mission) {
    return (
      <div className="page">
        <Empty icon="mission" page title="Mission not found" actions={<LinkButton href="/missions">All missions</LinkButton>}>
          It may have been deleted, or it belongs to another organization.
        </Empty>
      </div>
    )
  }
  return (
    <div className="page mission">
      <Head mission={mission} actions={<Actions mission={mission} />} />
      <nav className="tabs" aria-label="Mission">
        {tabs.map(([path, name]) => (
          <Link key={path} href={`/missions/${id}${path && `/${path}`}`} aria-current={path === tab ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <Suspense
        fallback={
          <div className="tabbed">
            <Skeleton lines={6} />
          </div>
        }
      >
        <div className="tabbed">
          {tab === 'posts' ? (
            <Posts id={id} />
          ) : tab === 'cycles' ? (
            <Cycles id={id} />
          ) : tab === 'review' ? (
            <Reviewing id={id} />
          ) : tab === 'brief' ? (
            <Plan id={id} />
          ) : (
            <Overview id={id} />
          )}
        </div>
      </Suspense>
    </div>
  )
}

function Head({ mission, actions }: { mission: Mission_head$key; actions: React.ReactNode }) {
  const m = useFragment(
    graphql`
      fragment Mission_head on Mission {
        id
        name
        status
        platforms
        startsAt
        endsAt
        pausedAt
        nextPublishAt
        durationDays
        estimatedPosts
        constraints {
          cadence
          postsPerDay
          timezone
          requireApproval
          budgetCents
        }
        spentCents
        reservedCents
        contentCounts {
          published
          pendingReview
          scheduled
        }
        notices {
          param
          message
        }
      }
    `,
    mission,
  )
  useTitle(m.name)
  const now = useNow()
  const zone = m.constraints.timezone
  const budget = m.constraints.budgetCents
  const started = m.startsAt !== null && m.startsAt !== undefined && m.status !== 'DRAFT'
  const at = m.pausedAt ? Date.parse(m.pausedAt) : now
  const gone = started ? Math.min(Math.max(at - Date.parse(m.startsAt!), 0), m.durationDays * 86_400_000) : 0
  const left = m.endsAt ? Date.parse(m.endsAt) - at : null
  return (
    <>
      <PageHead
        above={
          <Link href="/missions" className="crumb small muted">
            <Icon name="left" size={14} /> Missions
          </Link>
        }
        title={
          <span className="row wrap">
            {m.name} <MissionBadge status={m.status} />
          </span>
        }
        about={
          <>
            <span className="row">
              {m.platforms.map((p) => (
                <PlatformMark key={p} platform={p} />
              ))}
            </span>
            <span>
              {cadenceName(m.constraints.cadence)}, {plural(m.constraints.postsPerDay, 'post')} a day
            </span>
            {m.constraints.requireApproval && <span>· with approval</span>}
            <Zone zone={zone} />
          </>
        }
        actions={actions}
      />
      <dl className="facts">
        <div>
          <dt>{m.status === 'COMPLETED' ? 'Ended' : m.status === 'DRAFT' ? 'Starts' : 'Ends'}</dt>
          <dd>
            {m.status === 'DRAFT'
              ? m.startsAt
                ? dateTime(m.startsAt, zone)
                : 'when you start it'
              : m.endsAt
                ? dateTime(m.endsAt, zone)
                : '–'}
          </dd>
          <dd>
            <Meter
              label="Time"
              value={gone}
              max={m.durationDays * 86_400_000}
              text={`${Math.floor(gone / 86_400_000)} of ${m.durationDays} days`}
            />
          </dd>
          <dd className="xsmall muted">
            {m.status === 'ACTIVE' && left !== null && left > 0 ? (
              `${span(left)} left of ${plural(m.durationDays, 'day')}`
            ) : m.pausedAt ? (
              <>
                paused <Time at={m.pausedAt} zone={zone} />; the end is postponed by the length of the pause
              </>
            ) : (
              plural(m.durationDays, 'day')
            )}
          </dd>
        </div>
        <div>
          <dt>Published</dt>
          <dd className="num">
            {count(m.contentCounts.published)} <span className="muted">of about {count(m.estimatedPosts)}</span>
          </dd>
          <dd>
            <Meter
              label="Posts"
              value={m.contentCounts.published}
              second={m.contentCounts.scheduled}
              max={m.estimatedPosts}
              text={`${m.contentCounts.published} published, ${m.contentCounts.scheduled} scheduled`}
            />
          </dd>
          <dd className="xsmall muted">{count(m.contentCounts.scheduled)} more scheduled</dd>
        </div>
        <div>
          <dt>Next post</dt>
          <dd>{m.nextPublishAt ? <Due at={m.nextPublishAt} platforms={m.platforms} zone={zone} /> : '–'}</dd>
          <dd className="xsmall muted">
            {m.nextPublishAt
              ? !overdue(m.nextPublishAt, now) && dateTime(m.nextPublishAt, zone)
              : m.status === 'PAUSED'
                ? 'paused'
                : 'none is scheduled'}
          </dd>
        </div>
        <div>
          <dt>Waiting for review</dt>
          <dd className="num">
            {m.contentCounts.pendingReview > 0 ? (
              <Link className="link" href="/inbox">
                {count(m.contentCounts.pendingReview)}
              </Link>
            ) : (
              '0'
            )}
          </dd>
          <dd className="xsmall muted">{m.constraints.requireApproval ? 'posts need approval' : 'posts go out without approval'}</dd>
        </div>
        <div>
          <dt>Spent</dt>
          <dd className="num">
            {money(m.spentCents)} {budget != null && <span className="muted">of {money(budget)}</span>}
          </dd>
          {budget != null && (
            <dd>
              <Meter
                label="Budget"
                value={m.spentCents}
                second={m.reservedCents}
                max={budget}
                tone={m.spentCents + m.reservedCents >= budget ? 'bad' : ''}
                text={`${money(m.spentCents)} spent, ${money(m.reservedCents)} reserved of ${money(budget)}`}
              />
            </dd>
          )}
          <dd className="xsmall muted">
            {m.reservedCents > 0 ? `${money(m.reservedCents)} more reserved` : budget == null ? 'no limit' : 'nothing reserved'}
          </dd>
        </div>
      </dl>
      {m.notices.length > 0 && <Note tone="warn">{list(m.notices.map((n) => readable(n.message)))}</Note>}
    </>
  )
}
