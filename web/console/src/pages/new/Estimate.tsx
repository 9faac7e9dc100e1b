import type { ReactNode } from 'react'
import { count, dateTime, day, money, readable } from '../../core/format'
import { Button } from '../../ui/button'
import { Note } from '../../ui/parts'
import { PlatformMark, platformName } from '../../ui/platform'
import type { Form } from './form'
import type { useEstimate } from './useEstimate'

// Estimate is what is expected to come of a form.
export function Estimate({
  form,
  of: { estimate: e, failed, again },
  children,
}: {
  form: Form
  of: ReturnType<typeof useEstimate>
  children: ReactNode
}) {
  const posts = e?.estimatedPosts ?? null
  return (
    <aside className="estimate">
      <div className="card body stack">
        <h2>Plan</h2>
        <div role="status" className="stack">
          <p className="figure">
            <strong className="num">{posts === null ? '–' : count(posts)}</strong>{' '}
            <span className="muted">{posts === 1 ? 'post' : 'posts'}</span>
          </p>
          <dl className="small facts-list">
            <div>
              <dt>Ends</dt>
              <dd>{e?.endsAt ? day(e.endsAt, form.timezone) : form.start === 'draft' ? 'depends on its start' : '–'}</dd>
            </div>
            {e?.estimatedCostCents != null && (
              <div>
                <dt>Costs about</dt>
                <dd>{money(e.estimatedCostCents)}</dd>
              </div>
            )}
          </dl>
        </div>
        {e?.notices.map((n) => (
          <Note key={n.param} tone="warn">
            {readable(n.message)}
          </Note>
        ))}
        {e && e.firstSlots.length > 0 && (
          <details open>
            <summary className="small">
              First posts <span className="xsmall muted">{form.timezone}</span>
            </summary>
            <ol className="plain small slots" aria-label="First posts">
              {e.firstSlots.map((s, i) => (
                <li key={i} className="row">
                  <PlatformMark platform={s.platform} quiet />
                  <span className="grow clip">
                    {platformName(s.platform)}
                    {s.accountHandle && ` @${s.accountHandle}`}
                  </span>
                  <time dateTime={s.at} className="num">
                    {dateTime(s.at, form.timezone)}
                  </time>
                </li>
              ))}
            </ol>
          </details>
        )}
        {failed && (
          <div role="alert">
            <Note tone="bad" actions={<Button onClick={again}>Try again</Button>}>
              The plan couldn’t be estimated. Your input is kept.
            </Note>
          </div>
        )}
        {children}
        <p className="xsmall muted">
          {form.start === 'now'
            ? 'It plans and writes the first day’s posts within seconds. You can pause it at any time.'
            : 'You can change everything until it starts, and most of it afterwards.'}
        </p>
      </div>
    </aside>
  )
}
