import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import type { Audit_entries$key } from '../../__generated__/Audit_entries.graphql'
import type { AuditEntriesQuery } from '../../__generated__/AuditEntriesQuery.graphql'
import type { AuditQuery } from '../../__generated__/AuditQuery.graphql'
import { full } from '../../app/format'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/parts'
import { Time } from '../../ui/time'

// Audit is who changed what in the settings, and when.
export default function Audit() {
  const data = useLazyLoadQuery<AuditQuery>(
    graphql`
      query AuditQuery {
        ...Audit_entries
        tenant {
          members(first: 100) {
            edges {
              node {
                id
                name
                email
              }
            }
          }
        }
        apiKeys(first: 100) {
          edges {
            node {
              id
              name
            }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network' },
  )
  const names = new Map<string, string>([
    ...(data.tenant?.members?.edges ?? []).map(({ node: m }) => [m.id, m.name ?? m.email ?? m.id] as const),
    ...(data.apiKeys?.edges ?? []).map(({ node: k }) => [k.id, k.name] as const),
  ])
  return <Entries entries={data} names={names} />
}

function Entries({ entries, names }: { entries: Audit_entries$key; names: ReadonlyMap<string, string> }) {
  const { data, loadNext, hasNext, isLoadingNext } = usePaginationFragment<AuditEntriesQuery, Audit_entries$key>(
    graphql`
      fragment Audit_entries on Query @refetchable(queryName: "AuditEntriesQuery") @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
        auditLog(first: $count, after: $cursor) @connection(key: "Audit_auditLog") {
          edges {
            node {
              id
              action
              targetId
              userId
              keyId
              details
              createdAt
            }
          }
        }
      }
    `,
    entries,
  )
  const list = data.auditLog?.edges.map((e) => e.node) ?? []
  if (list.length === 0) return <Empty icon="info" title="Nothing was changed yet">Changes of keys, members, webhooks, connections and settings are kept here.</Empty>
  const who = (userId?: string | null, keyId?: string | null) => (userId ? (names.get(userId) ?? userId) : 'the operator') + (keyId ? `, with the key ${names.get(keyId) ?? keyId}` : '')
  return (
    <>
      <ol className="card rows audit">
        {list.map((a) => (
          <li key={a.id} className="entry">
            <span className="grow">
              <span className="strong">{words(a.action)}</span> <span className="muted small">{names.get(a.targetId) ?? detail(a.details) ?? a.targetId}</span>
              <br />
              <span className="xsmall muted">{who(a.userId, a.keyId)}</span>
            </span>
            <span className="xsmall muted nowrap" title={full(a.createdAt)}><Time at={a.createdAt} exact /></span>
          </li>
        ))}
      </ol>
      {hasNext && <p className="more"><Button busy={isLoadingNext} onClick={() => loadNext(50)}>Show more</Button></p>}
    </>
  )
}

// words returns an action in words: "Api key created" as "API key created".
const words = (action: string) => (action.charAt(0) + action.slice(1).toLowerCase().replaceAll('_', ' ')).replace(/^Api/, 'API')

const detail = (d: Record<string, unknown>) => (['name', 'url', 'email', 'platform', 'role'] as const).map((k) => d[k]).find((v): v is string => typeof v === 'string')
