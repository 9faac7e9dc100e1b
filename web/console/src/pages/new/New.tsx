import './new.css'
import { useRef, useState } from 'react'
import { graphql } from 'react-relay'
import { useLocation } from 'wouter'
import type { NewMutation } from '../../__generated__/NewMutation.graphql'
import { useAction } from '../../core/action'
import { type Problems, saidBy } from '../../core/problems'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { useMissionLimits } from '../../text/limits'
import { Button, LinkButton } from '../../ui/button'
import { Field, Input, Segmented, Select, TextArea, useZoneOptions } from '../../ui/field'
import { Empty, Note, PageHead } from '../../ui/parts'
import { Estimate } from './Estimate'
import { Cadence, Objectives, Times } from './fields'
import { about, blank, type Form, inputOf, problemsOf } from './form'
import { Platforms } from './Platforms'
import { Targets } from './Targets'
import { problemsIn, useEstimate } from './useEstimate'
import { useStoredForm } from './useStoredForm'

const mutation = graphql`
  mutation NewMutation($input: CreateMissionInput!) {
    createMission(input: $input) {
      mission {
        id
        status
      }
    }
  }
`

// New is the form of a new mission, with what will come of it beside it.
export default function New() {
  const [, go] = useLocation()
  const { form, setForm, typed, forget } = useStoredForm()
  const limits = useMissionLimits()
  const estimate = useEstimate(form)
  const [touched, setTouched] = useState<ReadonlySet<keyof Form>>(new Set())
  const [said, setSaid] = useState<Problems>({})
  const [tried, setTried] = useState(false)
  const zone = useZoneOptions(form.timezone)
  const [run, busy] = useAction<NewMutation>(mutation)
  const element = useRef<HTMLFormElement>(null)
  const may = useMay('MISSIONS_WRITE')
  const set = <K extends keyof Form>(key: K, value: Form[K]) => {
    setForm({ ...form, [key]: value })
    setSaid({})
    setTouched((before) => new Set(before).add(key))
  }
  // Before the form was sent, only what a person has filled in is said to be wrong.
  const found = Object.entries({ ...problemsIn(estimate.estimate), ...problemsOf(form, limits) })
  const problems: Problems = { ...Object.fromEntries(found.filter(([path]) => tried || touched.has(about(path)))), ...said }
  // toFirst leads to the first field that is wrong, once it says so.
  const toFirst = () =>
    requestAnimationFrame(() => {
      const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid], [data-invalid] button, [role=alert]')
      wrong?.focus()
      wrong?.scrollIntoView({ block: 'center' })
    })
  const submit = () => {
    setTried(true)
    if (busy) return
    if (Object.keys(problemsOf(form, limits)).length > 0) return toFirst()
    run({
      variables: { input: inputOf(form) },
      done: (r) => {
        const m = r.createMission!.mission
        forget()
        toast(m.status === 'ACTIVE' ? 'Started. The first posts come in a moment.' : 'Mission created.')
        go(`/missions/${m.id}`)
      },
      failed: (e) => {
        setSaid(saidBy(e))
        toFirst()
        return true
      },
    })
  }
  const startOver = () => {
    setForm(blank())
    setSaid({})
    setTried(false)
    setTouched(new Set())
    element.current?.querySelector('input')?.focus()
  }
  if (!may)
    return (
      <div className="page">
        <h1 className="hidden">New mission</h1>
        <Empty icon="mission" title="You can’t create missions" actions={<LinkButton href="/missions">All missions</LinkButton>}>
          Ask an administrator to make you an editor.
        </Empty>
      </div>
    )
  const known = /^(name|description|objectives|platforms|integrationIds|mediaIds|durationDays|startsAt|kpis|constraints)/
  const other = Object.entries(problems).filter(([path]) => !known.test(path))
  return (
    <form
      ref={element}
      className="page new"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        submit()
      }}
    >
      <PageHead title="New mission" actions={typed && <Button onClick={startOver}>Start over</Button>} />
      <div className="columns">
        <div className="stack wide">
          {other.map(([path, message]) => (
            <div key={path} role="alert" tabIndex={-1}>
              <Note tone="bad">{message}</Note>
            </div>
          ))}
          <section className="card body stack" aria-labelledby="what">
            <h2 id="what">Goal</h2>
            <Input
              label="Name"
              autoFocus
              maxLength={limits.name}
              placeholder="Autumn launch"
              value={form.name}
              problem={problems.name}
              onChange={(e) => set('name', e.target.value)}
            />
            <Objectives form={form} set={set} problems={problems} />
            <TextArea
              label="About"
              optional
              hint="What posts may say, in whole sentences: the product, dates, an offer, a link. The built-in writer quotes them."
              maxLength={limits.description}
              value={form.description}
              problem={problems.description}
              onChange={(e) => set('description', e.target.value)}
            />
          </section>
          <section className="card body stack" aria-labelledby="where">
            <h2 id="where">Platforms</h2>
            <Platforms form={form} set={set} problem={problems.platforms ?? problems.integrationIds ?? problems.mediaIds} />
          </section>
          <section className="card body stack" aria-labelledby="when">
            <h2 id="when">Schedule</h2>
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
            <Field label="Start">
              {() => (
                <Segmented
                  label="Start"
                  value={form.start}
                  options={[
                    { value: 'now', label: 'Now' },
                    { value: 'at', label: 'At a date' },
                    { value: 'draft', label: 'Save as a draft' },
                  ]}
                  onChange={(v) => set('start', v)}
                />
              )}
            </Field>
            {form.start === 'at' && (
              <Input
                type="datetime-local"
                label="Starts"
                hint={form.timezone}
                value={form.startsAt}
                problem={problems.startsAt}
                onChange={(e) => set('startsAt', e.target.value)}
              />
            )}
          </section>
          <section className="card body stack" aria-labelledby="how">
            <h2 id="how">Writing and approval</h2>
            <label className="row switch-row">
              <input
                type="checkbox"
                className="switch"
                checked={form.requireApproval}
                onChange={(e) => set('requireApproval', e.target.checked)}
              />
              <span>
                A person approves each post
                <br />
                <span className="small muted">
                  {form.requireApproval
                    ? 'Posts wait in the inbox. A post that nobody approves in time isn’t published.'
                    : 'Posts are published without review.'}
                </span>
              </span>
            </label>
            <div className="two">
              <Input
                label="Tone"
                optional
                maxLength={limits.tone}
                placeholder="warm, concrete"
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
              hint="Topics, separated by commas. A post that mentions one isn’t published."
              value={form.excludedTopics}
              problem={Object.entries(problems).find(([p]) => p.startsWith('constraints.excludedTopics'))?.[1]}
              onChange={(e) => set('excludedTopics', e.target.value)}
            />
          </section>
          <Targets form={form} set={set} problems={problems} />
        </div>
        <Estimate form={form} of={estimate}>
          <Button type="submit" look="primary" big busy={busy}>
            {form.start === 'now' ? 'Start the mission' : form.start === 'at' ? 'Schedule the mission' : 'Save the draft'}
          </Button>
        </Estimate>
      </div>
    </form>
  )
}
