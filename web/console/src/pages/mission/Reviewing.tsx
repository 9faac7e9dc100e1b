import { useMay } from '../../core/session'
import { Autonomy } from './Autonomy'
import { Links } from './Links'
import { Reviewers } from './Reviewers'

// Reviewing is how a mission's posts are reviewed: by whom, what goes out without, and who may look
// without an account.
export default function Reviewing({ id }: { id: string }) {
  const may = useMay('CONTENT_WRITE')
  return (
    <div className="stack wide">
      <Reviewers id={id} />
      <Autonomy id={id} />
      {may && <Links id={id} />}
    </div>
  )
}
