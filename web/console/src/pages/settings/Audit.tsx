import { fetchQuery, graphql, useLazyLoadQuery, usePaginationFragment, useRelayEnvironment } from 'react-relay'
import type { Audit_entries$key } from '../../__generated__/Audit_entries.graphql'
import type { Audit_target$data } from '../../__generated__/Audit_target.graphql'
import type { AuditEntriesQuery } from '../../__generated__/AuditEntriesQuery.graphql'
import type { AuditExportQuery } from '../../__generated__/AuditExportQuery.graphql'
import type { AuditAction, AuditQuery } from '../../__generated__/AuditQuery.graphql'
import { useFilters } from '../../core/filters'
import { full, ownZone } from '../../core/format'
import { useChanges, useRenew } from '../../core/live'
import { inWords, table } from '../../core/table'
import { addDays, instant } from '../../core/zone'
import { Behind } from '../../ui/behind'
import { Button } from '../../ui/button'
import { Input, Select } from '../../ui/field'
import { Export } from '../../ui/Export'
import { Empty } from '../../ui/parts'
import { Time, Zone } from '../../ui/time'

const actions = table<AuditAction, string>(
  {
    API_KEY_CREATED: 'API key created',
    API_KEY_ROTATED: 'API key rotated',
    API_KEY_REVOKED: 'API key revoked',
    MEMBER_JOINED: 'Member joined',
    MEMBER_ROLE_CHANGED: 'Role changed',
    MEMBER_REMOVED: 'Member removed',
    MEMBER_SESSIONS_ENDED: 'Sessions ended',
    WEBHOOK_CREATED: 'Webhook created',
    WEBHOOK_UPDATED: 'Webhook changed',
    WEBHOOK_DELETED: 'Webhook deleted',
    WEBHOOK_SECRET_ROTATED: 'Webhook secret rotated',
    INTEGRATION_CONNECTED: 'Account connected',
    INTEGRATION_UPDATED: 'Account changed',
    INTEGRATION_DISCONNECTED: 'Account disconnected',
    CONTENT_SETTLED: 'Unknown post settled',
    REVIEW_LINK_CREATED: 'Review link made',
    REVIEW_LINK_REVOKED: 'Review link revoked',
    REVIEW_LINK_DECIDED: 'Post decided with a review link',
    AGENT_ALLOWED: 'Agent allowed',
    AGENT_REVOKED: 'Agent revoked',
    AGENT_ACTED: 'Changed by an agent',
    MEDIA_UPLOADED: 'File uploaded',
    MEDIA_DELETED: 'File deleted',
    TENANT_UPDATED: 'Settings changed',
    TENANT_DELETION_REQUESTED: 'Deletion requested',
    TENANT_RESTORED: 'Deletion canceled',
    TENANT_HELD: 'Publishing put on hold',
    TENANT_RELEASED: 'Publishing released',
    TENANT_WRITER_SET: 'Own language model set',
    TENANT_WRITER_REMOVED: 'Own language model removed',
    TENANT_PLATFORM_SET: 'Own application set',
    TENANT_PLATFORM_REMOVED: 'Own application removed',
  },
  inWords,
)

// beginning returns the beginning of a day that was chosen, or of the next; null for none.
function beginning(day: string | null, next = false): string | null {
  if (!day || Number.isNaN(Date.parse(day)) || day < '1970') return null // a year that is being typed, perhaps
  return new Date(instant(next ? addDays(day, 1) : day, 0, 0, ownZone())).toISOString()
}

// Audit is who changed what in the settings, and when. What is selected is in the address.
export default function Audit() {
  const { params, shown, set } = useFilters('/settings/audit')
  const of = (params: URLSearchParams) => ({
    who: params.get('who') ?? '',
    key: params.get('key') ?? '',
    action: params.get('action') ?? '',
    from: params.get('from') ?? '',
    to: params.get('to') ?? '',
  })
  const chosen = of(shown)
  const asked = of(params)
  const choose = (name: keyof typeof chosen, value: string) => set({ [name]: value })
  const filter = {
    userId: asked.who || null,
    keyId: asked.key || null,
    action: actions.has(asked.action) ? asked.action : null,
    createdFrom: beginning(asked.from),
    createdTo: beginning(asked.to, true),
  }
  const data = useLazyLoadQuery<AuditQuery>(
    graphql`
      query AuditQuery($filter: AuditFilter) {
        ...Audit_entries @arguments(filter: $filter)
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
    { filter },
    { fetchPolicy: 'store-and-network' },
  )
  const members = (data.tenant?.members?.edges ?? []).map(({ node: m }) => [m.id, m.name ?? m.email ?? m.id] as const)
  const keys = (data.apiKeys?.edges ?? []).map(({ node: k }) => [k.id, k.name] as const)
  const options = (all: readonly (readonly [string, string])[], value: string) => (
    <>
      <option value="">All</option>
      {value && !all.some(([id]) => id === value) && <option value={value}>{value}</option>}
      {all.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  )
  return (
    <>
      <search className="filters">
        <Select label="By" value={chosen.who} onChange={(e) => choose('who', e.target.value)}>
          {options(members, chosen.who)}
        </Select>
        <Select label="With key" value={chosen.key} onChange={(e) => choose('key', e.target.value)}>
          {options(keys, chosen.key)}
        </Select>
        <Select label="Change" value={chosen.action} onChange={(e) => choose('action', e.target.value)}>
          {options(
            actions.keys.map((a) => [a, actions(a)]),
            chosen.action,
          )}
        </Select>
        <Input label="From" type="date" value={chosen.from} onChange={(e) => choose('from', e.target.value)} />
        <Input label="To" type="date" value={chosen.to} onChange={(e) => choose('to', e.target.value)} />
      </search>
      <Entries
        key={JSON.stringify(filter)}
        entries={data}
        filter={filter}
        names={new Map([...members, ...keys])}
        filtered={Object.values(filter).some(Boolean)}
        onAll={() => set({ who: null, key: null, action: null, from: null, to: null })}
      />
    </>
  )
}

// What a change was made to; the export has it too.
void graphql`
  fragment Audit_target on AuditEntry {
    target {
      ... on Webhook {
        url
      }
      ... on Integration {
        platform
        account {
          handle
        }
      }
    }
    details
    targetId
  }
`

const exported = graphql`
  query AuditExportQuery($filter: AuditFilter, $after: String) {
    auditLog(filter: $filter, first: 100, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          action
          targetId
          ...Audit_target @relay(mask: false)
          userId
          keyId
          agentId
          agent {
            name
          }
          details
          createdAt
        }
      }
    }
  }
