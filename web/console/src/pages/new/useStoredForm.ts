import { useEffect, useState } from 'react'
import { useViewer } from '../../core/session'
import { blank, type Form } from './form'

// useStoredForm returns a form that survives a reload of its tab, for each tenant, how to
// change it, and how to forget it.
export function useStoredForm() {
  const key = `new-mission:${useViewer().tenant?.id ?? ''}`
  const [form, setForm] = useState<Form>(() => {
    try {
      return { ...blank(), ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Form>) }
    } catch {
      return blank()
    }
  })
  const typed = JSON.stringify(form) !== JSON.stringify(blank())
  useEffect(() => {
    if (typed) sessionStorage.setItem(key, JSON.stringify(form))
    else sessionStorage.removeItem(key)
  }, [key, form, typed])
  return { form, setForm, typed, forget: () => sessionStorage.removeItem(key) }
}
