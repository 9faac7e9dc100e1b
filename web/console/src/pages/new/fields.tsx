import type { Problems } from '../../core/problems'
import { cadenceName } from '../../core/words'
import { useMissionLimits } from '../../text/limits'
import { Button } from '../../ui/button'
import { Field, Input, Select } from '../../ui/field'
import type { Form } from './form'

export type Part = { form: Form; set: <K extends keyof Form>(key: K, value: Form[K]) => void; problems: Problems }

// Cadence is how often a mission has a posting day.
export function Cadence({ form, set }: Omit<Part, 'problems'>) {
  return (
    <Select label="Posting days" value={form.cadence} onChange={(e) => set('cadence', e.target.value as Form['cadence'])}>
      {[...new Set([...cadenceName.keys, form.cadence])].map((c) => (
        <option key={c} value={c}>
          {cadenceName(c)}
        </option>
      ))}
    </Select>
  )
}

// Objectives are what a mission is to reach.
export function Objectives({ form, set, problems }: Part) {
  const list = form.objectives
  const limits = useMissionLimits()
  return (
    <div className="stack tight">
      {list.map((o, i) => (
        <Input
          key={i}
          label={i === 0 ? 'Objectives' : <span className="hidden">Objective {i + 1}</span>}
          maxLength={limits.item}
          placeholder={i === 0 ? 'Explain how the new release saves time' : 'Another one'}
          value={o}
          problem={problems[`objectives[${i}]`] ?? (i === 0 ? problems.objectives : undefined)}
          hint={i === 0 && list.length === 1 ? 'What readers should learn, feel or do. Each post serves one.' : undefined}
          onChange={(e) => {
            const next = list.map((x, j) => (j === i ? e.target.value : x))
            // There is always an empty one to go on with.
            if (i === list.length - 1 && e.target.value && list.length < limits.listItems) next.push('')
            set('objectives', next)
          }}
        />
      ))}
    </div>
  )
}

// Times are the times of day of a mission's posts.
export function Times({ form, set, problems }: Part) {
  return (
    <div className="times">
      <Field
        label="Posting times"
        optional
        hint={form.postingTimes.length === 0 ? 'If you set none, the mission learns when your readers are active.' : undefined}
        problem={Object.entries(problems).find(([p]) => p.startsWith('constraints.postingTimes'))?.[1]}
      >
        {(p) => (
          <div className="row wrap" id={p.id} aria-describedby={p['aria-describedby']} data-invalid={p['aria-invalid']}>
            {form.postingTimes.map((t, i) => (
              <input
                key={i}
                type="time"
                className="input short"
                aria-label={`Posting time ${i + 1}`}
                value={t}
                onChange={(e) =>
                  set(
                    'postingTimes',
                    e.target.value
                      ? form.postingTimes.map((x, j) => (j === i ? e.target.value : x))
                      : form.postingTimes.filter((_, j) => j !== i),
                  )
                }
              />
            ))}
            <Button
              icon="plus"
              onClick={() => set('postingTimes', [...form.postingTimes, ['09:00', '12:30', '17:30'][form.postingTimes.length] ?? '20:00'])}
            >
              Add a time
            </Button>
            {form.postingTimes.length > 0 && (
              <Button look="quiet" onClick={() => set('postingTimes', [])}>
                Clear
              </Button>
            )}
          </div>
        )}
      </Field>
    </div>
  )
}
