import { serviceNow } from '../../core/clock'
import { Button, IconButton } from '../../ui/button'
import { Input, TextArea } from '../../ui/field'
import { Badge } from '../../ui/parts'
import type { FormFact, Part } from './brandForm'

// The service's limits.
const most = { examples: 10, example: 1000, facts: 30, fact: 300 }

const without = <T,>(list: readonly T[], i: number) => list.filter((_, j) => j !== i)
const changed = <T,>(list: readonly T[], i: number, to: T) => list.map((x, j) => (j === i ? to : x))

// Examples are posts that are as the brand's should be.
export function Examples({ form, set, problems }: Part) {
  const list = form.examples
  return (
    <fieldset className="stack">
      <legend className="legend">Examples</legend>
      <p className="small muted">Posts that sound as yours should. The writer takes them as models.</p>
      {list.map((text, i) => (
        <TextArea
          key={i}
          label={`Example ${i + 1}`}
          maxLength={most.example}
          dir="auto"
          value={text}
          problem={problems[`brand.examples[${i}]`] ?? (i === 0 ? problems['brand.examples'] : null)}
          aside={<IconButton icon="trash" label={`Remove example ${i + 1}`} onClick={() => set({ examples: without(list, i) })} />}
          onChange={(e) => set({ examples: changed(list, i, e.target.value) })}
        />
      ))}
      {list.length < most.examples && (
        <div>
          <Button icon="plus" onClick={() => set({ examples: [...list, ''] })}>
            Add an example
          </Button>
        </div>
      )}
    </fieldset>
  )
}

// Facts are what posts may state, each with where it stands and until when it holds.
export function Facts({ form, set, problems }: Part) {
  const list = form.facts
  const change = (i: number, to: Partial<FormFact>) => set({ facts: changed(list, i, { ...list[i]!, ...to }) })
  const of = (i: number, field: string) => problems[`brand.facts[${i}].${field}`]
  return (
    <fieldset className="stack">
      <legend className="legend">Facts</legend>
      <p className="small muted">Figures and claims that posts may state. The writer states no others.</p>
      {list.map((f, i) => (
        <div key={i} className="fact stack tight">
          <Input
            label={
              <>
                Fact {i + 1} {f.at && Date.parse(f.at) <= serviceNow() && <Badge tone="warn">Expired</Badge>}
              </>
            }
            maxLength={most.fact}
            placeholder="Over 4,000 teams use Acme."
            dir="auto"
            value={f.text}
            problem={of(i, 'text') ?? (i === 0 ? problems['brand.facts'] : null)}
            aside={<IconButton icon="trash" label={`Remove fact ${i + 1}`} onClick={() => set({ facts: without(list, i) })} />}
            onChange={(e) => change(i, { text: e.target.value })}
          />
          <div className="pair">
            <Input
              label={`Source of fact ${i + 1}`}
              optional
              maxLength={most.fact}
              placeholder="https://example.com/customers"
              value={f.source}
              problem={of(i, 'source')}
              onChange={(e) => change(i, { source: e.target.value })}
            />
            <Input
              label={`Fact ${i + 1} holds until`}
              optional
              type="date"
              value={f.until}
              problem={of(i, 'expiresAt')}
              onChange={(e) => change(i, { until: e.target.value })}
            />
          </div>
        </div>
      ))}
      {list.length < most.facts && (
        <div>
          <Button icon="plus" onClick={() => set({ facts: [...list, { text: '', source: '', until: '', at: null }] })}>
            Add a fact
          </Button>
        </div>
      )}
    </fieldset>
  )
}
