// The console's icons: strokes on a grid of 16.
const paths = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  inbox: 'M2.5 9.5 4.5 3h7l2 6.5v4h-11zM2.5 9.5H6c.3 1.2 1 1.8 2 1.8s1.7-.6 2-1.8h3.5',
  mission: 'M3 14V2.5M3 3h8.5L10 6l1.5 3H3',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3',
  chart: 'M2.5 13.5h11M4.5 11V8M8 11V4M11.5 11V6',
  activity: 'M1.5 8.5h3L6.5 3l3 10 2-4.5h3',
  plug: 'M5.5 2v3M10.5 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  plus: 'M8 3v10M3 8h10',
  check: 'M3 8.5 6.5 12 13 4.5',
  x: 'm4 4 8 8M12 4l-8 8',
  edit: 'M3 13h2.5L13 5.5 10.5 3 3 10.5zM9 4.5 11.5 7',
  redo: 'M13 3v3.5H9.5M12.7 6.5A5 5 0 1 0 13 9',
  undo: 'M3 3v3.5h3.5M3.3 6.5A5 5 0 1 1 3 9',
  diff: 'M8 2.5v6M5 5.5h6M5 12.5h6',
  clock: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'm5 3 8 5-8 5z',
  flag: 'M4 14V2.5h7.5l-2 2.7 2 2.8H4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'm4 6 4 4 4-4',
  save: 'M8 2.5v7.5M5 7l3 3 3-3M2.5 13.5h11',
  left: 'm10 4-4 4 4 4',
  right: 'm6 4 4 4-4 4',
  search: 'm10.5 10.5 3 3M12 7a5 5 0 1 1-10 0 5 5 0 0 1 10 0',
  bell: 'M4 11.5V7a4 4 0 0 1 8 0v4.5l1 1H3zM6.7 14.2h2.6',
  warn: 'M8 2.5 14.5 13.5h-13zM8 6.5V10M8 11.9v.01',
  info: 'M8 7.5V11M8 5v.01M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0',
  link: 'M6.5 9.5a2.5 2.5 0 0 0 3.7.2l2.1-2.1a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.5 6.5a2.5 2.5 0 0 0-3.7-.2L3.7 8.4a2.6 2.6 0 0 0 3.7 3.7l.9-.9',
  out: 'M9 3h4v4M13 3 7.5 8.5M11.5 9.5v4h-9v-9h4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  trash: 'M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4',
  user: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8M3 13.5c.5-2.5 2.4-3.8 5-3.8s4.5 1.3 5 3.8',
  sun: 'M8 10.8A2.8 2.8 0 1 0 8 5.2a2.8 2.8 0 0 0 0 5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M4.5 9.5h7',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  bulb: 'M6 11.5h4M6.5 13.8h3M5.7 9.5a3.8 3.8 0 1 1 4.6 0c-.3.3-.4.6-.4 1H6.1c0-.4-.1-.7-.4-1',
  target: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0M8 8v.01',
  coins:
    'M10.5 5c0 1.1-1.8 2-4 2s-4-.9-4-2 1.8-2 4-2 4 .9 4 2M2.5 5v6c0 1.1 1.8 2 4 2M10.5 5v1.5M14 9c0 1-1.5 1.8-3.5 1.8S7 10 7 9s1.5-1.8 3.5-1.8S14 8 14 9M7 9v3c0 1 1.5 1.8 3.5 1.8S14 13 14 12V9',
  key: 'M9.5 6.5a3 3 0 1 1 .8.8L13.5 10.5v2h-2v-1.5H10V9.5L9.5 9',
  webhook: 'M8 6.5a2.3 2.3 0 1 0-2-1.2L4 9.5M8 4.5l2.3 4.2a2.3 2.3 0 1 1-.5 3.8M4.3 9.2A2.3 2.3 0 1 0 6 11.5h4',
  picture: 'M2.5 3h11v10h-11zM3 11.5 6.5 8l2.5 2.5L11 9l2.5 2.5M10.5 6h.01',
  reply: 'M6.5 4 3 7.5 6.5 11M3 7.5h6.5a3.5 3.5 0 0 1 3.5 3.5v1.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const heavy = name === 'more'
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={heavy ? 2.4 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
