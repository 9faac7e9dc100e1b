import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { matchRoute, Redirect, Route, Switch, useLocation, useRouter } from 'wouter'
import { openedAt } from '../core/clock'
import { composer } from '../core/composer'
import { useKeys } from '../core/keys'
import { peek } from '../core/peek'
import { useMay } from '../core/session'
import { useTitle } from '../core/title'
import { Boundary } from '../ui/Boundary'
import { Loading } from '../ui/parts'
import { ConnectionNotice } from './ConnectionNotice'
import { type Hold, HoldNotice } from './HoldNotice'
import { Bottom, type Waiting } from './navigation'
import { places, routes } from './routes'
import { Side } from './Side'
import { useFocusOnPage } from './useFocusOnPage'

const loadPalette = () => import('./Palette')
const Palette = lazy(loadPalette)
const Compose = lazy(() => import('../pages/compose/Compose'))
const HoldDialog = lazy(() => import('../ui/HoldDialog'))
const Shortcuts = lazy(() => import('./Shortcuts'))
const Drawer = lazy(() => import('../pages/post/Drawer'))

// Frame has the page of an address, with the navigation around it and what opens above it.
export function Frame({ waiting, hold }: { waiting: Waiting; hold: Hold | null }) {
  const [location, go] = useLocation()
  openedAt(location)
  const [open, setOpen] = useState<'palette' | 'shortcuts' | 'hold' | null>(null)
  const mayCreate = useMay('MISSIONS_WRITE')
  const looking = useSyncExternalStore(peek.watch, () => peek.get() !== null)
  const mayWrite = useMay('CONTENT_WRITE')
  const composing = useSyncExternalStore(composer.watch, composer.get)
  useKeys([
    ...places.map((p) => ({ keys: `g ${p.key}`, label: `Go to ${p.title}`, group: 'Go', run: () => go(p.path) })),
    { keys: 'c', label: 'New mission', group: 'Everywhere', run: () => go('/missions/new'), off: !mayCreate },
    { keys: 'n', label: 'Write a post', group: 'Everywhere', run: () => composer.open(here()), off: !mayWrite },
    {
      keys: 'Shift+H',
      label: 'Hold everything: pause all publishing',
      group: 'Everywhere',
      run: () => setOpen('hold'),
      off: !mayCreate || hold !== null,
    },
    { keys: '?', label: 'Shortcuts', group: 'Everywhere', run: () => setOpen('shortcuts') },
    { keys: 'Ctrl+k', label: 'Find a page, a mission, a post or an action', group: 'Everywhere', run: () => setOpen('palette') },
  ])
  // It is there when Ctrl+K is pressed: what is typed right after goes into it.
  useEffect(() => {
    const idle = setTimeout(() => void loadPalette().catch(() => {}), 1500)
    return () => clearTimeout(idle)
  }, [])
  const close = () => setOpen(null)
  const router = useRouter()
  useTitle(routes.find((r) => matchRoute(router.parser, r.path, location)[0])?.title ?? '')
  const main = useFocusOnPage(location)
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Side waiting={waiting} onFind={() => setOpen('palette')} onShortcuts={() => setOpen('shortcuts')} />
      <main id="main" ref={main} tabIndex={-1}>
        <ConnectionNotice />
        {hold && <HoldNotice hold={hold} />}
        <Boundary place={location}>
          <Suspense fallback={<Loading key={location} />}>
            <Switch>
              {routes.map((r) => (
                <Route key={r.path} path={r.path} component={r.page} />
              ))}
              <Route>
                <Redirect to="/" replace />
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </main>
      <Bottom waiting={waiting} location={location} onMore={() => setOpen('palette')} />
      <Suspense>
        {open === 'palette' && <Palette onClose={close} onShortcuts={() => setOpen('shortcuts')} />}
        {composing && <Compose {...composing} />}
        {open === 'hold' && <HoldDialog onClose={close} />}
        {open === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
      <Suspense>{looking && <Drawer />}</Suspense>
    </div>
  )
}

// here returns the mission and the zone that the page is about, by its address.
function here() {
  const search = new URLSearchParams(location.search)
  return {
    mission: /\/missions\/(msn_\w+)/.exec(location.pathname)?.[1] ?? search.get('mission'),
    zone: search.get('zone') ?? undefined,
  }
}
