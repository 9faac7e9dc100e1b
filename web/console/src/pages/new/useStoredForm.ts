import { useEffect, useState } from 'react'
import { readDraft, storeDraft } from '../../core/drafts'
import { useViewer } from '../../core/session'
import { blank, type Form } from './form'

// useStoredForm returns a form that survives a reload of its tab, for each tenant, how to
// change it, and how to forget it.
export function useStoredForm() {
  const key = `new-mission:${useViewer().tenant?.id ?? ''}`
  const [form, setForm] = useState<Form>(() => ({ ...blank(), ...readDraft<Partial<Form>>(key) }))
  const typed = JSON.stringify(form) !== JSON.stringify(blank())
  useEffect(() => storeDraft(key, typed ? form : null), [key, form, typed])
  return { form, setForm, typed, forget: () => storeDraft(key, null) }
}
