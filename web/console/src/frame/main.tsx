import '../ui/index.css'
import './shell.css'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RelayEnvironmentProvider } from 'react-relay'
import { Router } from 'wouter'
import { useSearchState } from '../core/filters'
import { environment } from '../core/relay'
import { keepSignedIn, sayLost } from '../core/signin'
import { apply } from '../core/theme'
import { Boundary } from '../ui/Boundary'
import { Booting } from './Booting'
import { Shell } from './Shell'
import { Toasts } from './Toasts'

apply()
keepSignedIn()
sayLost()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <RelayEnvironmentProvider environment={environment}>
      <Router base="/console" searchHook={useSearchState}>
        <Boundary place="shell">
          <Suspense fallback={<Booting />}>
            <Shell />
          </Suspense>
        </Boundary>
        <Toasts />
      </Router>
    </RelayEnvironmentProvider>
  </StrictMode>,
)
