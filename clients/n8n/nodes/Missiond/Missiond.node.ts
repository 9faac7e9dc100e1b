import { randomUUID } from 'node:crypto'
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow'
import { NodeOperationError } from 'n8n-workflow'
import { properties } from './properties'
import { type Call, request, segment } from './request'

/** Works with the missions and posts of missiond. */
export class Missiond implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'missiond',
    name: 'missiond',
    icon: 'file:missiond.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Works with missions and posts',
    defaults: { name: 'missiond' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'missiondApi', required: true }],
    properties,
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = []
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        const records = await run(this, item)
        results.push(...this.helpers.constructExecutionMetaData(this.helpers.returnJsonArray(records), { itemData: { item } }))
      } catch (error) {
        if (!this.continueOnFail()) throw error
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } })
      }
    }
    return [results]
  }
}

async function run(context: IExecuteFunctions, item: number): Promise<IDataObject | IDataObject[]> {
  const parameter = (name: string) => context.getNodeParameter(name, item, '')
  const operation = parameter('operation') as string
  const collection = { mission: '/v1/missions', post: '/v1/content' }[parameter('resource') as string]
  if (collection === undefined) throw new NodeOperationError(context.getNode(), 'There is no such resource', { itemIndex: item })
  if (operation === 'getMany') return many(context, item, collection)
  if (operation === 'create') {
    const body = collection === '/v1/missions' ? missionOf(context, item) : postOf(context, item)
    return request(context, { method: 'POST', path: collection, body, idempotencyKey: keyOf(context, item), item })
  }
  const path = `${collection}/${segment(parameter('id'))}`
  if (operation === 'get') return request(context, { method: 'GET', path, item })
  const call: Call = { method: 'POST', path: `${path}/${segment(operation)}`, idempotencyKey: keyOf(context, item), item }
  if (operation === 'approve') call.body = {}
  if (operation === 'reject') call.body = given({ reason: parameter('reason') })
  return request(context, call)
}

/** many returns the records of a list, page by page. */
async function many(context: IExecuteFunctions, item: number, path: string): Promise<IDataObject[]> {
  const most = context.getNodeParameter('returnAll', item, false) ? Infinity : (context.getNodeParameter('limit', item) as number)
  const filters = context.getNodeParameter('filters', item, {}) as IDataObject
  const query: IDataObject = given({ status: context.getNodeParameter('status', item, ''), ...filters })
  const records: IDataObject[] = []
  while (records.length < most) {
    query.limit = Math.min(100, most - records.length)
    const page = await request(context, { method: 'GET', path, query, item })
    const data = page.data as IDataObject[]
    records.push(...data)
    const next = page.next ?? data.at(-1)?.id
    if (!page.has_more || next === undefined || next === query.starting_after) break
    query.starting_after = next
  }
  return records
}

function missionOf(context: IExecuteFunctions, item: number): IDataObject {
  const options = context.getNodeParameter('options', item, {}) as IDataObject
  const constraints = given({ posts_per_day: options.postsPerDay, require_approval: options.requireApproval })
  return {
    name: context.getNodeParameter('name', item),
    objectives: context.getNodeParameter('objectives', item),
    platforms: context.getNodeParameter('platforms', item),
    duration_days: context.getNodeParameter('durationDays', item),
    ...given({ description: options.description, start_immediately: options.startImmediately }),
    ...(Object.keys(constraints).length > 0 && { constraints }),
  } as IDataObject
}

function postOf(context: IExecuteFunctions, item: number): IDataObject {
  const at = context.getNodeParameter('scheduledAt', item, '') as string
  return {
    mission_id: context.getNodeParameter('missionId', item),
    platform: context.getNodeParameter('platform', item),
    text: context.getNodeParameter('text', item),
    ...(at && { scheduled_at: new Date(at).toISOString() }),
  } as IDataObject
}

/** given returns the values that aren't left empty. */
const given = (values: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))

/**
 * keyOf returns an Idempotency-Key that is the same when n8n runs the node again after a
 * failure, and another one in each loop: so nothing is made twice.
 */
function keyOf(context: IExecuteFunctions, item: number): string {
  const execution = context.getExecutionId()
  if (!execution) return randomUUID() // a step that is tried out in the editor
  const run = context.evaluateExpression('{{ $runIndex }}', item)
  return ['n8n', context.getWorkflow().id, execution, context.getNode().id, run, item].join('-')
}
