import { useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { fetchQuery, type GraphQLTaggedNode, graphql } from 'react-relay'
import type { OperationType } from 'relay-runtime'
import { useLocation } from 'wouter'
import type { PalettePostsQuery, PalettePostsQuery$data } from '../__generated__/PalettePostsQuery.graphql'
import type { PaletteQuery, PaletteQuery$data } from '../__generated__/PaletteQuery.graphql'
import { shortcuts } from '../core/keys'
import { environment } from '../core/relay'
import { Kbd } from '../ui/button'
import { Icon, type IconName } from '../ui/icons'
import { platformName } from '../ui/platform'
import { contentStatusName } from '../ui/status'
import { places } from './routes'
import './palette.css'

const query = graphql`
  query PaletteQuery($search: String) {
    missions(filter: { search: $search }, first: 8) {
      edges {
        node {
          id
          name
          status
        }
      }
    }
  }
`

const postsQuery = graphql`
  query PalettePostsQuery($text: String!) {
    contents(filter: { search: $text }, first: 8) {
      edges {
        node {
          id
          text
          platform
          status
        }
      }
    }
  }
`

type Option = { key: string; label: string; about?: string; icon: IconName; hint?: string; run: () => void }

// Palette finds pages, missions, and what the page behind it can do.
export default function Palette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [bindings] = useState(() => shortcuts.all().filter((b) => b.group !== 'Go' && b.keys !== 'Ctrl+k' && b.keys !== '?'))
  const answer = useFound(useDeferredValue(text.trim()))
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const word = text.trim().toLowerCase()
  // Until the answer for the text has come, those of the one before that still match.
  const answered = answer.search === text.trim()
  const missions = answered ? answer.found : answer.found.filter((m) => m.name.toLowerCase().includes(word))
  const posts = answered ? answer.posts : answer.posts.filter((c) => c.text.toLowerCase().includes(word))
  const all: Option[] = [
    ...bindings.map((b) => ({ key: b.keys, label: b.label, icon: 'right' as const, hint: b.keys, run: b.run })),
    ...places.map((p) => ({ key: p.path, label: p.title, icon: p.icon, hint: `g ${p.key}`, run: () => go(p.path) })),
    { key: '?', label: 'Shortcuts', icon: 'keyboard', hint: '?', run: onShortcuts },
  ].filter((o) => o.label.toLowerCase().includes(word)) as Option[]
  const found: Option[] = [
    ...all,
    ...missions.map((m) => ({
      key: m.id,
      label: m.name,
      about: m.status.toLowerCase(),
      icon: 'mission' as const,
      run: () => go(`/missions/${m.id}`),
    })),
    ...posts.map((c) => ({
      key: c.id,
      label: c.text,
      about: `${platformName(c.platform)}, ${contentStatusName(c.status).toLowerCase()}`,
      icon: 'edit' as const,
      run: () => go(`/posts/${c.id}`),
    })),
  ]
  const current = Math.min(at, found.length - 1)
  const choose = (o: Option | undefined) => {
    if (!o) return
    onClose()
    o.run()
  }
  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Find"
      onCancel={(e) => (e.preventDefault(), onClose())}
      onPointerDown={(e) => e.target === e.currentTarget && onClose()}
    >
      <div className="row find">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={current >= 0 ? `${id}${current}` : undefined}
          aria-label="Find a page, a mission, a post or an action"
          placeholder="Find a page, a mission, a post or an action"
          value={text}
          onChange={(e) => {
            setText(e.target.value)
            setAt(0)
          }}
          onKeyDown={(e) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[e.key]
            if (step && found.length > 0) {
              e.preventDefault()
              setAt((current + step + found.length) % found.length)
            }
            if (e.key === 'Enter') {
              e.preventDefault()
              choose(found[current])
            }
          }}
        />
      </div>
      <ul id={id} role="listbox" aria-label="Found">
        {found.map((o, i) => (
          <li
            key={o.key}
            id={`${id}${i}`}
            role="option"
            aria-selected={i === current}
            onPointerMove={() => setAt(i)}
            onClick={() => choose(o)}
            ref={i === current ? show : undefined}
          >
            <Icon name={o.icon} />
            <span className="clip" dir="auto">
              {o.label}
            </span>
            {o.about && <span className="faint xsmall">{o.about}</span>}
            <span className="grow" />
            {o.hint?.split(/[ +]/).map((k, j) => (
              <Kbd key={j}>{k}</Kbd>
            ))}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="none muted small">Nothing found for “{text}”.</p>}
    </dialog>
  )
}

const show = (el: HTMLElement | null) => el?.scrollIntoView({ block: 'nearest' })

type Found = NonNullable<PaletteQuery$data['missions']>['edges'][number]['node']
type FoundPost = NonNullable<PalettePostsQuery$data['contents']>['edges'][number]['node']
type Answer = { search: string; found: readonly Found[]; posts: readonly FoundPost[] }

// The service's limit of a search of posts, in characters.
const longest = 100

// useFound returns the missions whose names have the words of the last search that was answered, and
// the posts whose texts have them.
function useFound(search: string): Answer {
  const missions = useAnswer<PaletteQuery, Found>(query, search, { search: search || null }, (data) => data.missions)
  const posts = useAnswer<PalettePostsQuery, FoundPost>(
    postsQuery,
    search,
    search ? { text: search.slice(0, longest) } : null,
    (data) => data.contents,
  )
  return { search: missions.search === posts.search ? posts.search : '', found: missions.found, posts: posts.found }
}

type Listed<T> = { readonly edges: readonly { readonly node: T }[] } | null | undefined

// useAnswer returns what the last search found that was answered; nothing is asked without variables.
function useAnswer<Q extends OperationType, T>(
  asked: GraphQLTaggedNode,
  search: string,
  variables: Q['variables'] | null,
  of: (data: Q['response']) => Listed<T>,
) {
  const [answer, setAnswer] = useState<{ search: string; found: readonly T[] }>({ search: '', found: [] })
  const latest = useRef({ variables, of })
  useEffect(() => {
    latest.current = { variables, of }
  })
  useEffect(() => {
    const { variables, of } = latest.current
    if (!variables) return setAnswer({ search, found: [] })
    const request = fetchQuery<Q>(environment, asked, variables).subscribe({
      next: (data) => setAnswer({ search, found: of(data)?.edges.map((e) => e.node) ?? [] }),
      error: () => setAnswer({ search, found: [] }),
    })
    return () => request.unsubscribe()
  }, [asked, search])
  return answer
}
