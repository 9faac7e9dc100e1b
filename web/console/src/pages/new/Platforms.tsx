import { usePlatforms } from '../../text/limits'
import { Icon } from '../../ui/icons'
import { PlatformMark, platformName } from '../../ui/platform'
import type { Form } from './form'

type Props = { form: Form; set: <K extends keyof Form>(key: K, value: Form[K]) => void; problem?: string }

// Platforms are the platforms of a mission, and the accounts on them where there are
// several.
export function Platforms({ form, set, problem }: Props) {
  const all = usePlatforms()
  const toggle = (p: Form['platforms'][number]) => {
    const on = form.platforms.includes(p)
    set('platforms', on ? form.platforms.filter((x) => x !== p) : [...form.platforms, p])
  }
  return (
    <fieldset className="field" data-invalid={problem ? true : undefined}>
      <legend className="hidden">Platforms</legend>
      <div className="platforms">
        {all.map((c) => {
          const on = form.platforms.includes(c.platform)
          const account = c.accounts?.find((a) => a.default)?.account
          return (
            <label key={c.platform} className={`platform ${on ? 'on' : ''}`}>
              <input type="checkbox" className="hidden" checked={on} onChange={() => toggle(c.platform)} />
              <PlatformMark platform={c.platform} big quiet />
              <span className="grow">
                <span className="strong">{platformName(c.platform)}</span>
                <span className="xsmall muted clip">
                  {account?.handle ? `@${account.handle}` : (account?.name ?? (c.connected ? 'connected' : 'sandbox'))}
                </span>
              </span>
              {on && <Icon name="check" />}
            </label>
          )
        })}
      </div>
      {form.platforms.map((p) => {
        const accounts = all.find((c) => c.platform === p)?.accounts ?? []
        if (accounts.length < 2) return null
        return (
          <div key={p} className="row wrap accounts" role="group" aria-label={`Accounts on ${platformName(p)}`}>
            <span className="small muted">{platformName(p)}:</span>
            {accounts.map((a) => (
              <label key={a.id} className="check small">
                <input
                  type="checkbox"
                  checked={form.accounts.includes(a.id)}
                  onChange={(e) => set('accounts', e.target.checked ? [...form.accounts, a.id] : form.accounts.filter((x) => x !== a.id))}
                />
                {a.label ?? a.account?.handle ?? a.id}
                {a.default && ' (default)'}
              </label>
            ))}
          </div>
        )
      })}
      {problem && (
        <p className="problem">
          <Icon name="warn" size={14} /> {problem}
        </p>
      )}
      {form.platforms.some((p) => !all.find((c) => c.platform === p)?.connected) && (
        <p className="hint">
          Posts for platforms without a connected account go to a sandbox: nobody sees them, and their results are simulated.
        </p>
      )}
    </fieldset>
  )
}
