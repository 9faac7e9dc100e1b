import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { fetchQuery, graphql, useLazyLoadQuery } from 'react-relay'
import { Link, matchRoute, Redirect, Route, Switch, useLocation, useRouter } from 'wouter'
import type { ShellQuery } from '../__generated__/ShellQuery.graphql'
import { clockSpeed, openedAt, setClock, useNow } from '../core/clock'
import { dateTime, ownZone } from '../core/format'
import { useKeys } from '../core/keys'
import { limit } from '../core/limit'
import { follow, followChanges, missed, useRefresh } from '../core/live'
import { environment } from '../core/relay'
import { Session, useMay, useViewer } from '../core/session'
import { connection } from '../core/socket'
import { setTheme, theme } from '../core/theme'
import { useTitle } from '../core/title'
import { Boundary } from '../ui/Boundary'
import { IconButton, LinkButton } from '../ui/button'
import { Icon } from '../ui/icons'
import { Menu } from '../ui/menu'
import { Avatar, Skeleton } from '../ui/parts'
import { places, routes } from './routes'

const Bell = lazy(() => import('./Bell'))
const loadPalette = () => import('./Palette')
const Palette = lazy(loadPalette)
const Shortcuts = lazy(() => import('./Shortcuts'))

const query = graphql`
  query ShellQuery {
    clock {
      now
      speed
    }
    viewer {
      user {
        id
        name
        email
        role
      }
      tenant {
        id
        name
        plan
        deletesAt
      }
      authMethod
      scopes
    }
    waiting: contents(filter: { status: PENDING_REVIEW }, first: 1) {
      totalCount
    }
    latest: events(first: 1) {
      edges {
        node {
          id
        }
      }
    }
  }
`

// Shell is what every page has around it.
export function Shell() {
  const { viewer, waiting, latest, clock } = useLazyLoadQuery<ShellQuery>(query, {}, { fetchPolicy: 'store-or-network' })
  // The clock is set before anything shows a time, and again with each answer.
  useState(() => clock && setClock(clock.now, clock.speed))
  useEffect(() => {
    if (clock) setClock(clock.now, clock.speed)
  }, [clock])
  const after = useRef(latest?.edges[0]?.node.id ?? null)
  useEffect(() => {
    // Everything is read again, from a moment on that the log is followed from.
    const lost = () =>
      void fetchQuery<ShellQuery>(environment, query, {}, { fetchPolicy: 'network-only' }).subscribe({
        next: (now) => {
          follow(now.latest?.edges[0]?.node.id ?? null, lost)
          missed()
        },
        error: () => setTimeout(lost, 5000),
      })
    follow(after.current, lost)
    followChanges()
  }, [])
  useRefresh(['CONTENT_'], () => void fetchQuery<ShellQuery>(environment, query, {}, { fetchPolicy: 'network-only' }).subscribe({ error: () => {} }))
  if (!viewer) throw new Error('Sign in again: the session has no user.')
  return (
    <Session value={viewer}>
      <Frame waiting={waiting?.totalCount ?? 0} />
    </Session>
  )
}

// Booting is the frame of a page before anything is known: what it will have, where it
// will be. The page's code is loaded meanwhile.
export function Booting() {
  const router = useRouter()
  const [location] = useLocation()
  useState(() => routes.find((r) => matchRoute(router.parser, r.path, location)[0])?.load().catch(() => {}))
  return (
    <div className="shell" aria-busy="true">
      <nav className="side" aria-label="Main">
        <div className="row brand">
          <span className="logo" />
        </div>
        <div className="new" />
        <Places waiting={0} />
      </nav>
      <main>
        <div className="page">
          <Skeleton lines={6} />
        </div>
      </main>
      <Bottom waiting={0} location={location} />
    </div>
  )
}

