import { Suspense, useState } from 'react'
import { plural } from '../../core/format'
import { Boundary } from '../Boundary'
import { Dialog } from '../dialog'
import { Choices } from '../menu'
import { Skeleton } from '../parts'
import { type MediaFile, MediaGrid } from './MediaGrid'

// MediaPicker lets a person choose files of the library, and add to it. What is uploaded here is
// chosen once it was examined.
export default function MediaPicker({
  most = 20,
  files,
  onClose,
  onChoose,
}: {
  // most is how many may be chosen.
  most?: number
  // files are sent at once: those that were dropped elsewhere.
  files?: readonly File[]
  onClose: () => void
  onChoose: (files: MediaFile[]) => void
}) {
  const [chosen, setChosen] = useState<readonly MediaFile[]>([])
  const has = (f: MediaFile) => chosen.some((c) => c.id === f.id)
  const full = chosen.length >= most
  return (
    <Dialog
      kind="wide"
      title="Choose files"
      about={most === 1 ? undefined : `Up to ${plural(most, 'file')}.`}
      onClose={onClose}
      footer={
        <Choices
          yes={chosen.length > 1 ? `Add ${chosen.length} files` : 'Add file'}
          disabled={chosen.length === 0}
          onNo={onClose}
          onYes={() => onChoose([...chosen])}
        />
      }
    >
      <Boundary place="media" small>
        <Suspense fallback={<Skeleton lines={5} />}>
          <MediaGrid
            files={files}
            picked={new Set(chosen.map((c) => c.id))}
            onPick={(f) =>
              setChosen((all) => {
                if (all.some((c) => c.id === f.id)) return all.filter((c) => c.id !== f.id)
                return most === 1 ? [f] : all.length < most ? [...all, f] : all
              })
            }
            onArrived={(f) => !full && !has(f) && setChosen((all) => (all.length < most ? [...all, f] : all))}
          />
          {full && most > 1 && (
            <p className="small muted" role="status">
              No more than {plural(most, 'file')} can be added.
            </p>
          )}
        </Suspense>
      </Boundary>
    </Dialog>
  )
}
