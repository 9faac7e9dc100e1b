import { graphql, useFragment } from 'react-relay'
import type { PostContent_content$key } from '../../__generated__/PostContent_content.graphql'
import { useLimits } from '../../text/limits'
import { Time } from '../time'
import { Post } from './Post'

// partsOf returns the texts of a post: the parts of a thread, or the one.
export const partsOf = (c: { text: string; parts: readonly string[] }) => (c.parts.length > 0 ? c.parts : [c.text])

// PostContent shows a post of the API.
export function PostContent({ content, zone }: { content: PostContent_content$key; zone?: string }) {
  const c = useFragment(
    graphql`
      fragment PostContent_content on Content {
        platform
        integrationId
        accountHandle
        type
        status
        text
        parts
        media {
          mediaId
          part
          kind
          altText
          width
          height
          url
        }
        firstComment {
          text
          status
          platformUrl
          error {
            message
          }
        }
        scheduledAt
        publishedAt
        platformUrl
      }
    `,
    content,
  )
  const limits = useLimits()(c.platform, c.integrationId ?? null)
  const when = c.publishedAt ?? c.scheduledAt
  return (
    <Post
      platform={c.platform}
      handle={c.accountHandle ?? null}
      parts={partsOf(c)}
      comment={c.firstComment?.text}
      files={c.media}
      limits={c.publishedAt ? undefined : limits}
      about={when && <Time at={when} zone={zone} exact />}
    />
  )
}
