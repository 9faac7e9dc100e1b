import { shortcuts, useShortcuts } from '../core/keys'
import { Kbd } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Check } from '../ui/field'
import './palette.css'

// Shortcuts lists the keys that work on the page behind it.
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const on = useShortcuts()
  const groups = Map.groupBy(shortcuts.all(), (b) => b.group ?? 'This page')
  return (
    <Dialog
      title="Keyboard shortcuts"
      kind="wide"
      onClose={onClose}
      footer={
        <div className="grow">
          <Check label="Keyboard shortcuts on" checked={on} onChange={(e) => shortcuts.set(e.target.checked)} />
        </div>
      }
    >
      <div className="keymap">
        {[...groups].reverse().map(([group, bindings]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {[...new Map(bindings.map((b) => [b.keys, b])).values()].map((b) => (
                <div key={b.keys} className="row spread">
                  <dt>{b.label}</dt>
                  <dd className="row">
                    {b.keys.split(/[ +]/).map((k, i) => (
                      <Kbd key={i}>{k}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
