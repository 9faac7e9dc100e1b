import { useState } from 'react'
import { graphql, useFragment } from 'react-relay'
import type { Settle_content$key } from '../../__generated__/Settle_content.graphql'
import type { SettleMutation } from '../../__generated__/SettleMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { useProblems } from '../../core/problems'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { Input } from '../field'
import { platformName } from '../platform'
import { Problem } from '../problem'

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
  const { values, typed, set, forget } = useEdits(`settle ${c.id}`, { url: '' })
  const url = values.url.trim()
  const { of, rest, clear, failed } = useProblems('publishedUrl')
  const [run, busy] = useAction<SettleMutation>(settle)
  const may = useMay('CONTENT_WRITE')
  if (!may || !c.allowedActions.includes('SETTLE')) return null
  const platform = platformName(c.platform)
  const close = () => setOpen(false)
  const send = (input: SettleMutation['variables']['input'], done: string) => {
    if (busy) return
    clear()
    run({
      variables: { id: c.id, input },
      done: () => (toast(done), forget(), close()),
      failed,
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
          onSubmit={() => url && send({ publishedUrl: url }, 'Recorded as published.')}
          footer={
            <>
              {typed && <Button onClick={() => (forget(), close())}>Discard</Button>}
              <Button look="danger" busy={busy} onClick={() => send({ publishAgain: true }, 'It is published again.')}>
                It isn’t there: publish again
              </Button>
              <Button look="primary" type="submit" busy={busy} disabled={!url}>
                It is there
              </Button>
            </>
          }
        >
          <Input
            type="url"
            label="Its address"
            hint={`The link to the post on ${platform}`}
            value={values.url}
            maxLength={2048}
            problem={of('publishedUrl')}
            onChange={(e) => (set({ url: e.target.value }), clear())}
          />
          <Problem of={rest} />
        </Dialog>
      )}
    </>
  )
}
