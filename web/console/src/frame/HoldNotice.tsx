import { graphql } from 'react-relay'
import type { HoldNoticeReleaseMutation } from '../__generated__/HoldNoticeReleaseMutation.graphql'
import type { ShellQuery$data } from '../__generated__/ShellQuery.graphql'
import { useAction } from '../core/action'
import { dateTime } from '../core/format'
import { useKeys } from '../core/keys'
import { useMay } from '../core/session'
import { toast } from '../core/toast'
import { Button } from '../ui/button'
import { Note } from '../ui/parts'

export type Hold = NonNullable<ShellQuery$data['tenantHold']>

// HoldNotice says on every page that nothing goes out, and why.
export function HoldNotice({ hold }: { hold: Hold }) {
  const [release, busy] = useAction<HoldNoticeReleaseMutation>(graphql`
    mutation HoldNoticeReleaseMutation {
      releaseTenant {
        hold {
          since
        }
      }
    }
  `)
  const may = useMay('MISSIONS_WRITE')
  const go = () => release({ variables: {}, done: () => toast('Released. Missions go on where they stopped.') })
  useKeys([{ keys: 'Shift+U', label: 'Release everything', group: 'Everywhere', run: go, off: !may || busy }])
  return (
    <div className="page hold" role="status">
      <Note
        tone="bad"
        actions={
          may && (
            <Button busy={busy} shortcut="Shift+U" onClick={go}>
              Release
            </Button>
          )
        }
      >
        Everything is on hold since {dateTime(hold.since)}: {hold.reason}. Nothing goes out until{' '}
        {hold.until ? dateTime(hold.until) : 'somebody releases it'}.
      </Note>
    </div>
  )
}
