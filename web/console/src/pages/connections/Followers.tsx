import { lazy } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { FollowersQuery } from '../../__generated__/FollowersQuery.graphql'
import { count } from '../../core/format'

const LineChart = lazy(() => import('../../ui/LineChart'))

// Followers is how many followed an account on each of the last 90 days. Days without a figure are gaps.
export default function Followers({ id, from }: { id: string; from: string }) {
  const { integration } = useLazyLoadQuery<FollowersQuery>(
    graphql`
      query FollowersQuery($id: ID!, $from: Date) {
        integration(id: $id) {
          series(from: $from) {
            date
            followers
          }
        }
      }
    `,
    { id, from },
    { fetchPolicy: 'store-and-network' },
  )
  const points = (integration?.series ?? []).flatMap((d) =>
    d.followers == null ? [] : [{ at: `${d.date}T12:00:00Z`, value: d.followers }],
  )
  if (points.length === 0)
    return <p className="xsmall muted">No figures of the last 90 days. They are read once a day, where the platform reports them.</p>
  return <LineChart daily title="Followers" points={points} format={count} height={140} zone="UTC" />
}
