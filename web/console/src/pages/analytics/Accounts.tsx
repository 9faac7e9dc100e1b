import { graphql, useFragment } from 'react-relay'
import type { Accounts_query$key } from '../../__generated__/Accounts_query.graphql'
import type { Platform } from '../../core/enums'
import { platformName } from '../../ui/platform'

// nameOf is what an account is called without a label.
export const nameOf = (a: { readonly name: string; readonly handle: string | null | undefined } | null | undefined) =>
  a?.name || a?.handle || 'unnamed account'

// Accounts chooses an account, or all of them: those that are connected, and those that
// were and have figures in the range. It isn't there where there are none to choose from.
export function Accounts({ query, value, onChange }: { query: Accounts_query$key; value: string | null; onChange: (id: string) => void }) {
  const { connected, measured } = useFragment(
    graphql`
      fragment Accounts_query on Query @argumentDefinitions(from: { type: "Date!" }, to: { type: "Date!" }) {
        connected: integrations(first: 50) {
          edges {
            node {
              id
              platform
              label
              account {
                name
                handle
              }
            }
          }
        }
        measured: analytics(from: $from, to: $to, groupBy: ACCOUNT) {
          accounts {
            platform
            integrationId
            account {
              name
              handle
            }
          }
        }
      }
    `,
    query,
  )
  const now = (connected?.edges ?? []).map((e) => e.node).filter((i) => i.account)
  const former = (measured?.accounts ?? []).flatMap((a) =>
    a.integrationId && !now.some((i) => i.id === a.integrationId) ? [{ id: a.integrationId, ...a }] : [],
  )
  if (now.length + former.length === 0 && !value) return null
  const option = (id: string, platform: Platform, name: string) => (
    <option key={id} value={id}>
      {platformName(platform)}: {name}
    </option>
  )
  return (
    <select className="input short" aria-label="Account" value={value ?? ''} onChange={(e) => onChange(e.target.value)}>
      <option value="">All accounts</option>
      {now.map((i) => option(i.id, i.platform, i.label ?? nameOf(i.account)))}
      {former.length > 0 && <optgroup label="Disconnected">{former.map((f) => option(f.id, f.platform, nameOf(f.account)))}</optgroup>}
      {value && ![...now, ...former].some((i) => i.id === value) && <option value={value}>An account without results here</option>}
    </select>
  )
}
