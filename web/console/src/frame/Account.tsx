import { useRef, useState } from 'react'
import { useViewer } from '../core/session'
import { setTheme, theme } from '../core/theme'
import { Icon } from '../ui/icons'
import { Menu } from '../ui/menu'
import { Avatar } from '../ui/parts'

// Account says who is signed in, and has what concerns them: the theme, the keys, signing out.
export function Account({ onShortcuts }: { onShortcuts: () => void }) {
  const { user, tenant } = useViewer()
  const [look, setLook] = useState(theme())
  const signOut = useRef<HTMLFormElement>(null)
  const name = user.name ?? user.email ?? 'Account'
  const choose = (t: typeof look) => () => {
    setTheme(t)
    setLook(t)
  }
  const mark = (t: typeof look) => (look === t ? ' ✓' : '')
  return (
    <>
      <Menu
        label="Account"
        className="account"
        about={
          <>
            {user.email ?? name}
            <br />
            {user.role.toLowerCase()} of {tenant.name}, {tenant.plan.toLowerCase()} plan
          </>
        }
        items={[
          { label: `Light${mark('light')}`, icon: 'sun', onSelect: choose('light') },
          { label: `Dark${mark('dark')}`, icon: 'moon', onSelect: choose('dark') },
          { label: `Same as the system${mark('system')}`, icon: 'settings', onSelect: choose('system') },
          'line',
          { label: 'Shortcuts', icon: 'keyboard', shortcut: '?', onSelect: onShortcuts },
          'line',
          { label: 'Sign out', icon: 'out', onSelect: () => signOut.current?.requestSubmit() },
        ]}
      >
        <Avatar name={name} />
        <span className="clip grow">{name}</span>
        <Icon name="down" size={14} />
      </Menu>
      <form ref={signOut} method="post" action="/console/logout" hidden />
    </>
  )
}
