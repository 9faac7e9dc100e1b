import { graphql, useFragment } from 'react-relay'
import type { Pipeline_job$key } from '../../__generated__/Pipeline_job.graphql'
import { sentence, span } from '../../core/format'
import { stageAbout, stageName } from '../../core/words'
import { Icon } from '../../ui/icons'
import { Note } from '../../ui/parts'
import { RunBadge } from '../../ui/status'

// Pipeline is a cycle's six stages, as they run. It is titled where its cycle and state stand
// above it already.
export function Pipeline({ job, retry, titled }: { job: Pipeline_job$key; retry?: () => void; titled?: boolean }) {
  const j = useFragment(
    graphql`
      fragment Pipeline_job on Job {
        id
        cycle
        status
        currentStage
        progressPercent
        error {
          code
          message
        }
        stages {
          name
          status
          progressPercent
          durationMs
          attempts
          error {
            message
          }
        }
      }
    `,
    job,
  )
  return (
    <div className="pipeline">
      {!titled && (
        <div className="row spread">
          <p className="strong">Cycle {j.cycle}</p>
          <RunBadge status={j.status} />
        </div>
      )}
      <ol>
        {j.stages.map((s) => (
          <li key={s.name} className={s.status.toLowerCase()} title={`${stageName(s.name)} ${stageAbout(s.name)}`}>
            <span className="dot" aria-hidden="true">
              {s.status === 'COMPLETED' && <Icon name="check" size={12} />}
              {s.status === 'FAILED' && <Icon name="x" size={12} />}
            </span>
            <span className="name">{stageName(s.name)}</span>
            <span className="xsmall muted num">
              {s.status === 'RUNNING' ? (
                `${s.progressPercent} %`
              ) : s.durationMs != null ? (
                span(s.durationMs)
              ) : (
                <span className="hidden">{s.status.toLowerCase()}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {j.stages
        .filter((s) => s.error && s.status !== 'PENDING')
        .map((s) => (
          <Note
            key={s.name}
            tone={s.status === 'FAILED' ? 'bad' : 'warn'}
            actions={
              s.status === 'FAILED' &&
              retry && (
                <button type="button" className="btn" onClick={retry}>
                  <Icon name="redo" />
                  Retry
                </button>
              )
            }
          >
            <strong>{stageName(s.name)}:</strong> {s.error && sentence(s.error.message)}
            {s.attempts > 1 && <span className="muted"> ({s.attempts} attempts)</span>}
          </Note>
        ))}
    </div>
  )
}
