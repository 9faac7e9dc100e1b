import '../new/new.css'
import { useState } from 'react'
import { graphql } from 'react-relay'
import type { EditMutation } from '../../__generated__/EditMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { type Problems, saidBy } from '../../core/problems'
import { toast } from '../../core/toast'
import { useMissionLimits } from '../../text/limits'
import { Dialog } from '../../ui/dialog'
import { Input, Select, TextArea, useZoneOptions } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Note } from '../../ui/parts'
import { Cadence, Objectives, Times } from '../new/fields'
import { type Form, inputOf, problemsOf } from '../new/form'
import { Targets } from '../new/Targets'

const mutation = graphql`
  mutation EditMutation($id: ID!, $input: UpdateMissionInput!) {
    updateMission(id: $id, input: $input) {
      mission {
        ...Plan_mission
        endsAt
        estimatedPosts
      }
    }
  }
`

// Edit changes a mission's brief, of which before is what is saved now. It sends only what was changed,
// so that what others change meanwhile stays.
export default function Edit({ id, before, onClose }: { id: string; before: Form; onClose: () => void }) {
  const { values: form, typed, set: edit, forget } = useEdits<Form>(`brief:${id}`, { ...before, objectives: [...before.objectives, ''] })
  const [said, setSaid] = useState<Problems>({})
  const [tried, setTried] = useState(false)
  const zone = useZoneOptions(form.timezone)
  const limits = useMissionLimits()
  const [run, busy] = useAction<EditMutation>(mutation)
  const set = <K extends keyof Form>(key: K, value: Form[K]) => {
    edit({ [key]: value })
    setSaid({})
  }
  const problems: Problems = { ...(tried ? problemsOf(form, limits) : {}), ...said }
  const known = /^(name|description|objectives|durationDays|kpis|constraints)/
  const discard = () => (forget(), onClose())
  const submit = () => {
    setTried(true)
    const input = changes(before, form)
    if (Object.keys(problemsOf(form, limits)).length > 0) return
    if (Object.keys(input).length === 0) return discard()
    run({
      variables: { id, input },
      done: () => {
        toast('Saved. It applies from the next cycle on.')
        discard()
      },
      failed: (e) => {
        setSaid(saidBy(e))
        return true
      },
    })
  }
  return (
    <Dialog
      kind="wide"
      title="Edit the brief"
      about="The running cycle continues as planned."
      onClose={onClose}
      onSubmit={submit}
      footer={<Choices no={typed ? 'Discard' : 'Cancel'} yes="Save" busy={busy} onNo={discard} />}
    >
      <div className="new stack wide">
        {Object.entries(problems)
          .filter(([path]) => !known.test(path))
          .map(([path, message]) => (
            <div key={path} role="alert">
              <Note tone="bad">{message}</Note>
            </div>
          ))}
        <Input
          label="Name"
          maxLength={limits.name}
          value={form.name}
          problem={problems.name}
          onChange={(e) => set('name', e.target.value)}
        />
        <Objectives form={form} set={set} problems={problems} />
        <TextArea
          label="About"
          optional
          maxLength={limits.description}
          value={form.description}
          problem={problems.description}
          onChange={(e) => set('description', e.target.value)}
        />
        <div className="three">
          <Cadence form={form} set={set} />
          <Input
            label="Posts a day"
            inputMode="numeric"
            hint="on all platforms together"
            value={form.postsPerDay}
            problem={problems['constraints.postsPerDay']}
            onChange={(e) => set('postsPerDay', e.target.value)}
          />
          <Input
            label="Days"
            inputMode="numeric"
            hint="from its start"
            value={form.durationDays}
            problem={problems.durationDays}
            onChange={(e) => set('durationDays', e.target.value)}
          />
        </div>
        <div className="three">
          <Select
            label="Time zone"
            value={form.timezone}
            problem={problems['constraints.timezone']}
            onChange={(e) => set('timezone', e.target.value)}
            {...zone}
          />
          <Times form={form} set={set} problems={problems} />
        </div>
        <label className="row switch-row">
          <input
            type="checkbox"
            className="switch"
            checked={form.requireApproval}
            onChange={(e) => set('requireApproval', e.target.checked)}
          />
          <span>A person approves each post</span>
        </label>
        <div className="two">
          <Input
            label="Tone"
            optional
            maxLength={limits.tone}
            value={form.tone}
            problem={problems['constraints.tone']}
            onChange={(e) => set('tone', e.target.value)}
          />
          <Input
            label="Budget"
            optional
            inputMode="decimal"
            hint="US dollars, for writing and platforms’ fees"
            value={form.budget}
            problem={problems['constraints.budgetCents']}
            onChange={(e) => set('budget', e.target.value)}
          />
        </div>
        <Input
          label="Excluded topics"
          optional
          hint="Topics, separated by commas."
          value={form.excludedTopics}
          problem={Object.entries(problems).find(([p]) => p.startsWith('constraints.excludedTopics'))?.[1]}
          onChange={(e) => set('excludedTopics', e.target.value)}
        />
        <Targets form={form} set={set} problems={problems} />
      </div>
    </Dialog>
  )
}

// changes returns the fields in which two forms differ.
function changes(before: Form, after: Form): EditMutation['variables']['input'] {
  const [a, b] = [inputOf(before), inputOf(after)]
  const differ = <T extends object, K extends keyof T>(x: T, y: T, keys: readonly K[]) =>
    Object.fromEntries(keys.filter((k) => JSON.stringify(x[k]) !== JSON.stringify(y[k])).map((k) => [k, y[k]])) as Partial<Pick<T, K>>
  const constraints = differ(a.constraints!, b.constraints!, [
    'tone',
    'cadence',
    'postsPerDay',
    'postingTimes',
    'timezone',
    'requireApproval',
    'budgetCents',
    'excludedTopics',
  ])
  return {
    ...differ(a, b, ['name', 'description', 'objectives', 'kpis', 'durationDays']),
    ...(Object.keys(constraints).length > 0 ? { constraints } : {}),
  }
}
