import '../ui/index.css'
import './shell.css'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RelayEnvironmentProvider } from 'react-relay'
import { Router } from 'wouter'
import { Boundary } from './Boundary'
import { environment } from './relay'
import { Booting, Shell } from './Shell'
import { keepSignedIn } from './signin'
import { apply } from './theme'
import { Toasts } from './toast'

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
