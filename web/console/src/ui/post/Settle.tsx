import { useState } from 'react'
import { graphql, useFragment } from 'react-relay'
import type { Settle_content$key } from '../../__generated__/Settle_content.graphql'
import type { SettleMutation } from '../../__generated__/SettleMutation.graphql'
import { useAction } from '../../core/action'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { Input } from '../field'
import { Note } from '../parts'
import { platformName } from '../platform'

const settle = graphql`
  mutation SettleMutation($id: ID!, $input: SettleContentInput!) {
    settleContent(id: $id, input: $input) {
      content {
        id
        status
        scheduledAt
        publishedAt
        platformUrl
        error {
          message
        }
        ...Settle_content
      }
    }
  }
`

// Settle lets a person say what became of a post whose platform never answered. It is
// nothing for other posts.
export function Settle({ content }: { content: Settle_content$key }) {
  const c = useFragment(
    graphql`
      fragment Settle_content on Content {
        id
        platform
        allowedActions
      }
    `,
    content,
  )
  const [open, setOpen] = useState(false)
  const [url, setURL] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [run, busy] = useAction<SettleMutation>(settle)
  const may = useMay('CONTENT_WRITE')
  if (!may || !c.allowedActions.includes('SETTLE')) return null
  const platform = platformName(c.platform)
  const close = () => setOpen(false)
  const send = (input: SettleMutation['variables']['input'], done: string) => {
    if (busy) return
    setProblem(null)
    run({
      variables: { id: c.id, input },
      done: () => (toast(done), close()),
      failed: (error) => (setProblem(error.message), true),
    })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>Was it published?</Button>
      {open && (
        <Dialog
          title={`Is the post on ${platform}?`}
          about={`${platform} never said whether it took the post. Look at the account there first: a post that is published again may be there twice.`}
          onClose={close}
          onSubmit={() => url.trim() && send({ publishedUrl: url.trim() }, 'Recorded as published.')}
          footer={
            <>
              <Button look="danger" busy={busy} onClick={() => send({ publishAgain: true }, 'It is published again.')}>
                It isn’t there: publish again
              </Button>
              <Button look="primary" type="submit" busy={busy} disabled={!url.trim()}>
                It is there
              </Button>
            </>
          }
        >
          <Input
            type="url"
            label="Its address"
            hint={`The link to the post on ${platform}`}
            value={url}
            maxLength={2048}
            onChange={(e) => setURL(e.target.value)}
          />
          {problem && <Note tone="bad">{problem}</Note>}
        </Dialog>
      )}
    </>
  )
}
