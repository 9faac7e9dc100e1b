import { graphql, useLazyLoadQuery } from 'react-relay'
import type { limitsQuery, limitsQuery$data } from '../__generated__/limitsQuery.graphql'
import type { Platform } from '../core/enums'
import type { Limits } from './length'

const query = graphql`
  query limitsQuery {
    missionLimits {
      name
      description
      listItems
      item
      tone
      postsPerDay
      durationDays
    }
    platforms {
      platform
      unit
      textLimit
      captionLimit
      linkLength
      maxBytes
      formats
      threads
      maxParts
      maxHashtags
      firstComment
      media {
        required
      }
      replies {
        read
        paid
        mention
      }
      metrics
      connected
      accounts {
        id
        label
        default
        status
        account {
          handle
          name
          limits {
            maxLength
            linkLength
          }
        }
      }
    }
  }
`

export type Capabilities = NonNullable<limitsQuery$data['platforms']>[number]

// usePlatforms returns what each platform allows, with the tenant's accounts if the
// person may see them.
export function usePlatforms(): readonly Capabilities[] {
  return useLazyLoadQuery<limitsQuery>(query, {}, { fetchPolicy: 'store-or-network' }).platforms ?? []
}

export type MissionLimits = NonNullable<limitsQuery$data['missionLimits']>

// useMissionLimits returns the bounds of a mission's fields.
export function useMissionLimits(): MissionLimits {
  const limits = useLazyLoadQuery<limitsQuery>(query, {}, { fetchPolicy: 'store-or-network' }).missionLimits
  if (!limits) throw new Error('The bounds of missions couldn’t be read.')
  return limits
}

// useLimits returns a function that returns the limits of an account's texts.
export function useLimits() {
  const all = usePlatforms()
  return (platform: Platform, integrationId: string | null): Limits => {
    const c = all.find((p) => p.platform === platform)
    const account = c?.accounts?.find((a) => (integrationId ? a.id === integrationId : a.default))?.account?.limits
    const maxLength = account?.maxLength || (c?.textLimit ?? 0)
    return {
      platform,
      unit: c?.unit ?? 'CHARACTERS',
      maxLength,
      maxCaption: c && c.captionLimit < c.textLimit ? c.captionLimit : maxLength,
      linkLength: account?.linkLength || (c?.linkLength ?? 0),
      maxBytes: c?.maxBytes ?? 0,
    }
  }
}
