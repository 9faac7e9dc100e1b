import './connections.css'
import { useEffect, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { useLocation, useSearch } from 'wouter'
import type { ConnectionsQuery } from '../../__generated__/ConnectionsQuery.graphql'
import type { Platform } from '../../core/enums'
import { list } from '../../core/format'
import { useFresh, useRefresh } from '../../core/live'
import { useMay } from '../../core/session'
import { table } from '../../core/table'
import { toast } from '../../core/toast'
import { metricName } from '../../core/words'
import { Button } from '../../ui/button'
import { Empty, PageHead } from '../../ui/parts'
import { PlatformMark, platformName } from '../../ui/platform'
import { Account } from './Account'
import { Connect } from './Connect'

// refusals say why a consent connected nothing, by the error's code: the address may come
// from anywhere, so that nothing else of it is shown.
const refusals = table(
  {
    invalid_request: 'The platform granted no access. Connect the account again to repeat the consent.',
    forbidden: 'The account wasn’t connected: you may no longer connect accounts.',
    conflict: 'The account wasn’t connected: it was changed meanwhile, or it is another one than before.',
    service_unavailable: 'The account wasn’t connected: the platform doesn’t respond. Try again later.',
  },
  () => 'The account wasn’t connected.',
)

// Connections are the accounts that posts are published through, by platform.
export default function Connections() {
  const [fetchKey, refresh] = useFresh(['INTEGRATIONS'])
  useRefresh(['MISSION_', 'CONTENT_APPROVED', 'CONTENT_SCHEDULED', 'CONTENT_PUBLISHED', 'CONTENT_CANCELED'], refresh)
  const [connecting, setConnecting] = useState<{ platform: Platform; server?: string | null } | null>(null)
  const mayRead = useMay('INTEGRATIONS_READ')
  const may = useMay('INTEGRATIONS_WRITE')
  const params = new URLSearchParams(useSearch())
  const [, go] = useLocation()
  const data = useLazyLoadQuery<ConnectionsQuery>(
    graphql`
      query ConnectionsQuery {
        platforms {
          platform
          connectBy
          connectFields {
            name
            auth
            required
            label
            hint
          }
          metrics
          accountFigures
          threads
        }
        integrations(first: 100) {
          edges {
            node {
              id
              platform
              status
              ...Account_integration
            }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  // A platform leads back here after its owner's consent, with what came of it.
  const back = params.get('status') ?? params.get('error')
  useEffect(() => {
    if (!back) return
    if (params.get('status') === 'connected') toast('Connected. Posts go out through this account now.')
    else toast(refusals(back), { tone: 'bad' })
    go('/connections', { replace: true })
  }, [back])
  if (!mayRead)
    return (
      <div className="page">
        <h1 className="hidden">Connections</h1>
        <Empty icon="plug" title="Connections are for administrators">
          Ask an administrator to connect an account.
        </Empty>
      </div>
    )
  const all = data.integrations?.edges.map((e) => e.node) ?? []
  const platforms = data.platforms ?? []
  return (
    <div className="page connections">
      <PageHead title="Connections" about="The accounts that posts are published through. Credentials are kept encrypted." />
      <div className="stack wide">
        {platforms
          .filter((p) => p.connectBy.length > 0)
          .map((p) => {
            const accounts = all.filter((i) => i.platform === p.platform)
            return (
              <section key={p.platform} className="card" aria-labelledby={p.platform}>
                <header>
                  <div className="row grow">
                    <PlatformMark platform={p.platform} big quiet />
                    <div className="grow">
                      <h2 id={p.platform}>{platformName(p.platform)}</h2>
                      <p className="xsmall muted">
                        {p.threads ? 'Posts and threads. ' : ''}Reports{' '}
                        {list(p.metrics.map((m) => metricName(m).toLowerCase())) || 'no figures'}.
                      </p>
                    </div>
                  </div>
                  {may && (
                    <Button icon="plus" onClick={() => setConnecting({ platform: p.platform })}>
                      {accounts.length > 0 ? 'Another account' : 'Connect'}
                    </Button>
                  )}
                </header>
                {accounts.length > 0 && (
                  <ul className="rows">
                    {accounts.map((a) => (
                      <Account
                        key={a.id}
                        integration={a}
                        followed={p.accountFigures.length > 0}
                        onReconnect={(server) => setConnecting({ platform: p.platform, server })}
                        onGone={refresh}
                      />
                    ))}
                  </ul>
                )}
                {accounts.length === 0 && (
                  <p className="none small muted">
                    No account yet. Posts for {platformName(p.platform)} go to the sandbox, which nobody sees, or wait until you connect
                    one.
                  </p>
                )}
              </section>
            )
          })}
        <p className="small muted">
          {list(platforms.filter((p) => p.connectBy.length === 0).map((p) => platformName(p.platform)))} can’t be connected yet.
        </p>
      </div>
      {connecting && (
        <Connect
          {...connecting}
          by={platforms.find((p) => p.platform === connecting.platform)?.connectBy ?? []}
          fields={platforms.find((p) => p.platform === connecting.platform)?.connectFields ?? []}
          onClose={() => setConnecting(null)}
          onDone={() => (setConnecting(null), refresh())}
        />
      )}
    </div>
  )
}