function Frame({ waiting }: { waiting: number }) {
  const [location, go] = useLocation()
  openedAt(location)
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  const mayCreate = useMay('MISSIONS_WRITE')
  useKeys([
    ...places.map((p) => ({ keys: `g ${p.key}`, label: `Go to ${p.title}`, group: 'Go', run: () => go(p.path) })),
    { keys: 'c', label: 'New mission', group: 'Everywhere', run: () => go('/missions/new'), off: !mayCreate },
    { keys: '?', label: 'Shortcuts', group: 'Everywhere', run: () => setOpen('shortcuts') },
    { keys: 'Ctrl+k', label: 'Find a page, a mission or an action', group: 'Everywhere', run: () => setOpen('palette') },
  ])
  // It is there when Ctrl+K is pressed: what is typed right after goes into it.
  useEffect(() => {
    const idle = setTimeout(() => void loadPalette().catch(() => {}), 1500)
    return () => clearTimeout(idle)
  }, [])
  const close = () => setOpen(null)
  const router = useRouter()
  useTitle(routes.find((r) => matchRoute(router.parser, r.path, location)[0])?.title ?? '')
  return (
    <div className="shell">
      <a className="skip" href="#main">Skip to the content</a>
      <Side waiting={waiting} onFind={() => setOpen('palette')} onShortcuts={() => setOpen('shortcuts')} />
      <main id="main" tabIndex={-1}>
        <Offlineness />
        <Boundary place={location}>
          <Suspense fallback={<div className="page"><Skeleton lines={6} /></div>}>
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
      <Focus location={location} />
      <Suspense>
        {open === 'palette' && <Palette onClose={close} onShortcuts={() => setOpen('shortcuts')} />}
        {open === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </div>
  )
}

// here reports whether a page's path leads to where one is.
const here = (location: string, path: string) => (path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`))

function Places({ waiting }: { waiting: number }) {
  const [location] = useLocation()
  return (
    <ul>
      {places.map((p) => (
        <li key={p.path} className={p.path === '/connections' ? 'gap' : ''}>
          <Link href={p.path} className="item" aria-current={here(location, p.path) ? 'page' : undefined} onPointerEnter={() => void p.load().catch(() => {})}>
            <Icon name={p.icon} />
            <span className="grow">{p.title}</span>
            {p.path === '/inbox' && waiting > 0 && <span className="count num">{waiting}<span className="hidden"> waiting</span></span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Side({ waiting, onFind, onShortcuts }: { waiting: number; onFind: () => void; onShortcuts: () => void }) {
  const { tenant } = useViewer()
  const mayCreate = useMay('MISSIONS_WRITE')
  const admin = useMay('ADMIN')
  return (
    <nav className="side" aria-label="Main">
      <div className="row brand">
        <Link href="/" className="row grow">
          <span className="logo" aria-hidden="true">{[...tenant.name][0]?.toUpperCase()}</span>
          <span className="clip strong">{tenant.name}</span><span className="hidden">: home</span>
        </Link>
        {admin && <Suspense><Bell /></Suspense>}
        <IconButton icon="search" label="Find (Ctrl+K)" onClick={onFind} />
      </div>
      {mayCreate && <LinkButton href="/missions/new" icon="plus">New mission</LinkButton>}
      <Places waiting={waiting} />
      <div className="grow" />
      <Clock />
      <Account onShortcuts={onShortcuts} />
    </nav>
  )
}

function Account({ onShortcuts }: { onShortcuts: () => void }) {
  const { user, tenant } = useViewer()
  const [look, setLook] = useState(theme())
  const name = user.name ?? user.email ?? 'Account'
  const choose = (t: typeof look) => () => {
    setTheme(t)
    setLook(t)
  }
  const mark = (t: typeof look) => (look === t ? ' ✓' : '')
  return (
    <Menu
      label="Account"
      className="account"
      about={<>{user.email ?? name}<br />{user.role.toLowerCase()} of {tenant.name}, {tenant.plan.toLowerCase()} plan</>}
      items={[
        { label: `Light${mark('light')}`, icon: 'sun', onSelect: choose('light') },
        { label: `Dark${mark('dark')}`, icon: 'moon', onSelect: choose('dark') },
        { label: `Same as the system${mark('system')}`, icon: 'settings', onSelect: choose('system') },
        'line',
        { label: 'Shortcuts', icon: 'keyboard', shortcut: '?', onSelect: onShortcuts },
        'line',
        { label: 'Sign out', icon: 'out', onSelect: () => document.querySelector<HTMLFormElement>('#sign-out')?.requestSubmit() },
      ]}
    >
      <Avatar name={name} />
      <span className="clip grow">{name}</span>
      <Icon name="down" size={14} />
    </Menu>
  )
}

// Clock shows the service's time where it isn't the real one.
function Clock() {
  const now = useNow()
  if (clockSpeed() === 1) return null
  return (
    <p className="fast xsmall num">
      <Icon name="clock" size={14} /> <span title={`The service’s time, in ${ownZone()}`}>{dateTime(now)}</span> <span className="badge warn plain" title={`The clock is ${clockSpeed()} times as fast as real time`}>×{clockSpeed()}<span className="hidden"> as fast as real time</span></span>
    </p>
  )
}

function Bottom({ waiting, location, onMore }: { waiting: number; location: string; onMore?: () => void }) {
  return (
    <nav className="bottom" aria-label="Main, short">
      {places.filter((p) => !p.more).map((p) => (
        <Link key={p.path} href={p.path} aria-current={here(location, p.path) ? 'page' : undefined}>
          <Icon name={p.icon} size={20} />
          {p.title}
          {p.path === '/inbox' && waiting > 0 && <span className="count num">{waiting}</span>}
        </Link>
      ))}
      <button type="button" onClick={onMore}>
        <Icon name="menu" size={20} />
        More
      </button>
    </nav>
  )
}

// Offlineness says that what is shown may be old.
function Offlineness() {
  const state = useSyncExternalStore(connection.watch, connection.get)
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (state !== 'offline') return setLate(false)
    const timer = setTimeout(() => setLate(true), 2500)
    return () => clearTimeout(timer)
  }, [state])
  const limited = useSyncExternalStore(limit.watch, limit.get)
  return (
    <div role="status">
      {late ? (
        <p className="offline small">
          <Icon name="warn" size={14} /> Not connected. What you see may be out of date. The page continues by itself once the service is back.
        </p>
      ) : (
        limited && (
          <p className="offline small">
            <Icon name="clock" size={14} /> Your organization has reached its limit of requests. This page continues by itself in a moment.
          </p>
        )
      )}
    </div>
  )
}

// Focus moves to the new page's heading, so that readers hear where they are.
function Focus({ location }: { location: string }) {
  const first = useRef(true)
  const page = location.split('/')[1]
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    scrollTo(0, 0)
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }, [page])
  return (
    <form id="sign-out" method="post" action="/console/logout" hidden />
  )
}
