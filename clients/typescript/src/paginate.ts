import type { CallOptions, Client } from './client.js'

/** A page of a list. */
export interface Page {
  data: readonly { id: string }[]
  has_more: boolean
  /** Where the next page of a search begins. */
  next?: string | null
}

/** The operation of a list. */
type List = (client: Client, input: any, options?: CallOptions) => Promise<Page>

/**
 * paginate yields the records of a list, page by page as they are asked for:
 *
 *     for await (const mission of paginate(client, missions.list, { status: 'active' })) …
 *
 * Leaving the loop requests nothing more.
 */
export async function* paginate<L extends List>(
  client: Client,
  list: L,
  input?: NonNullable<Parameters<L>[1]>,
  options?: CallOptions,
): AsyncGenerator<Awaited<ReturnType<L>>['data'][number], void, void> {
  let after: string | undefined = input?.starting_after
  for (;;) {
    const page = await list(client, { limit: 100, ...input, ...(after !== undefined && { starting_after: after }) }, options)
    yield* page.data
    const next = page.next ?? page.data.at(-1)?.id
    if (!page.has_more || next === undefined || next === after) return
    after = next
  }
}