`

const head = ['time', 'change', 'target_id', 'target', 'user_id', 'user', 'key_id', 'key', 'agent_id', 'agent', 'details']

function Entries({
  entries,
  filter,
  names,
  filtered,
  onAll,
}: {
  entries: Audit_entries$key
  filter: AuditExportQuery['variables']['filter']
  names: ReadonlyMap<string, string>
  filtered: boolean
  onAll: () => void
}) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<AuditEntriesQuery, Audit_entries$key>(
    graphql`
      fragment Audit_entries on Query
      @refetchable(queryName: "AuditEntriesQuery")
      @argumentDefinitions(filter: { type: "AuditFilter" }, count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
        auditLog(filter: $filter, first: $count, after: $cursor) @connection(key: "Audit_auditLog") {
          edges {
            node {
              id
              action
              targetId
              ...Audit_target @relay(mask: false)
              userId
              keyId
              agentId
              agent {
                name
              }
              details
              createdAt
            }
          }
        }
      }
    `,
    entries,
  )
  const environment = useRelayEnvironment()
  const list = data.auditLog?.edges.map((e) => e.node) ?? []
  const { renew, behind, begin } = useRenew(list.length, 50, refetch)
  useChanges(['API_KEYS', 'MEMBERS', 'TENANT', 'WEBHOOKS', 'INTEGRATIONS'], renew)
  if (list.length === 0 && filtered)
    return (
      <Empty icon="info" title="No matching changes" actions={<Button onClick={onAll}>Show all changes</Button>}>
        Change the filters above.
      </Empty>
    )
  if (list.length === 0)
    return (
      <Empty icon="info" title="No changes yet">
        Changes to keys, members, webhooks, connections and settings are listed here.
      </Empty>
    )
  const called = (a: Omit<Audit_target$data, ' $fragmentType'>) =>
    names.get(a.targetId) ?? a.target?.url ?? a.target?.account?.handle ?? detail(a.details)
  const read = async (after: string | null) => {
    const data = await fetchQuery<AuditExportQuery>(environment, exported, { filter, after }, { fetchPolicy: 'network-only' }).toPromise()
    const { edges, totalCount, pageInfo } = data!.auditLog!
    return {
      rows: edges.map(({ node: a }) => [
        a.createdAt,
        a.action.toLowerCase(),
        a.targetId,
        called(a),
        a.userId,
        a.userId && names.get(a.userId),
        a.keyId,
        a.keyId && names.get(a.keyId),
        a.agentId,
        a.agent?.name,
        JSON.stringify(a.details),
      ]),
      total: totalCount,
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
    }
  }
  const who = ({ userId, keyId, agentId, agent }: (typeof list)[number]) =>
    (userId ? (names.get(userId) ?? userId) : 'the operator') +
    (keyId ? `, with the key ${names.get(keyId) ?? keyId}` : '') +
    (agentId ? `, by the agent ${agent?.name ?? agentId}` : '')
  return (
    <>
      {behind && <Behind onBegin={begin} />}
      <div className="row wrap spread times">
        <span className="xsmall muted">
          <Zone />
        </span>
        <Export name="audit-log" head={head} read={read} one="change" />
      </div>
      <ol className="card rows audit">
        {list.map((a) => (
          <li key={a.id} className="entry">
            <span className="grow">
              <span className="strong">{actions(a.action)}</span> <span className="muted small">{called(a) ?? a.targetId}</span>
              <br />
              <span className="xsmall muted">{a.action === 'REVIEW_LINK_DECIDED' ? 'with the review link' : who(a)}</span>
            </span>
            <span className="xsmall muted nowrap" title={full(a.createdAt)}>
              <Time at={a.createdAt} exact />
            </span>
          </li>
        ))}
      </ol>
      {hasNext && (
        <p className="more">
          <Button busy={isLoadingNext} onClick={() => loadNext(50)}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}

const detail = (d: Record<string, unknown>) =>
  (['name', 'url', 'email', 'platform', 'role'] as const).map((k) => d[k]).find((v): v is string => typeof v === 'string')
