import { randomUUID } from 'node:crypto'
import type { IDataObject, IHookFunctions, INodeType, INodeTypeDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow'
import { NodeApiError } from 'n8n-workflow'
import { eventTypes } from './generated'
import { request, segment } from './request'
import { verified } from './verify'

/** What a trigger keeps of its endpoint while its workflow is active. */
interface Kept extends IDataObject {
  endpoint?: string
  secret?: string
}

/** Starts a workflow for each event of the types that are chosen. */
export class MissiondTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'missiond Trigger',
    name: 'missiondTrigger',
    icon: 'file:missiond.svg',
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when something happens in missiond',
    defaults: { name: 'missiond Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'missiondApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: eventTypes,
        default: [],
        required: true,
        description: 'An event may come more than once; its ID says which one it is',
      },
      {
        displayName: 'Mission ID',
        name: 'missionId',
        type: 'string',
        default: '',
        placeholder: 'msn_…',
        description: 'Starts the workflow for events of this mission only',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node') as Kept
        if (!kept.endpoint || !kept.secret) return false
        const endpoint = await unlessGone(request(this, { method: 'GET', path: `/v1/webhooks/${segment(kept.endpoint)}` }))
        const wanted = [...(this.getNodeParameter('events') as string[])].sort().join()
        const current = endpoint && [...(endpoint.events as string[])].sort().join()
        if (endpoint && endpoint.url === this.getNodeWebhookUrl('default') && current === wanted) return true
        if (endpoint) await remove(this, kept) // it is another address's, or of other events
        return false
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const made = await request(this, {
          method: 'POST',
          path: '/v1/webhooks',
          idempotencyKey: randomUUID(),
          body: { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') as string[] },
        })
        const kept = this.getWorkflowStaticData('node') as Kept
        kept.endpoint = made.id as string
        kept.secret = made.secret as string
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this, this.getWorkflowStaticData('node') as Kept)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData('node') as Kept
    const { rawBody } = this.getRequestObject() as unknown as { rawBody?: Buffer }
    if (!secret || !rawBody || !verified(rawBody, this.getHeaderData(), secret)) {
      this.getResponseObject().status(401).send('The signature is wrong.')
      return { noWebhookResponse: true }
    }
    const event = JSON.parse(rawBody.toString('utf8')) as IDataObject
    const mission = this.getNodeParameter('missionId', '') as string
    const events = this.getNodeParameter('events') as string[]
    // A webhook.test is accepted, but nothing has happened.
    if (!events.includes(event.type as string) || (mission && (event.data as IDataObject).mission_id !== mission)) return {}
    return { workflowData: [this.helpers.returnJsonArray(event)] }
  }
}

async function remove(context: IHookFunctions, kept: Kept): Promise<void> {
  if (kept.endpoint) await unlessGone(request(context, { method: 'DELETE', path: `/v1/webhooks/${segment(kept.endpoint)}` }))
  delete kept.endpoint
  delete kept.secret
}

/** unlessGone returns undefined if there is no such endpoint any more. */
async function unlessGone(call: Promise<IDataObject>): Promise<IDataObject | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof NodeApiError && error.httpCode === '404') return undefined
    throw error
  }
}
