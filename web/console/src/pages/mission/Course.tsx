import { lazy, Suspense } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { CourseQuery } from '../../__generated__/CourseQuery.graphql'
import type { Metric, Platform } from '../../core/enums'
import { figure } from '../../core/format'
import { metricName } from '../../core/words'

const LineChart = lazy(() => import('../../ui/LineChart'))

// Course is a target's way from day to day, beside the straight line that reaches it.
export default function Course({
  id,
  metric,
  platform,
  fetchKey,
}: {
  id: string
  metric: Metric
  platform: Platform | null
  fetchKey: number
}) {
  const { mission } = useLazyLoadQuery<CourseQuery>(
    graphql`
      query CourseQuery($id: ID!, $metric: Metric!, $platform: Platform) {
        mission(id: $id) {
          kpiHistory(metric: $metric, platform: $platform) {
            date
            value
            target
            needed
          }
        }
      }
    `,
    { id, metric, platform },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const days = mission?.kpiHistory ?? []
  const points = days.flatMap((d) => (d.value == null ? [] : [{ at: noon(d.date), value: d.value }]))
  if (points.length === 0) return null
  return (
    <Suspense fallback={<div className="chart-place" />}>
      <LineChart
        title={metricName(metric)}
        points={points}
        format={(v) => figure(metric, v)}
        target={days[0]?.target}
        needed={days.map((d) => ({ at: noon(d.date), value: d.needed }))}
        zone="UTC"
      />
    </Suspense>
  )
}

const noon = (date: string) => `${date}T12:00:00Z`
