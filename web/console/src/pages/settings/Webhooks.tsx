import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { WebhooksQuery } from '../../__generated__/WebhooksQuery.graphql'
import { wireName } from '../../core/words'
import { useFresh } from '../../core/live'
import { useMay } from '../../core/session'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icons'
import { Badge, Empty } from '../../ui/parts'
import { Endpoint } from './Endpoint'
import { Secret } from './Secret'

// Webhooks are the addresses to which events are sent.
export default function Webhooks() {
  const [fetchKey, refresh] = useFresh(['WEBHOOKS'])
  const [making, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const may = useMay('INTEGRATIONS_WRITE')
  const { webhooks } = useLazyLoadQuery<WebhooksQuery>(
    graphql`
      query WebhooksQuery {
        webhooks(first: 20) {
          edges {
            node {
              id
              url
              status
              enabled
              events
            }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const list = webhooks?.edges.map((e) => e.node) ?? []
  return (
    <div className="stack wide">
      <div className="row spread">
        <p className="muted small">Events are signed, sent immediately, and tried up to five times.</p>
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
        <ul className="card rows">
          {list.map((w) => (
            <li key={w.id}>
              <Link href={`/settings/webhooks/${w.id}`} className="hook">
                <span className="grow">
                  <span className="strong clip">{w.url}</span>
                  <span className="xsmall muted">{w.events.map(wireName).join(', ')}</span>
                </span>
                {!w.enabled ? (
                  <Badge>Off</Badge>
                ) : w.status === 'FAILING' ? (
                  <Badge tone="bad">Failing</Badge>
                ) : (
                  <Badge tone="ok">Active</Badge>
                )}
                <Icon name="right" />
              </Link>
            </li>
          ))}
        </ul>
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
