import './chart.css'

// A Mark is how a chart draws something, by its class in the chart.
type Mark = 'line' | 'target' | 'needed' | 'estimate' | 'whisker' | 'zero'

// Legend names what a chart draws, each beside a sample: marks differ by their shape, not
// by their colour alone.
export function Legend({ items }: { items: readonly (readonly [Mark, string])[] }) {
  return (
    <ul className="legend xsmall muted" aria-label="Legend">
      {items.map(([mark, name]) => (
        <li key={mark}>
          <svg viewBox="0 0 22 12" aria-hidden="true">
            {mark === 'estimate' ? (
              <circle cx={11} cy={6} r={4} />
            ) : mark === 'zero' ? (
              <line className={mark} x1={11} x2={11} y1={0} y2={12} />
            ) : (
              <line className={mark} x1={2} x2={20} y1={6} y2={6} />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
