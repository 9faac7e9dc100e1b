import './home.css'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { HomeQuery } from '../../__generated__/HomeQuery.graphql'
import { useFresh, useRefresh } from '../../app/live'
import { useMay } from '../../app/session'
import { LinkButton } from '../../ui/button'
import { Card, PageHead } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { Time } from '../../ui/time'
import { Attention } from './Attention'
import { FirstSteps } from './FirstSteps'
import { Running } from './Running'

// Home is what needs somebody now, how the missions stand, and what goes out next.
export default function Home() {
  const [fetchKey, refresh, at] = useFresh(['MISSIONS', 'INTEGRATIONS', 'WEBHOOKS'])
  useRefresh(['CONTENT_', 'MISSION_', 'PIPELINE_JOB', 'ANALYTICS_'], refresh)
  const data = useLazyLoadQuery<HomeQuery>(
    graphql`
      query HomeQuery($from: DateTime) {
        ...Attention_query
        all: missions(first: 1) {
          totalCount
        }
        running: missions(filter: { status: ACTIVE }, first: 8) {
          edges {
            node {
              id
              ...Running_mission
            }
          }
        }
        next: contents(filter: { statuses: [SCHEDULED, PUBLISHING], scheduledFrom: $from }, order: SCHEDULED, first: 6) {
          edges {
            node {
              id
              platform
              text
              scheduledAt
              mission {
                id
                name
                status
                constraints {
                  timezone
                }
              }
            }
          }
        }
      }
    `,
    { from: new Date(at).toISOString() },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const mayCreate = useMay('MISSIONS_WRITE')
  const running = data.running?.edges ?? []
  const next = data.next?.edges ?? []
  if ((data.all?.totalCount ?? 1) === 0) return <FirstSteps />
  return (
    <div className="page home">
      <PageHead title="Home" />
      <Attention query={data} />
      <div className="columns">
        <section className="stack" aria-labelledby="running">
          <div className="row spread">
            <h2 id="running">Running missions</h2>
            <Link href="/missions" className="link small">All missions</Link>
          </div>
          {running.map(({ node }) => <Running key={node.id} mission={node} />)}
          {running.length === 0 && (
            <div className="card body none">
              <p className="muted">No mission is running.</p>
              {mayCreate && <LinkButton href="/missions/new" icon="plus">New mission</LinkButton>}
            </div>
          )}
        </section>
        <Card title="Next posts" rows aside={<Link href="/calendar" className="link small">Calendar</Link>}>
          {next.map(({ node: c }) => (
            <Link key={c.id} href={`/missions/${c.mission?.id}/posts`} className="next">
              <PlatformMark platform={c.platform} />
              <span className="grow">
                <span className="words small">{c.text}</span>
                <span className="xsmall muted clip">{c.mission?.name}</span>
              </span>
              <span className="xsmall muted nowrap">{c.mission?.status === 'PAUSED' ? 'paused' : c.scheduledAt && <Time at={c.scheduledAt} zone={c.mission?.constraints.timezone} ahead />}</span>
            </Link>
          ))}
          {next.length === 0 && <p className="next small muted">Nothing is scheduled.</p>}
        </Card>
      </div>
    </div>
  )
}
