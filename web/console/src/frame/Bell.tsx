import { useEffect } from 'react'
import { fetchQuery, graphql, requestSubscription, useLazyLoadQuery } from 'react-relay'
import { useLocation } from 'wouter'
import type { BellAllMutation } from '../__generated__/BellAllMutation.graphql'
import type { BellMutation } from '../__generated__/BellMutation.graphql'
import type { BellQuery } from '../__generated__/BellQuery.graphql'
import type { BellSubscription } from '../__generated__/BellSubscription.graphql'
import { useAction } from '../core/action'
import { readable } from '../core/format'
import { soon } from '../core/pace'
import { environment } from '../core/relay'
import { table } from '../core/table'
import { Icon } from '../ui/icons'
import { Menu, type MenuItem } from '../ui/menu'
import { Time } from '../ui/time'

const query = graphql`
  query BellQuery {
    latest: notifications(first: 8) {
      edges {
        node {
          id
          kind
          message
          createdAt
          readAt
          subject {
            __typename
            id
          }
        }
      }
    }
    unread: notifications(unread: true, first: 1) {
      totalCount
    }
  }
`

const subscription = graphql`
  subscription BellSubscription($after: ID) {
    notifications(after: $after) {
      id
    }
  }
`

const refresh = () => void fetchQuery<BellQuery>(environment, query, {}, { fetchPolicy: 'network-only' }).subscribe({ error: () => {} })

const places = table<string, (id: string) => string | null>(
  {
    Webhook: (id) => `/settings/webhooks/${id}`,
    Integration: () => '/connections',
    Mission: (id) => `/missions/${id}`,
    Tenant: () => '/settings/tenant',
  },
  () => () => null,
)

// Bell has the latest notifications to the admins, as they are added.
export default function Bell() {
  const { latest, unread } = useLazyLoadQuery<BellQuery>(query, {}, { fetchPolicy: 'store-and-network' })
  const [, go] = useLocation()
  const [runOne] = useAction<BellMutation>(graphql`
    mutation BellMutation($id: ID!) {
      markNotificationsRead(ids: [$id]) {
        notifications {
          id
          readAt
        }
      }
    }
  `)
  const [runAll] = useAction<BellAllMutation>(graphql`
    mutation BellAllMutation($upTo: ID) {
      markAllNotificationsRead(upTo: $upTo) {
        marked
      }
    }
  `)
  const notes = latest?.edges.map((e) => e.node) ?? []
  const count = unread?.totalCount ?? 0
  useEffect(() => {
    let stop = () => {}
    let timer: ReturnType<typeof setTimeout>
    const follow = (after?: string) => {
      stop = requestSubscription<BellSubscription>(environment, {
        subscription,
        variables: { after },
        onNext: () => soon(refresh),
        // The last one that was seen may be gone: everything is read again.
        onError: () => (timer = setTimeout(() => (follow(), refresh()), 5000)),
      }).dispose
    }
    follow(notes[0]?.id)
    return () => (clearTimeout(timer), stop())
  }, [])
  const items: MenuItem[] = notes.map(({ id, kind, message, createdAt, readAt, subject }) => ({
    label: readable(message),
    about: <Time at={createdAt} />,
    fresh: !readAt,
    onSelect: () => {
      if (!readAt) runOne({ variables: { id }, done: refresh })
      const place = kind === 'WRITER_REJECTED' ? '/settings/own' : subject && places(subject.__typename)(subject.id)
      if (place) go(place)
    },
  }))
  if (items.length === 0)
    items.push({
      label: 'Nothing yet',
      about: 'Problems that need an administrator appear here: accounts, webhooks, budgets.',
      disabled: 'There are no notifications',
      onSelect: () => {},
    })
  if (count > 0)
    items.unshift(
      { label: 'Mark all as read', icon: 'check', onSelect: () => runAll({ variables: { upTo: notes[0]?.id }, done: refresh }) },
      'line',
    )
  return (
    <Menu label="Notifications" about={<span className="title">Notifications</span>} className="btn quiet icon bell" items={items} sheet>
      <Icon name="bell" />
      <span className="hidden">Notifications{count > 0 && `, ${count} unread`}</span>
      {count > 0 && (
        <span className="count num" aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Menu>
  )
}
