import type { ReactNode } from 'react'
import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Attention_query$data, Attention_query$key } from '../../__generated__/Attention_query.graphql'
import { useNow } from '../../core/clock'
import { plural, sentence } from '../../core/format'
import { inWords } from '../../core/table'
import { Icon, type IconName } from '../../ui/icons'
import { platformName } from '../../ui/platform'
import { Time } from '../../ui/time'

type Item = { key: string; icon: IconName; tone: 'bad' | 'warn'; href: string; title: ReactNode; about?: ReactNode; action: string }
type Group = NonNullable<Attention_query$data['attention']>[number]

// Attention is what waits for a person, the most pressing first.
export function Attention({ query }: { query: Attention_query$key }) {
  const data = useFragment(
    graphql`
      fragment Attention_query on Query {
        attention {
          kind
          count
          capped
          items {
            deadline
            since
            count
            of
            usedPercent
            webhook {
              id
              url
            }
            content {
              id
              platform
              error {
                message
              }
            }
            mission {
              id
              name
            }
            job {
              id
              cycle
              error {
                message
              }
            }
            integration {
              id
              platform
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
      }
    `,
    query,
  )
  const now = useNow()
  const items = (data.attention ?? []).flatMap((group) => needs(group, now))
  return (
    <section className="attention" aria-label="Needs attention">
      {items.length === 0 ? (
        <p className="calm small">
          <Icon name="check" /> Nothing needs your attention.
        </p>
      ) : (
        <ul className="card rows">
          {items.slice(0, 8).map((i) => (
            <li key={i.key}>
              <Link href={i.href} className="need">
                <span className={`glyph ${i.tone}`}>
                  <Icon name={i.icon} />
                </span>
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

// needs returns the rows of a group: one for all posts to review, else one for each item.
function needs({ kind, count, capped, items }: Group, now: number): Item[] {
  if (kind === 'REVIEW') {
    const first = items[0]?.deadline
    const pressing = first != null && Date.parse(first) - now < 3_600_000
    return [
      {
        key: kind,
        icon: 'inbox',
        tone: pressing ? 'bad' : 'warn',
        href: '/inbox',
        title: `${capped ? `More than ${count} posts` : plural(count, 'post')} to review`,
        about: first && (
          <>
            the first expires <Time at={first} ahead />
          </>
        ),
        action: 'Review',
      },
    ]
  }
  return items.flatMap(
    ({ deadline, since, count: n, of: all, usedPercent, content, mission, job, webhook, integration: account }): Item[] => {
      if (kind === 'TENANT_DELETION')
        return [
          {
            key: kind,
            icon: 'warn',
            tone: 'bad',
            href: '/settings/tenant',
            title: 'This organization will be deleted',
            about: deadline && <Time at={deadline} ahead />,
            action: 'Open',
          },
        ]
      if (kind === 'WEBHOOK' && webhook)
        return [
          {
            key: webhook.id,
            icon: 'webhook',
            tone: 'bad',
            href: `/settings/webhooks/${webhook.id}`,
            title: `A webhook ${n == null ? 'was disabled' : 'is failing'}: ${webhook.url}`,
            about: (
              <>
                {n != null && all != null && `${n} of its ${all} latest deliveries failed`}
                {since && (
                  <>
                    {n != null && ', '}since <Time at={since} />
                  </>
                )}
              </>
            ),
            action: 'Open',
          },
        ]
      if (kind === 'OVERDUE' && mission && content)
        return [
          {
            key: kind + mission.id,
            icon: 'clock',
            tone: 'bad',
            href: `/posts/${content.id}`,
            title: `${mission.name}: ${plural(n ?? 1, 'post')} overdue`,
            about: since && (
              <>
                since <Time at={since} />
              </>
            ),
            action: 'See why',
          },
        ]
      if (kind === 'UNKNOWN' && content)
        return [
          {
            key: content.id,
            icon: 'info',
            tone: 'bad',
            href: `/posts/${content.id}`,
            title: `Was a post on ${platformName(content.platform)} published?`,
            about: 'Its platform never said, and can’t be asked.',
            action: 'Answer',
          },
        ]
      if (kind === 'EXPIRED' && mission)
        return [
          {
            key: kind + mission.id,
            icon: 'clock',
            tone: 'warn',
            href: `/missions/${mission.id}/posts`,
            title: `${mission.name}: ${plural(n ?? 1, 'post')} expired unreviewed`,
            about: 'They can be given new slots.',
            action: 'Open',
          },
        ]
      const of = account && (account.label ?? account.account?.handle ?? platformName(account.platform))
      if (kind === 'RECONNECT' && account)
        return [
          {
            key: kind + account.id,
            icon: 'plug',
            tone: 'bad',
            href: '/connections',
            title: `${platformName(account.platform)} must be connected again`,
            about: (account.lastError && sentence(account.lastError.message)) ?? `Posts for ${of} are waiting.`,
            action: 'Reconnect',
          },
        ]
      if (kind === 'RENEW' && account)
        return [
          {
            key: kind + account.id,
            icon: 'plug',
            tone: 'warn',
            href: '/connections',
            title: `${platformName(account.platform)} must be connected again soon`,
            about: deadline && (
              <>
                The access to {of} expires <Time at={deadline} ahead />
              </>
            ),
            action: 'Reconnect',
          },
        ]
      if (kind === 'JOB_FAILED' && mission && job)
        return [
          {
            key: job.id,
            icon: 'warn',
            tone: 'bad',
            href: `/missions/${mission.id}`,
            title: `${mission.name}: cycle ${job.cycle} failed`,
            about: job.error && sentence(job.error.message),
            action: 'Open',
          },
        ]
      if (kind === 'CONTENT_FAILED' && content)
        return [
          {
            key: content.id,
            icon: 'x',
            tone: 'bad',
            href: `/posts/${content.id}`,
            title: `A post on ${platformName(content.platform)} failed`,
            about: content.error && sentence(content.error.message),
            action: 'Open',
          },
        ]
      if (kind === 'BUDGET' && mission)
        return [
          {
            key: kind + mission.id,
            icon: 'warn',
            tone: (usedPercent ?? 0) >= 100 ? 'bad' : 'warn',
            href: `/missions/${mission.id}`,
            title: `${mission.name}: ${usedPercent} % of the budget is used`,
            about: 'Once it is used up, no more posts are written.',
            action: 'Open',
          },
        ]
      const href = mission ? `/missions/${mission.id}` : account ? '/connections' : '/activity'
      return [
        {
          key: kind + (content ?? job ?? mission ?? account)?.id,
          icon: 'info',
          tone: 'warn',
          href,
          title: [mission?.name, inWords(kind)].filter(Boolean).join(': '),
          action: 'Open',
        },
      ]
    },
  )
}
