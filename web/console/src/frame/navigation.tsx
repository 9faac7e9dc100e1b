import { Link, useLocation } from 'wouter'
import { Icon } from '../ui/icons'
import { places } from './routes'

// Waiting is how much waits for somebody, by the paths of pages.
export type Waiting = Readonly<Record<string, number>>

// here reports whether a page's path leads to where one is.
const here = (location: string, path: string) => (path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`))

// Places links to all pages.
export function Places({ waiting }: { waiting: Waiting }) {
  const [location] = useLocation()
  return (
    <ul>
      {places.map((p) => (
        <li key={p.path} className={p.path === '/connections' ? 'gap' : ''}>
          <Link
            href={p.path}
            className="item"
            aria-current={here(location, p.path) ? 'page' : undefined}
            onPointerEnter={() => void p.load().catch(() => {})}
          >
            <Icon name={p.icon} />
            <span className="grow">{p.title}</span>
            {!!waiting[p.path] && (
              <span className="count num">
                {waiting[p.path]}
                <span className="hidden"> waiting</span>
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

// Bottom links to the pages that matter most, on a phone; onMore is for the others.
export function Bottom({ waiting, location, onMore }: { waiting: Waiting; location: string; onMore?: () => void }) {
  return (
    <nav className="bottom" aria-label="Main, short">
      {places
        .filter((p) => !p.more)
        .map((p) => (
          <Link key={p.path} href={p.path} aria-current={here(location, p.path) ? 'page' : undefined}>
            <Icon name={p.icon} size={20} />
            {p.title}
            {!!waiting[p.path] && <span className="count num">{waiting[p.path]}</span>}
          </Link>
        ))}
      <button type="button" onClick={onMore}>
        <Icon name="menu" size={20} />
        More
      </button>
    </nav>
  )
}
