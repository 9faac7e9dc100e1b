import { graphql, useLazyLoadQuery } from 'react-relay'
import type { OwnQuery } from '../../__generated__/OwnQuery.graphql'
import { useFresh } from '../../core/live'
import { OwnApp } from './OwnApp'
import { OwnWriter } from './OwnWriter'

// Own are the language model and the applications at platforms that the organization has itself, in the
// place of the service's.
export default function Own() {
  const [fetchKey, refresh] = useFresh(['TENANT'])
  const { tenant } = useLazyLoadQuery<OwnQuery>(
    graphql`
      query OwnQuery {
        tenant {
          id
          writer {
            url
            model
            keySet
            prices {
              input
              output
            }
            error {
              message
            }
            updatedAt
          }
          twitter: platformApp(platform: TWITTER) {
            clientId
            clientSecretSet
            updatedAt
          }
          linkedin: platformApp(platform: LINKEDIN) {
            clientId
            clientSecretSet
            updatedAt
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  return (
    <div className="stack wide">
      <OwnWriter writer={tenant?.writer ?? null} onChange={refresh} />
      <OwnApp platform="TWITTER" app={tenant?.twitter ?? null} onChange={refresh} />
      <OwnApp platform="LINKEDIN" app={tenant?.linkedin ?? null} onChange={refresh} />
    </div>
  )
}
