import { Suspense, useState } from 'react'
import { graphql, useFragment, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { Delivery_delivery$key, DeliveryStatus } from '../../__generated__/Delivery_delivery.graphql'
import type { DeliveryQuery } from '../../__generated__/DeliveryQuery.graphql'
import type { DeliveryRedeliverMutation } from '../../__generated__/DeliveryRedeliverMutation.graphql'
import { useAction } from '../../core/action'
import { count } from '../../core/format'
import { useFresh } from '../../core/live'
import { useMay } from '../../core/session'
import { table } from '../../core/table'
import { toast } from '../../core/toast'
import { eventName } from '../../core/words'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icons'
import { Skeleton, type Tone } from '../../ui/parts'
import { State, unknown } from '../../ui/status'
import { Time } from '../../ui/time'
import { outcome } from './HookState'

const states = table<DeliveryStatus, [string, Tone]>(
  { PENDING: ['Pending', 'warn'], DELIVERED: ['Delivered', 'ok'], FAILED: ['Failed', 'bad'], CANCELED: ['Canceled', ''] },
  unknown,
)

// Delivery is an event on its way to an endpoint, as a row of a table. What was sent and received is
// loaded when it is opened.
export function Delivery({ delivery, onSent }: { delivery: Delivery_delivery$key; onSent: () => void }) {
  const d = useFragment(
    graphql`
      fragment Delivery_delivery on Delivery {
        id
        eventType
        status
        attemptCount
        nextAttemptAt
        createdAt
        attempts {
          statusCode
          durationMs
        }
        event {
          id
          content {
            id
            text
          }
        }
      }
    `,
    delivery,
  )
  const [open, setOpen] = useState(false)
  const last = d.attempts?.at(-1)
  const post = d.event?.content
  return (
    <>
      <tr>
        <td>
          <button type="button" className="disclose" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? 'down' : 'right'} size={14} />
            {eventName(d.eventType)}
          </button>
        </td>
        <td className="text" data-label={post ? 'Post' : undefined}>
          {post && (
            <Link href={`/posts/${post.id}`} className="link clip" dir="auto">
              {post.text}
            </Link>
          )}
        </td>
        <td className="nowrap" data-label="State">
          <State of={states(d.status)} />
          {d.nextAttemptAt && (
            <div className="xsmall muted">
              next <Time at={d.nextAttemptAt} ahead />
            </div>
          )}
        </td>
        <td className="right" data-label="Status">
          {last ? (last.statusCode ?? 'None') : '–'}
        </td>
        <td className="right nowrap" data-label="Time">
          {last ? `${count(last.durationMs)} ms` : '–'}
        </td>
        <td className="right" data-label="Attempts">
          {d.attemptCount}
        </td>
        <td className="muted nowrap" data-label="When">
          <Time at={d.createdAt} />
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={7} className="opened">
            <Suspense fallback={<Skeleton />}>
              <Attempts id={d.id} onSent={onSent} />
            </Suspense>
          </td>
        </tr>
      )}
    </>
  )
}

function Attempts({ id, onSent }: { id: string; onSent: () => void }) {
  const [fetchKey] = useFresh(['DELIVERIES'])
  const may = useMay('INTEGRATIONS_WRITE')
  const { delivery } = useLazyLoadQuery<DeliveryQuery>(
    graphql`
      query DeliveryQuery($id: ID!, $signed: Boolean = false) {
        delivery(id: $id) {
          id
          request @include(if: $signed) {
            headers {
              name
              value
            }
            body
          }
          event {
            id
            data
          }
          attempts {
            at
            statusCode
            durationMs
            error
            response
          }
        }
      }
    `,
    { id, signed: may },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [run, busy] = useAction<DeliveryRedeliverMutation>(graphql`
    mutation DeliveryRedeliverMutation($id: ID!) {
      redeliver(id: $id) {
        delivery {
          id
          ...Delivery_delivery
        }
      }
    }
  `)
  const request = delivery?.request
  return (
    <div className="attempts small">
      {delivery?.attempts?.map((a, i) => (
        <div key={i}>
          <p>
            {i + 1}. <Time at={a.at} exact />: {a.error ?? outcome(a)}
          </p>
          {a.response && (
            <pre tabIndex={0} role="region" aria-label={`Response ${i + 1}`}>
              {a.response}
            </pre>
          )}
        </div>
      ))}
      {request && (
        <>
          <p className="muted">An attempt now would send this. The signatures are valid: try your code with them.</p>
          <pre tabIndex={0} role="region" aria-label="Headers">
            {request.headers.map((h) => `${h.name}: ${h.value}`).join('\n')}
          </pre>
        </>
      )}
      {(request || delivery?.event) && (
        <pre tabIndex={0} role="region" aria-label="Payload">
          {request?.body ?? JSON.stringify(delivery!.event!.data, null, 2)}
        </pre>
      )}
      {may && (
        <div>
          <Button icon="redo" busy={busy} onClick={() => run({ variables: { id }, done: () => (toast('Sent again.'), onSent()) })}>
            Send again
          </Button>
        </div>
      )}
    </div>
  )
}
