import { useState } from 'react'
import { matchRoute, useLocation, useRouter } from 'wouter'
import { Loading } from '../ui/parts'
import { Bottom, Places } from './navigation'
import { routes } from './routes'

// Booting is the frame of a page before anything is known: what it will have, where it
// will be. The page's code is loaded meanwhile.
export function Booting() {
  const router = useRouter()
  const [location] = useLocation()
  useState(() =>
    routes
      .find((r) => matchRoute(router.parser, r.path, location)[0])
      ?.load()
      .catch(() => {}),
  )
  return (
    <div className="shell" aria-busy="true">
      <nav className="side" aria-label="Main">
        <div className="row brand">
          <span className="logo" />
        </div>
        <div className="new" />
        <Places waiting={{}} />
      </nav>
      <main>
        <Loading />
      </main>
      <Bottom waiting={{}} location={location} />
    </div>
  )
}
