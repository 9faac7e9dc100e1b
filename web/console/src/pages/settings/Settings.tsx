import './settings.css'
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { Link, useParams } from 'wouter'
import type { Permission } from '../../core/session'
import { useViewer } from '../../core/session'
import { Empty, PageHead, Skeleton } from '../../ui/parts'

type Tab = { path: string; title: string; scope?: Permission; page: ComponentType }

const tabs: Tab[] = [
  { path: 'brand', title: 'Brand', scope: 'ADMIN', page: lazy(() => import('./Brand')) },
  { path: 'members', title: 'Members', scope: 'ADMIN', page: lazy(() => import('./Members')) },
  { path: 'keys', title: 'API keys', scope: 'ADMIN', page: lazy(() => import('./Keys')) },
  { path: 'agents', title: 'Agents', page: lazy(() => import('./Agents')) },
  { path: 'webhooks', title: 'Webhooks', scope: 'INTEGRATIONS_READ', page: lazy(() => import('./Webhooks')) },
  { path: 'own', title: 'Writer and platforms', scope: 'ADMIN', page: lazy(() => import('./Own')) },
  { path: 'usage', title: 'Usage and limits', page: lazy(() => import('./Usage')) },
  { path: 'sessions', title: 'Your sessions', page: lazy(() => import('./Sessions')) },
  { path: 'audit', title: 'Audit log', scope: 'ADMIN', page: lazy(() => import('./Audit')) },
  { path: 'tenant', title: 'Organization', scope: 'ADMIN', page: lazy(() => import('./Tenant')) },
]

const webhook = lazy(() => import('./Webhook'))

// Settings are what an administrator decides, and everybody's usage
// and sessions.
export default function Settings() {
  const { scopes } = useViewer()
  const { tab, id } = useParams<{ tab?: string; id?: string }>()
  const may = (t: Tab) => !t.scope || scopes.includes('ADMIN') || scopes.includes(t.scope)
  const open = tabs.filter(may)
  const current = tabs.find((t) => t.path === tab) ?? open[0]!
  // On a phone the tabs are one line, wider than the screen.
  const here = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const list = here.current?.closest('nav')
    if (list) list.scrollLeft = here.current!.offsetLeft - (list.clientWidth - here.current!.offsetWidth) / 2
  }, [current])
  const Page = current.path === 'webhooks' && id ? webhook : current.page
  return (
    <div className="page settings">
      <PageHead title="Settings" />
      <div className="columns">
        <nav aria-label="Settings">
          <ul>
            {open.map((t) => (
              <li key={t.path} ref={t === current ? here : undefined}>
                <Link href={`/settings/${t.path}`} className="item" aria-current={t === current ? 'page' : undefined}>
                  {t.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="pane">
          <Suspense key={current.path} fallback={<Skeleton lines={5} />}>
            {may(current) ? (
              <Page />
            ) : (
              <Empty icon="key" title="This is for administrators">
                Ask an administrator of your organization.
              </Empty>
            )}
          </Suspense>
        </div>
      </div>
    </div>
  )
}
