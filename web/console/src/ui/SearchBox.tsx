import { useEffect, useRef, useState } from 'react'
import { useKeys } from '../core/keys'
import { Icon } from './icons'

// SearchBox is a field whose text is searched for once the person pauses. "/" leads to it.
export function SearchBox({
  label,
  placeholder,
  value,
  maxLength,
  onSearch,
}: {
  label: string
  placeholder: string
  value: string
  maxLength?: number
  onSearch: (text: string) => void
}) {
  const [text, setText] = useState(value)
  const box = useRef<HTMLInputElement>(null)
  const latest = useRef(onSearch)
  const sent = useRef(value)
  useEffect(() => {
    latest.current = onSearch
  })
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value // the filters were cleared, or another view was chosen
    setText(value)
  }, [value])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === sent.current) return
    const timer = setTimeout(() => {
      sent.current = wanted
      latest.current(wanted)
    }, 250)
    return () => clearTimeout(timer)
  }, [text])
  useKeys([{ keys: '/', label: 'Search', run: () => box.current?.focus() }])
  return (
    <label className="search row">
      <Icon name="search" />
      <span className="hidden">{label}</span>
      <input
        ref={box}
        type="search"
        placeholder={placeholder}
        maxLength={maxLength}
        value={text}
        onChange={(e) => setText(e.target.value)}
      />
    </label>
  )
}
