import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Proof_content$key } from '../../__generated__/Proof_content.graphql'
import { count, plural, readable } from '../../core/format'
import { inWords, table } from '../../core/table'
import { angleName } from '../../core/words'
import { Card } from '../../ui/parts'
import { Time } from '../../ui/time'

const compared = table<string, string>(
  {
    PENDING: 'Not compared yet',
    AS_APPROVED: 'It shows what was approved',
    DIFFERS: 'Somebody changed it there',
    NOT_POSSIBLE: 'It can’t be asked',
  },
  inWords,
)

// Proof is what the post was made from and checked against, and what of it was disclosed: the short
// form of its editorial record.
export function Proof({ content, zone }: { content: Proof_content$key; zone?: string }) {
  const c = useFragment(
    graphql`
      fragment Proof_content on Content {
        status
        angle
        objective
        unreviewed
        repeats {
          id
          publishedAt
        }
        facts {
          text
          source
        }
        links {
          url
          sentUrl
          clicks
        }
        disclosure {
          line
          madeWithAi
          paidPartnership
        }
        verdict {
          checks {
            rule
            passed
            message
          }
        }
        record {
          writerShare
          restsOn {
            contentId
          }
          readback {
            state
            checkedAt
          }
        }
      }
    `,
    content,
  )
  const { checks } = c.verdict
  const failed = checks.filter((k) => !k.passed)
  const disclosed = [
    c.disclosure.line,
    c.disclosure.madeWithAi && 'Made with AI',
    c.disclosure.paidPartnership && 'Paid partnership',
  ].filter(Boolean)
  const rows: [string, React.ReactNode][] = [
    ['Objective', c.objective],
    ['Angle', c.angle && angleName(c.angle)],
    [
      'Repeats',
      c.repeats?.publishedAt && (
        <Link className="link" href={`/posts/${c.repeats.id}`}>
          the post of <Time at={c.repeats.publishedAt} zone={zone} />
        </Link>
      ),
    ],
    [
      'Checks',
      failed.length > 0 ? (
        <ul>
          {failed.map((k) => (
            <li key={k.rule} className="bad">
              {readable(k.message ?? inWords(k.rule))}
            </li>
          ))}
        </ul>
      ) : (
        checks.length > 0 && `${plural(checks.length, 'rule')} kept`
      ),
    ],
    [
      'Facts',
      c.facts.length > 0 && (
        <ul>
          {c.facts.map((f) => (
            <li key={f.text}>
              {f.text} {f.source && <span className="muted">({f.source})</span>}
            </li>
          ))}
        </ul>
      ),
    ],
    [
      'Links',
      (c.links ?? []).length > 0 && (
        <ul>
          {c.links?.map((l) => (
            <li key={l.url} className="address">
              {l.sentUrl}
              {l.clicks != null && <span className="muted"> · {plural(l.clicks, 'click')}</span>}
            </li>
          ))}
        </ul>
      ),
    ],
    ['Disclosed', disclosed.length > 0 && disclosed.join(' · ')],
    [
      'Without review',
      c.unreviewed && `Its mission has earned that, by ${plural(c.record?.restsOn.length ?? 0, 'approval')} of other posts`,
    ],
    ['The writer’s words', c.record?.writerShare != null && `${count(Math.round(c.record.writerShare * 100))} % of them are left`],
    [
      'On the platform',
      c.status === 'PUBLISHED' && c.record && (
        <>
          {compared(c.record.readback.state)}
          {c.record.readback.checkedAt && (
            <span className="muted">
              {', '}
              <Time at={c.record.readback.checkedAt} zone={zone} exact />
            </span>
          )}
        </>
      ),
    ],
  ]
  return (
    <Card title="Record">
      <dl className="proof small">
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  )
}
