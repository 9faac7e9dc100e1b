import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { zones } from '../core/zone'
import { Icon } from './icons'

type About = { label: ReactNode; hint?: ReactNode; problem?: string | null; optional?: boolean; aside?: ReactNode }

// Field is a label, its control, a hint and what is wrong with the value.
export function Field({
  label,
  hint,
  problem,
  optional,
  aside,
  children,
}: About & { children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode }) {
  const id = useId()
  const about = [hint ? `${id}h` : '', problem ? `${id}p` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <div className="row spread label">
        <label htmlFor={id}>
          {label} {optional && <span className="optional">optional</span>}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': about || undefined, 'aria-invalid': problem ? true : undefined })}
      {hint && (
        <p className="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="problem" id={`${id}p`}>
          <Icon name="warn" size={14} /> {problem}
        </p>
      )}
    </div>
  )
}

export function Input({ label, hint, problem, optional, aside, ...rest }: About & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, problem, optional, aside }}>
      {(p) => <input className="input" dir="auto" autoComplete="off" {...rest} {...p} />}
    </Field>
  )
}

export function TextArea({ label, hint, problem, optional, aside, ...rest }: About & ComponentProps<'textarea'>) {
  return <Field {...{ label, hint, problem, optional, aside }}>{(p) => <textarea className="input" dir="auto" {...rest} {...p} />}</Field>
}

export function Select({ label, hint, problem, optional, aside, children, ...rest }: About & ComponentProps<'select'>) {
  return (
    <Field {...{ label, hint, problem, optional, aside }}>
      {(p) => (
        <select className="input" {...rest} {...p}>
          {children}
        </select>
      )}
    </Field>
  )
}

// useZoneOptions returns what a choice of a time zone has: all of them once a person turns to it.
// They are hundreds, of which most people never need another.
export function useZoneOptions(zone: string): ComponentProps<'select'> {
  const [all, setAll] = useState(false)
  const turn = () => setAll(true)
  const options = [...new Set([zone, ...(all ? zones() : [])])]
  return { onPointerDown: turn, onFocus: turn, children: options.map((z) => <option key={z}>{z}</option>) }
}

export function Check({ label, hint, ...rest }: { label: ReactNode; hint?: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className="check">
      <input type="checkbox" {...rest} />
      <span>
        {label}
        {hint && (
          <span className="muted small">
            <br />
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

// Segmented is a choice between a few values that are all visible.
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: { value: T; label: ReactNode }[]
  onChange: (value: T) => void
}) {
  return (
    <div className="seg" role="group" aria-label={label}>
      {options.map((o) => (
        <button key={o.value} type="button" aria-pressed={o.value === value} onClick={() => onChange(o.value)}>
          {o.label}
        </button>
      ))}
    </div>
  )
}
