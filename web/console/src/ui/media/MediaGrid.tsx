import './media.css'
import { Suspense, useEffect, useRef, useState } from 'react'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import type { MediaGrid_list$data, MediaGrid_list$key } from '../../__generated__/MediaGrid_list.graphql'
import type { MediaGridListQuery } from '../../__generated__/MediaGridListQuery.graphql'
import type { MediaFilter, MediaGridQuery } from '../../__generated__/MediaGridQuery.graphql'
import { useRefresh, useRenew } from '../../core/live'
import { useMay } from '../../core/session'
import { Behind } from '../behind'
import { Button } from '../button'
import { Icon } from '../icons'
import { Empty, Skeleton } from '../parts'
import { State } from '../status'
import { MediaThumb } from './MediaThumb'
import { accepted } from './upload'
import { Uploads } from './UploadList'
import { uploads } from './uploads'
import { useFiles } from './useFiles'
import { kindName, mediaState } from './words'

export type MediaFile = NonNullable<MediaGrid_list$data['mediaLibrary']>['edges'][number]['node']

const filters = {
  '': ['All files', {}],
  pictures: ['Pictures', { kind: 'IMAGE' }],
  animations: ['GIFs', { kind: 'ANIMATION' }],
  videos: ['Videos', { kind: 'VIDEO' }],
  unused: ['In no post', { unused: true }],
  failed: ['Unusable', { status: 'FAILED' }],
} satisfies Record<string, [string, MediaFilter]>

type Props = {
  onPick: (file: MediaFile) => void
  // picked says which are chosen, where files are chosen.
  picked?: ReadonlySet<string>
  // onArrived is called with each file that was uploaded here, once posts can have it.
  onArrived?: (file: MediaFile) => void
  // files are sent at once: those that were dropped elsewhere.
  files?: readonly File[]
}

// MediaGrid is the library's files, newest first: found by their words, and added to by a button,
// by dropping and by pasting.
export function MediaGrid({ files, ...props }: Props) {
  const may = useMay('CONTENT_WRITE')
  const [filter, setFilter] = useState<keyof typeof filters>('')
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [arrived, setArrived] = useState<readonly string[]>([])
  const told = useRef(new Set<string>())
  const field = useRef<HTMLInputElement>(null)
  const add = (list: Iterable<File>) => uploads.add(list, (id) => setArrived((all) => [...all, id]))
  const [place, over] = useFiles(add, !may)
  useEffect(() => {
    if (files?.length) add(files)
  }, [files])
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={`library searched ${over ? 'over' : ''}`} {...place}>
      <div className="row wrap filters">
        {may && (
          <>
            <Button look="primary" icon="plus" onClick={() => field.current?.click()}>
              Upload files
            </Button>
            <span className="small muted">or drop or paste them here</span>
          </>
        )}
        <span className="grow" />
        <label className="search row">
          <Icon name="search" />
          <span className="hidden">Search descriptions and alt texts</span>
          <input type="search" placeholder="Search descriptions" maxLength={100} value={text} onChange={(e) => setText(e.target.value)} />
        </label>
        <select className="input" aria-label="Show" value={filter} onChange={(e) => setFilter(e.target.value as keyof typeof filters)}>
          {Object.entries(filters).map(([value, [name]]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {may && (
        <input
          ref={field}
          type="file"
          hidden
          multiple
          accept={accepted}
          aria-label="Files to upload"
          onChange={(e) => (add([...e.target.files!]), (e.target.value = ''))}
        />
      )}
      <Uploads />
      <Suspense key={`${filter} ${search}`} fallback={<Skeleton lines={5} />}>
        <Tiles
          {...props}
          filter={{ ...filters[filter][1], search: search || null }}
          arrived={arrived}
          told={told.current}
          filtered={!!(filter || search)}
        />
      </Suspense>
    </div>
  )
}

function Tiles({
  filter,
  filtered,
  arrived,
  told,
  onPick,
  picked,
  onArrived,
}: Props & { filter: MediaFilter; filtered: boolean; arrived: readonly string[]; told: Set<string> }) {
  const query = useLazyLoadQuery<MediaGridQuery>(
    graphql`
      query MediaGridQuery($filter: MediaFilter) {
        ...MediaGrid_list @arguments(filter: $filter)
      }
    `,
    { filter },
    { fetchPolicy: 'store-and-network' },
  )
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<MediaGridListQuery, MediaGrid_list$key>(
    graphql`
      fragment MediaGrid_list on Query
      @refetchable(queryName: "MediaGridListQuery")
      @argumentDefinitions(filter: { type: "MediaFilter" }, count: { type: "Int", defaultValue: 24 }, cursor: { type: "String" }) {
        mediaLibrary(filter: $filter, first: $count, after: $cursor) @connection(key: "MediaGrid_mediaLibrary") {
          edges {
            node {
              id
              kind
              status
              contentType
              bytes
              width
              height
              durationMs
              altText
              description
              url
              variants {
                contentType
                bytes
                url
              }
            }
          }
        }
      }
    `,
    query,
  )
  // One that was deleted here is null until the list is read again.
  const files = (data.mediaLibrary?.edges ?? []).flatMap((e) => e.node ?? [])
  const { renew, behind, begin } = useRenew(files.length, 24, refetch)
  useRefresh(['MEDIA_'], renew)
  // What was uploaded comes into the list at once, and is told when posts can have it.
  const latest = useRef({ begin, onArrived })
  useEffect(() => {
    latest.current = { begin, onArrived }
  })
  useEffect(() => {
    if (arrived.length > 0) latest.current.begin()
  }, [arrived])
  useEffect(() => {
    for (const f of files) {
      if (f.status !== 'READY' || !arrived.includes(f.id) || told.has(f.id)) continue
      told.add(f.id)
      latest.current.onArrived?.(f)
    }
  })
  if (files.length === 0 && !hasNext)
    return (
      <Empty icon={filtered ? 'search' : 'picture'} title={filtered ? 'No file is like that' : 'No files yet'}>
        {filtered
          ? 'Search for other words, or look at all files.'
          : 'Upload pictures and videos once, and give them to any post. JPEG, PNG, WebP, GIF and HEIC up to 20 MB, MP4 and MOV up to 512 MB.'}
      </Empty>
    )
  return (
    <>
      {behind && <Behind onBegin={begin} />}
      <ul className="tiles" aria-label="Files">
        {files.map((f) => (
          <li key={f.id}>
            <button
              type="button"
              className="tile"
              aria-pressed={picked && picked.has(f.id)}
              disabled={picked && f.status !== 'READY'}
              onClick={() => onPick(f)}
            >
              <MediaThumb file={f} />
              <span className="clip small" dir="auto">
                {f.altText || f.description || <span className="muted">No alt text</span>}
              </span>
              {f.status !== 'READY' ? (
                <State of={mediaState(f.status)} />
              ) : (
                <span className="xsmall muted">{f.kind ? kindName(f.kind) : f.contentType}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {hasNext && (
        <p>
          <Button busy={isLoadingNext} onClick={() => loadNext(24)}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}
