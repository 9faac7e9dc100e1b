import { Suspense, useState } from 'react'
import { graphql, useFragment, useLazyLoadQuery } from 'react-relay'
import type { Delivery_delivery$key, DeliveryStatus } from '../../__generated__/Delivery_delivery.graphql'
import type { DeliveryQuery } from '../../__generated__/DeliveryQuery.graphql'
import type { DeliveryRedeliverMutation } from '../../__generated__/DeliveryRedeliverMutation.graphql'
import { useAction } from '../../core/action'
import { useFresh } from '../../core/live'
import { useMay } from '../../core/session'
import { table } from '../../core/table'
import { toast } from '../../core/toast'
import { eventName } from '../../core/words'
import { Button } from '../../ui/button'
import { Skeleton, type Tone } from '../../ui/parts'
import { State, unknown } from '../../ui/status'
import { Time } from '../../ui/time'

const states = table<DeliveryStatus, [string, Tone]>(
  { PENDING: ['Pending', 'warn'], DELIVERED: ['Delivered', 'ok'], FAILED: ['Failed', 'bad'], CANCELED: ['Canceled', ''] },
  unknown,
)

// Delivery is an event on its way to an endpoint. Its attempts are loaded when it is
// opened.
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
      }
    `,
    delivery,
  )
  const [open, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(e) => setOpen(e.currentTarget.open)}>
        <summary className="hook">
          <span className="grow">
            <span className="strong">{eventName(d.eventType)}</span>
            <br />
            <span className="xsmall muted">
              <Time at={d.createdAt} />
              {d.attemptCount > 1 ? `, ${d.attemptCount} attempts` : ''}
              {d.nextAttemptAt && (
                <>
                  , next <Time at={d.nextAttemptAt} ahead />
                </>
              )}
            </span>
          </span>
          <State of={states(d.status)} />
        </summary>
        {open && (
          <Suspense fallback={<Skeleton />}>
            <Attempts id={d.id} onSent={onSent} />
          </Suspense>
        )}
      </details>
    </li>
  )
}

function Attempts({ id, onSent }: { id: string; onSent: () => void }) {
  const [fetchKey] = useFresh(['DELIVERIES'])
  const { delivery } = useLazyLoadQuery<DeliveryQuery>(
    graphql`
      query DeliveryQuery($id: ID!) {
        delivery(id: $id) {
          id
          eventId
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
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const may = useMay('INTEGRATIONS_WRITE')
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
  return (
    <div className="attempts small">
      {delivery?.attempts?.map((a, i) => (
        <div key={i}>
          <p>
            {i + 1}. <Time at={a.at} exact />: {a.statusCode ? `responded with ${a.statusCode}` : (a.error ?? 'no response')}{' '}
            <span className="muted">in {a.durationMs} ms</span>
          </p>
          {a.response && <pre tabIndex={0}>{a.response}</pre>}
        </div>
      ))}
      {delivery?.event && (
        <pre tabIndex={0} aria-label="Payload">
          {JSON.stringify(delivery.event.data, null, 2)}
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
