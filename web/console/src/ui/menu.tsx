import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Button, Kbd } from './button'
import { Icon, type IconName } from './icons'

export type MenuItem =
  | {
      label: string
      about?: ReactNode
      fresh?: boolean
      icon?: IconName
      shortcut?: string
      danger?: boolean
      disabled?: string
      onSelect: () => void
    }
  | 'line'

// Menu is a button that opens a list of actions. Arrow keys move, Home and End jump,
// a letter finds, Escape closes and gives the focus back. On a phone a sheet covers the
// lower part of the screen, and one that is no sheet stays by its button.
export function Menu({
  label,
  icon,
  items,
  children,
  about,
  className,
  sheet,
}: {
  label: string
  icon?: IconName
  items: MenuItem[]
  children?: ReactNode
  about?: ReactNode
  className?: string
  sheet?: boolean
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const place = () => {
    const box = trigger.current?.getBoundingClientRect()
    const menu = list.current
    if (!box || !menu) return
    const { offsetWidth: w, offsetHeight: h } = menu
    const left = Math.min(Math.max(8, box.right - w > 8 && box.left + w > innerWidth - 8 ? box.right - w : box.left), innerWidth - w - 8)
    const below = box.bottom + 4 + h < innerHeight || box.top - h - 4 < 8
    menu.style.left = `${Math.max(8, left)}px`
    menu.style.top = `${below ? box.bottom + 4 : box.top - h - 4}px`
  }
  const options = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const move = (e: KeyboardEvent) => {
    const all = options()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key]
    if (to !== undefined) {
      e.preventDefault()
      all[(to + all.length) % all.length]?.focus()
    } else if (e.key === 'Tab') {
      list.current?.hidePopover()
    } else if (e.key.length === 1 && /\S/.test(e.key)) {
      const turn = [...all.slice(at + 1), ...all.slice(0, at + 1)]
      turn.find((o) => o.textContent?.toLowerCase().startsWith(e.key.toLowerCase()))?.focus()
    }
    if (e.key !== 'Escape') e.stopPropagation()
  }
  return (
    <>
      <button
        ref={trigger}
        type="button"
        // The keys pressed before the menu has the focus are the menu's.
        onKeyDown={(e) => list.current?.matches(':popover-open') && move(e)}
        className={className ?? `btn ${children ? '' : 'quiet icon'}`}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={children ? undefined : label}
        title={children ? undefined : label}
      >
        {children ?? <Icon name={icon ?? 'more'} />}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={`menu ${sheet ? 'sheet' : ''}`}
        onKeyDown={move}
        onToggle={(e) => {
          if (e.newState !== 'open') return
          place()
          if (!list.current?.contains(document.activeElement)) options()[0]?.focus()
        }}
      >
        {about && (
          <div className="about" role="presentation">
            {about}
          </div>
        )}
        {items.map((item, i) =>
          item === 'line' ? (
            <hr key={i} />
          ) : (
            <button
              key={i}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`item ${item.danger ? 'danger' : ''}`}
              aria-disabled={item.disabled ? true : undefined}
              title={item.disabled}
              onClick={() => {
                if (item.disabled) return
                list.current?.hidePopover()
                item.onSelect()
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              {item.fresh !== undefined && <span className={`fresh ${item.fresh ? 'on' : ''}`} aria-hidden="true" />}
              <span className="grow">
                {item.fresh && <span className="hidden">New: </span>}
                {item.label}
                {item.about && <span className="xsmall muted more">{item.about}</span>}
              </span>
              {item.shortcut && <Kbd>{item.shortcut}</Kbd>}
            </button>
          ),
        )}
      </div>
    </>
  )
}

// Confirm's buttons, for dialogs that ask.
export function Choices({
  no = 'Cancel',
  yes,
  danger,
  busy,
  disabled,
  onNo,
  onYes,
}: {
  no?: string
  yes: string
  danger?: boolean
  busy?: boolean
  disabled?: boolean
  onNo: () => void
  onYes?: () => void
}) {
  return (
    <>
      <Button onClick={onNo}>{no}</Button>
      <Button
        look={danger ? 'danger primary' : 'primary'}
        busy={busy}
        disabled={disabled}
        type={onYes ? 'button' : 'submit'}
        onClick={onYes}
      >
        {yes}
      </Button>
    </>
  )
}
