import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { clockSpeed, useNow } from '../core/clock'
import { dateTime, ownZone } from '../core/format'
import { useMay, useViewer } from '../core/session'
import { IconButton, LinkButton } from '../ui/button'
import { Icon } from '../ui/icons'
import { Account } from './Account'
import { Places, type Waiting } from './navigation'

const Bell = lazy(() => import('./Bell'))

// Side is the navigation beside the page; on a phone a bar above it.
export function Side({ waiting, onFind, onShortcuts }: { waiting: Waiting; onFind: () => void; onShortcuts: () => void }) {
  const { tenant } = useViewer()
  const mayCreate = useMay('MISSIONS_WRITE')
  const admin = useMay('ADMIN')
  return (
    <nav className="side" aria-label="Main">
      <div className="row brand">
        <Link href="/" className="row grow">
          <span className="logo" aria-hidden="true">
            {[...tenant.name][0]?.toUpperCase()}
          </span>
          <span className="clip strong">{tenant.name}</span>
          <span className="hidden">: home</span>
        </Link>
        {admin && (
          <Suspense>
            <Bell />
          </Suspense>
        )}
        <IconButton icon="search" label="Find (Ctrl+K)" onClick={onFind} />
      </div>
      {mayCreate && (
        <LinkButton href="/missions/new" icon="plus">
          New mission
        </LinkButton>
      )}
      <Places waiting={waiting} />
      <div className="grow" />
      <Clock />
      <Account onShortcuts={onShortcuts} />
    </nav>
  )
}

// Clock shows the service's time where it isn't the real one.
function Clock() {
  const now = useNow()
  if (clockSpeed() === 1) return null
  return (
    <p className="fast xsmall num">
      <Icon name="clock" size={14} /> <span title={`The service’s time, in ${ownZone()}`}>{dateTime(now)}</span>{' '}
      <span className="badge warn plain" title={`The clock is ${clockSpeed()} times as fast as real time`}>
        ×{clockSpeed()}
        <span className="hidden"> as fast as real time</span>
      </span>
    </p>
  )
}
