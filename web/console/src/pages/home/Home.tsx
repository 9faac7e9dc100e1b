import './home.css'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { HomeQuery, HomeQuery$data } from '../../__generated__/HomeQuery.graphql'
import { count } from '../../core/format'
import { useFresh, useRefresh } from '../../core/live'
import { useMay } from '../../core/session'
import { LinkButton } from '../../ui/button'
import { Due } from '../../ui/due'
import { HoldButton } from '../../ui/hold'
import { Card, PageHead } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { Attention } from './Attention'
import { FirstSteps } from './FirstSteps'
import { Running } from './Running'
import { PostLink } from '../../ui/post/PostLink'

// Home is what needs somebody now, how the missions stand, and what goes out next.
export default function Home() {
  const [fetchKey, refresh, at] = useFresh(['MISSIONS', 'INTEGRATIONS', 'WEBHOOKS'])
  useRefresh(['CONTENT_', 'MISSION_', 'PIPELINE_JOB', 'ANALYTICS_'], refresh)
  const data = useLazyLoadQuery<HomeQuery>(
    graphql`
      query HomeQuery($from: DateTime, $since: DateTime!) {
        ...Attention_query
        recent(since: $since) {
          published
          expired
          failed
          best {
            id
            text
          }
        }
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
              ...Home_post @relay(mask: false)
            }
          }
        }
        late: contents(filter: { status: SCHEDULED, scheduledTo: $from }, order: SCHEDULED, first: 6) {
          edges {
            node {
              ...Home_post @relay(mask: false)
            }
          }
        }
      }
    `,
    { from: new Date(at).toISOString(), since: new Date(at - 86_400_000).toISOString() },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const mayCreate = useMay('MISSIONS_WRITE')
  const running = data.running?.edges ?? []
  // What is late comes first: the posts of a paused mission aren't.
  const late = (data.late?.edges ?? []).filter(({ node }) => node.mission?.status !== 'PAUSED')
  const next = [...late, ...(data.next?.edges ?? [])].slice(0, 6)
  const ids = next.map((e) => e.node.id)
  if ((data.all?.totalCount ?? 1) === 0) return <FirstSteps />
  return (
    <div className="page home">
      <PageHead title="Home" about={data.recent && <Recent {...data.recent} />} actions={<HoldButton />} />
      <Attention query={data} />
      <div className="columns">
        <section className="stack" aria-labelledby="running">
          <div className="row spread">
            <h2 id="running">Active missions</h2>
            <Link href="/missions" className="link small">
              All missions
            </Link>
          </div>
          {running.map(({ node }) => (
            <Running key={node.id} mission={node} />
          ))}
          {running.length === 0 && (
            <div className="card body none">
              <p className="muted">No mission is active.</p>
              {mayCreate && (
                <LinkButton href="/missions/new" icon="plus">
                  New mission
                </LinkButton>
              )}
            </div>
          )}
        </section>
        <Card
          title="Next posts"
          rows
          aside={
            <Link href="/calendar" className="link small">
              Calendar
            </Link>
          }
        >
          {next.map(({ node: c }) => (
            <PostLink key={c.id} id={c.id} ids={ids} className="next">
              <PlatformMark platform={c.platform} />
              <span className="grow">
                <span className="words small" dir="auto">
                  {c.text}
                </span>
                <span className="xsmall muted clip">{c.mission?.name}</span>
              </span>
              <span className="xsmall muted when">
                {c.mission?.status === 'PAUSED'
                  ? 'paused'
                  : c.scheduledAt && <Due at={c.scheduledAt} platforms={[c.platform]} account={c.integrationId} />}
              </span>
            </PostLink>
          ))}
          {next.length === 0 && <p className="next small muted">Nothing is scheduled.</p>}
        </Card>
      </div>
    </div>
  )
}

// Recent is what has become of posts since yesterday.
function Recent({ published, expired, failed, best }: NonNullable<HomeQuery$data['recent']>) {
  const rest = [expired > 0 && `${count(expired)} expired`, failed > 0 && `${count(failed)} failed`].filter(Boolean)
  return (
    <span className="since">
      Since yesterday: {[`${count(published)} published`, ...rest].join(', ')}.
      {best && (
        <>
          {' '}
          Best:{' '}
          <PostLink className="link" id={best.id} dir="auto">
            {best.text.length > 60 ? `${[...best.text].slice(0, 60).join('')} …` : best.text}
          </PostLink>
        </>
      )}
    </span>
  )
}

// The posts that wait to go out.
export const post = graphql`
  fragment Home_post on Content {
    id
    platform
    integrationId
    text
    scheduledAt
    mission {
      id
      name
      status
    }
  }
`
