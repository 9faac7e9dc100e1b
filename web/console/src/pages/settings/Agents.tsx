import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { AgentsQuery } from '../../__generated__/AgentsQuery.graphql'
import type { AgentsRevokeMutation } from '../../__generated__/AgentsRevokeMutation.graphql'
import { useAction } from '../../core/action'
import { plural } from '../../core/format'
import { useFresh } from '../../core/live'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Badge, Empty } from '../../ui/parts'
import { Time } from '../../ui/time'
import { scopeWords } from '../agents/scopes'

type Agent = NonNullable<AgentsQuery['response']['agents']>['edges'][number]['node']

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

// lives reports whether an agent may act, or may do so once it has connected.
const lives = (a: Agent) => a.working || a.pending

// state is why an agent doesn't act.
const state = (a: Agent) => (a.pending ? 'Not connected yet' : a.revokedAt ? 'Revoked' : 'Expired')

// Agents are the programs that act for people.
export default function Agents() {
  const [fetchKey, refresh] = useFresh(['AGENTS'])
  const [asking, setAsking] = useState<Agent | null>(null)
  const { agents } = useLazyLoadQuery<AgentsQuery>(
    graphql`
      query AgentsQuery {
        agents(first: 100) {
          edges {
            node {
              id
              name
              describedBy
              redirectHost
              scopes
              working
              pending
              leash {
                centsPerDay
                postsPerDay
                missionIds
              }
              today {
                calls
                posts
                cents
              }
              expiresAt
              revokedAt
              lastUsedAt
              createdAt
            }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [runRevoke, revoking] = useAction<AgentsRevokeMutation>(graphql`
    mutation AgentsRevokeMutation($id: ID!) {
      revokeAgent(id: $id) {
        agent {
          id
          working
          pending
          revokedAt
        }
      }
    }
  `)
  const list = (agents?.edges ?? []).map((e) => e.node).sort((a, b) => Number(lives(b)) - Number(lives(a)))
  const revoke = (a: Agent) =>
    runRevoke({
      variables: { id: a.id },
      done: () => {
        setAsking(null)
        toast(`${a.name} is revoked.`)
        refresh()
      },
    })
  return (
    <div className="stack wide">
      <p className="muted small">
        Programs that people let act for them. Each can do only what its person still may. A day ends at 00:00 UTC.
      </p>
      {list.length === 0 ? (
        <Empty icon="plug" title="No agents yet">
          Connect an assistant to <code>{`${location.origin}/mcp`}</code>: it then asks you here.
        </Empty>
      ) : (
        <ul className="card rows members" aria-label="Agents">
          {list.map((a) => (
            <li key={a.id} className="member">
              <div className="grow">
                <p className="row">
                  <span className="strong">{a.name}</span>
                  {!a.working && <Badge plain>{state(a)}</Badge>}
                </p>
                <Used of={a} />
                <p className="xsmall muted">
                  {a.describedBy ? `described by ${a.describedBy}` : `goes back to ${a.redirectHost}`}, allowed{' '}
                  <Time at={a.createdAt} date />,{' '}
                  {a.lastUsedAt ? (
                    <>
                      last changed something <Time at={a.lastUsedAt} exact />
                    </>
                  ) : (
                    'has changed nothing yet'
                  )}
                  {lives(a) && (
                    <>
                      , until <Time at={a.expiresAt} date />
                    </>
                  )}
                </p>
                <p className="xsmall muted">{a.scopes.map(scopeWords).join(' · ')}</p>
              </div>
              {lives(a) && (
                <Button look="danger" aria-label={`Revoke ${a.name}`} onClick={() => setAsking(a)}>
                  Revoke
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {asking && (
        <Dialog
          title={`Revoke ${asking.name}?`}
          onClose={() => setAsking(null)}
          footer={
            <>
              <Button onClick={() => setAsking(null)}>Keep it</Button>
              <Button look="danger primary" busy={revoking} onClick={() => revoke(asking)}>
                Revoke
              </Button>
            </>
          }
        >
          <p>Within a second it can do nothing more. What it did stays as it is.</p>
        </Dialog>
      )}
    </div>
  )
}

// Used is what an agent did today, against its leash.
function Used({ of: { today, leash } }: { of: Agent }) {
  const parts = [
    leash.postsPerDay == null ? plural(today.posts, 'post') : `${today.posts} of ${plural(leash.postsPerDay, 'post')}`,
    leash.centsPerDay == null ? dollars(today.cents) : `${dollars(today.cents)} of ${dollars(leash.centsPerDay)}`,
    plural(today.calls, 'change'),
  ]
  return (
    <p className="small">
      Today: {parts.join(', ')}. {leash.missionIds ? `Reaches ${plural(leash.missionIds.length, 'mission')}.` : 'Reaches all missions.'}
    </p>
  )
}
