import '../ui/index.css'
import './shell.css'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RelayEnvironmentProvider } from 'react-relay'
import { Router } from 'wouter'
import { environment } from '../core/relay'
import { keepSignedIn } from '../core/signin'
import { apply } from '../core/theme'
import { Boundary } from '../ui/Boundary'
import { Booting } from './Booting'
import { Shell } from './Shell'
import { Toasts } from './Toasts'

apply()
keepSignedIn()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <RelayEnvironmentProvider environment={environment}>
      <Router base="/console">
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
