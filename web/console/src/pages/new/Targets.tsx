import type { Metric, Platform } from '../../core/enums'
import type { Problems } from '../../core/problems'
import { metricName } from '../../core/words'
import { usePlatforms } from '../../text/limits'
import { Button, IconButton } from '../../ui/button'
import { Input, Select } from '../../ui/field'
import { platformName } from '../../ui/platform'
import type { Form } from './form'

type Props = { form: Form; set: <K extends keyof Form>(key: K, value: Form[K]) => void; problems: Problems }

const metrics = metricName.keys

// Targets are what a mission is measured against.
export function Targets({ form, set, problems }: Props) {
  const all = usePlatforms()
  const { kpis } = form
  const change = (i: number, part: Partial<Form['kpis'][number]>) =>
    set(
      'kpis',
      kpis.map((k, j) => (j === i ? { ...k, ...part } : k)),
    )
  const unused = metrics.find((m) => !kpis.some((k) => k.metric === m)) ?? 'LIKES'
  return (
    <section className="card body stack" aria-labelledby="targets">
      <div className="row spread">
        <h2 id="targets">Targets</h2>
        <Button
          icon="plus"
          onClick={() => set('kpis', [...kpis, { metric: kpis.length === 0 ? 'IMPRESSIONS' : unused, target: '', platform: '' }])}
        >
          Add a target
        </Button>
      </div>
      {kpis.length === 0 && (
        <p className="small muted">With a target you see each day whether the mission will reach it and what is still needed.</p>
      )}
      {kpis.map((k, i) => {
        const on = k.platform ? [k.platform] : form.platforms
        const silent = on.length > 0 && !on.some((p) => all.find((c) => c.platform === p)?.metrics.includes(k.metric))
        return (
          <div key={i} className="target">
            <Select
              label={i === 0 ? 'Metric' : <span className="hidden">Metric {i + 1}</span>}
              value={k.metric}
              problem={problems[`kpis[${i}].metric`] ?? problems[`kpis[${i}]`]}
              hint={silent ? 'None of the chosen platforms reports this metric.' : undefined}
              onChange={(e) => change(i, { metric: e.target.value as Metric })}
            >
              {metrics.map((m) => (
                <option key={m} value={m}>
                  {metricName(m)}
                </option>
              ))}
            </Select>
            <Input
              label={i === 0 ? k.metric === 'ENGAGEMENT_RATE' ? 'Target, %' : 'Target' : <span className="hidden">Target {i + 1}</span>}
              inputMode="decimal"
              value={k.target}
              problem={problems[`kpis[${i}].target`]}
              onChange={(e) => change(i, { target: e.target.value })}
            />
            <Select
              label={i === 0 ? 'Platform' : <span className="hidden">Platform of target {i + 1}</span>}
              value={k.platform}
              problem={problems[`kpis[${i}].platform`]}
              onChange={(e) => change(i, { platform: e.target.value as Platform | '' })}
            >
              <option value="">all platforms</option>
              {form.platforms.map((p) => (
                <option key={p} value={p}>
                  {platformName(p)}
                </option>
              ))}
            </Select>
            <IconButton
              icon="trash"
              label={`Remove target ${i + 1}`}
              onClick={() =>
                set(
                  'kpis',
                  kpis.filter((_, j) => j !== i),
                )
              }
            />
          </div>
        )
      })}
    </section>
  )
}
