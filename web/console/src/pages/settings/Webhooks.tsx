import { startTransition, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { WebhooksQuery } from '../../__generated__/WebhooksQuery.graphql'
import { count } from '../../core/format'
import { useFresh } from '../../core/live'
import { useMay } from '../../core/session'
import { wireName } from '../../core/words'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/parts'
import { Time } from '../../ui/time'
import { Endpoint } from './Endpoint'
import { HookState, lacking, outcome } from './HookState'
import { Secret } from './Secret'

// rate says how many deliveries were accepted, and which part of those that were tried that is.
// A part is 100 % only if it is all.
function rate(a: { readonly deliveries: number; readonly accepted: number; readonly failed: number } | null | undefined) {
  const tried = a ? a.accepted + a.failed : 0
  return a && tried > 0 ? `${count(a.accepted)} (${Math.floor((100 * a.accepted) / tried)} %)` : '–'
}

// Webhooks are the addresses to which events are sent.
export default function Webhooks() {
  const [fetchKey, refresh] = useFresh(['WEBHOOKS', 'DELIVERIES'])
  const [hours, setHours] = useState(24)
  const [making, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const may = useMay('INTEGRATIONS_WRITE')
  const { webhooks } = useLazyLoadQuery<WebhooksQuery>(
    graphql`
      query WebhooksQuery($hours: Int!) {
        webhooks(first: 20) {
          edges {
            node {
              id
              url
              status
              enabled
              events
              undelivered {
                events
                from
                since
              }
              activity(hours: $hours) {
                deliveries
                accepted
                failed
              }
              lastAttempt {
                at
                statusCode
                durationMs
              }
            }
          }
        }
      }
    `,
    { hours },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const list = webhooks?.edges.map((e) => e.node) ?? []
  return (
    <div className="stack wide">
      <div className="row wrap">
        <p className="muted small grow">Events are signed, sent immediately, and tried up to five times.</p>
        <select
          className="input short"
          aria-label="Accepted and failed"
          value={hours}
          onChange={(e) => startTransition(() => setHours(Number(e.target.value)))}
        >
          <option value={24}>Last 24 hours</option>
          <option value={168}>Last 7 days</option>
        </select>
        {may && (
          <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
            New endpoint
          </Button>
        )}
      </div>
      {list.length === 0 ? (
        <Empty icon="webhook" title="No endpoints yet">
          Notify your own systems when a post is published, rejected or fails.
        </Empty>
      ) : (
        <div className="card scrolls" tabIndex={0} role="region" aria-label="Endpoints">
          <table className="table stacked hooks">
            <thead>
              <tr>
                <th scope="col">Endpoint</th>
                <th scope="col">State</th>
                <th scope="col" className="right">
                  Accepted
                </th>
                <th scope="col" className="right">
                  Failed
                </th>
                <th scope="col">Last attempt</th>
              </tr>
            </thead>
            <tbody>
              {list.map((w) => (
                <tr key={w.id}>
                  <td className="text">
                    <Link href={`/settings/webhooks/${w.id}`} className="link strong anywhere">
                      {w.url}
                    </Link>
                    <div className="xsmall muted anywhere">{w.events.map(wireName).join(', ')}</div>
                  </td>
                  <td data-label="State">
                    <HookState of={w} />
                    {w.undelivered && <div className="xsmall muted">{lacking(w.status, w.undelivered)}</div>}
                  </td>
                  <td className="right nowrap" data-label="Accepted">
                    {rate(w.activity)}
                  </td>
                  <td className="right" data-label="Failed">
                    {count(w.activity?.failed ?? 0)}
                  </td>
                  <td className="small nowrap" data-label="Last attempt">
                    {w.lastAttempt ? (
                      <>
                        <Time at={w.lastAttempt.at} />
                        <div className="xsmall muted num">{outcome(w.lastAttempt)}</div>
                      </>
                    ) : (
                      <span className="muted">never</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {making && (
        <Endpoint
          onClose={() => setMaking(false)}
          onMade={(s) => {
            setMaking(false)
            setSecret(s)
            refresh()
          }}
        />
      )}
      {secret && (
        <Secret
          title="The endpoint’s secret"
          secret={secret}
          about="Your receiver uses it to verify signatures."
          onClose={() => setSecret(null)}
        />
      )}
    </div>
  )
}
