import type { ReactNode } from 'react'
import { useNow } from '../../app/clock'
import { count, dateOf, formatDate, list, plural } from '../../app/format'
import { addDays, noon } from '../../app/zone'
import { type Form, postingDays } from './form'

// Estimate is what will come of a form, as it is now.
export function Estimate({ form, children }: { form: Form; children: ReactNode }) {
  const now = useNow()
  const first = form.start === 'at' && form.startsAt ? form.startsAt.slice(0, 10) : dateOf(now, form.timezone)
  const days = postingDays(form, first)
  const perDay = Number(form.postsPerDay) || 0
  const end = addDays(first, Number(form.durationDays) || 0)
  const long = (d: string) => formatDate(noon(d), { weekday: 'short', day: 'numeric', month: 'long' })
  const posts = days.length * perDay
  return (
    <aside className="estimate">
      <div className="card body stack">
        <h2>What comes of it</h2>
        <p className="figure"><strong className="num">{count(posts)}</strong> <span className="muted">{posts === 1 ? 'post' : 'posts'} on {plural(days.length, 'day')}</span></p>
        <dl className="small facts-list">
          <div><dt>Starts</dt><dd>{form.start === 'now' ? 'at once' : form.start === 'at' ? (form.startsAt ? long(first) : '–') : 'when you start it'}</dd></div>
          <div><dt>Ends</dt><dd>{form.start === 'draft' ? `${plural(Number(form.durationDays) || 0, 'day')} later` : Number(form.durationDays) > 0 ? long(end) : '–'}</dd></div>
          {days.length > 0 && form.start !== 'draft' && <div><dt>First days</dt><dd>{list(days.slice(0, 3).map((d) => formatDate(noon(d), { day: 'numeric', month: 'short' })))}</dd></div>}
          {form.platforms.length > 0 && posts > 0 && <div><dt>A platform</dt><dd>about {plural(Math.max(1, Math.round(posts / form.platforms.length)), 'post')}</dd></div>}
        </dl>
        {children}
        <p className="xsmall muted">{form.start === 'now' ? 'It plans and writes the first day’s posts within seconds. You can pause it at any time.' : 'You can change all of this until it starts, and most of it after.'}</p>
      </div>
    </aside>
  )
}
