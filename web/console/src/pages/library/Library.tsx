import { Suspense, useState } from 'react'
import { Dialog } from '../../ui/dialog'
import { MediaGrid } from '../../ui/media/MediaGrid'
import { PageHead, Skeleton } from '../../ui/parts'
import { Details } from './Details'

// Library is the pictures and videos that posts can have.
export default function Library() {
  const [open, setOpen] = useState<string | null>(null)
  const close = () => setOpen(null)
  return (
    <div className="page">
      <PageHead title="Library" />
      <MediaGrid onPick={(f) => setOpen(f.id)} />
      {open && (
        <Dialog kind="drawer" title="File" onClose={close}>
          <Suspense fallback={<Skeleton lines={5} />}>
            <Details id={open} onGone={close} />
          </Suspense>
        </Dialog>
      )}
    </div>
  )
}
