import { figure } from '../core/format'

// Figure is a table's cell with a metric's value; null is one that isn't known.
export function Figure({ metric, value }: { metric: string; value: number | null | undefined }) {
  return <td className="right num">{value == null ? <span className="faint">–</span> : figure(metric, value)}</td>
}
