// What the compiler has to accept and to refuse.
import { analytics, type Client, content, media, missions, paginate, tenant, webhooks } from '@missiond/client'

export async function types(client: Client) {
  const { total }: { total: number } = await missions.list(client)
  const { status }: { status: 'draft' | 'active' | 'paused' | 'completed' } = await missions.read(client, { id: 'msn_1' })
  for await (const post of paginate(client, content.list, { status: 'published' })) post.text satisfies string
  // @ts-expect-error: there is no such parameter
  paginate(client, content.list, { state: 'published' })
  const exported: Response = await analytics.export(client, { format: 'csv' })
  await media.upload(client, { body: new FormData() })
  await media.upload(client, { body: new Blob(), contentType: 'image/png' })
  await tenant.read(client)
  await webhooks.delete(client, { id: 'whk_1' }, { ifMatch: '"1"' })
  // @ts-expect-error: the id is missing
  await missions.read(client)
  // @ts-expect-error: the body is missing
  await missions.create(client, {})
  // @ts-expect-error: there is no such state
  await missions.list(client, { status: 'over' })
  // @ts-expect-error: there is no such parameter
  await missions.list(client, { nothing: 1 })
  // @ts-expect-error: there is no such type of files
  await media.upload(client, { body: new Blob(), contentType: 'text/html' })
  return { total, status, exported }
}
