import type { ReactNode } from 'react'
import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Attention_query$key } from '../../__generated__/Attention_query.graphql'
import { useNow } from '../../app/clock'
import { plural } from '../../app/format'
import { Icon, type IconName } from '../../ui/icons'
import { platformName } from '../../ui/platform'
import { Time } from '../../ui/time'

type Item = { key: string; icon: IconName; tone: 'bad' | 'warn'; href: string; title: ReactNode; about?: ReactNode; action: string }

// Attention is what waits for a person, the most pressing first.
export function Attention({ query }: { query: Attention_query$key }) {
  const data = useFragment(
    graphql`
      fragment Attention_query on Query @argumentDefinitions(since: { type: "DateTime!" }) {
        waiting: contents(filter: { status: PENDING_REVIEW }, first: 20) {
          totalCount
          edges {
            node {
              id
              expiresAt
            }
          }
        }
        failed: contents(filter: { status: FAILED, scheduledFrom: $since }, order: SCHEDULED, first: 5) {
          edges {
            node {
              id
              platform
              error {
                message
              }
              mission {
                id
                name
              }
            }
          }
        }
        troubled: missions(filter: { status: ACTIVE }, first: 30) {
          edges {
            node {
              id
              name
              job {
                id
                status
                cycle
                error {
                  message
                }
              }
            }
          }
        }
        integrations(first: 50) {
          edges {
            node {
              id
              platform
              status
              label
              account {
                handle
              }
              lastError {
                message
              }
            }
          }
        }
        notifications(unread: true, first: 5) {
          edges {
            node {
              id
              kind
              message
            }
          }
        }
      }
    `,
    query,
  )
  const now = useNow()
  const waiting = data.waiting?.edges.map((e) => e.node) ?? []
  const first = waiting.map((c) => c.expiresAt).filter((t) => t != null).sort()[0]
  const pressing = first !== undefined && Date.parse(first) - now < 3_600_000
  const items: Item[] = [
    ...(data.integrations?.edges ?? [])
      .map((e) => e.node)
      .filter((i) => i.status === 'NEEDS_RECONNECT')
      .map((i): Item => ({ key: i.id, icon: 'plug', tone: 'bad', href: '/connections', title: `${platformName(i.platform)} must be connected again`, about: i.lastError?.message ?? `Posts of ${i.label ?? i.account?.handle ?? 'this account'} wait.`, action: 'Reconnect' })),
    ...(data.troubled?.edges ?? [])
      .map((e) => e.node)
      .filter((m) => m.job?.status === 'FAILED')
      .map((m): Item => ({ key: m.id, icon: 'warn', tone: 'bad', href: `/missions/${m.id}`, title: `${m.name}: cycle ${m.job!.cycle} failed`, about: m.job!.error?.message, action: 'Look' })),
    ...(waiting.length > 0
      ? [{ key: 'waiting', icon: 'inbox', tone: pressing ? 'bad' : 'warn', href: '/inbox', title: `${plural(data.waiting?.totalCount ?? waiting.length, 'post')} to review`, about: first && <>the first expires <Time at={first} /></>, action: 'Review' } satisfies Item]
      : []),
    ...(data.failed?.edges ?? []).map(({ node: c }): Item => ({ key: c.id, icon: 'x', tone: 'bad', href: `/missions/${c.mission?.id}/posts`, title: `A post on ${platformName(c.platform)} failed`, about: c.error?.message, action: 'Look' })),
    ...(data.notifications?.edges ?? [])
      .map((e) => e.node)
      .filter((n) => n.kind === 'WEBHOOK_FAILING' || n.kind === 'WEBHOOK_DISABLED' || n.kind === 'TENANT_DELETION')
      .map((n): Item => ({ key: n.id, icon: 'webhook', tone: 'warn', href: '/settings/webhooks', title: n.message, action: 'Look' })),
  ]
  return (
    <section className="attention" aria-label="Needs attention">
      {items.length === 0 ? (
        <p className="calm small"><Icon name="check" /> Nothing needs you now.</p>
      ) : (
        <ul className="card rows">
          {items.slice(0, 8).map((i) => (
            <li key={i.key}>
              <Link href={i.href} className="need">
                <span className={`glyph ${i.tone}`}><Icon name={i.icon} /></span>
                <span className="grow">
                  <span className="strong">{i.title}</span>
                  {i.about && <span className="small muted about">{i.about}</span>}
                </span>
                <span className="btn">{i.action}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
