import type { IDataObject, IExecuteFunctions, IHookFunctions, IHttpRequestMethods, IN8nHttpFullResponse, JsonObject } from 'n8n-workflow'
import { NodeApiError, sleep } from 'n8n-workflow'

/** How often a request is sent at most, and the longest wait between, in milliseconds. */
const attempts = 4
const longestWait = 60_000

export interface Call {
  method: IHttpRequestMethods
  path: string
  query?: IDataObject
  body?: IDataObject
  /** Identifies a POST over its repetitions, n8n's own included. */
  idempotencyKey?: string
  /** The item that an error is about. */
  item?: number
}

/** segment returns an id as a part of a path. "." and ".." would lead to another operation. */
export function segment(id: unknown): string {
  if (typeof id !== 'string' || /^\.*$/.test(id)) throw new Error(`an id must be a text such as msn_…, not ${JSON.stringify(id)}`)
  return encodeURIComponent(id)
}

/** waitOf returns the milliseconds that a response asks to wait for, or none. */
function waitOf(headers: IDataObject): number | undefined {
  const value = String(headers['retry-after'] ?? '').trim()
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/**
 * request calls the API, and returns the value of the response. A request that the service
 * didn't execute (429, 503), and a read or a POST with a key after a 5xx, is repeated. Other
 * refusals are a NodeApiError, whose description has the code, the field and the request's id.
 */
export async function request(context: IExecuteFunctions | IHookFunctions, call: Call): Promise<IDataObject> {
  const credentials = await context.getCredentials('missiondApi', call.item)
  const repeatable = call.method === 'GET' || call.idempotencyKey !== undefined
  for (let attempt = 1; ; attempt++) {
    const response = (await context.helpers.httpRequestWithAuthentication.call(context, 'missiondApi', {
      method: call.method,
      baseURL: String(credentials.url).replace(/\/+$/, ''),
      url: call.path,
      qs: call.query ?? {},
      headers: call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey },
      ...(call.body && { body: call.body }),
      json: true,
      timeout: 30_000,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true, // a POST that is sent elsewhere would become a GET
    })) as IN8nHttpFullResponse
    const { statusCode, headers } = response
    if (statusCode >= 200 && statusCode < 300) return (response.body ?? {}) as IDataObject
    const wait = waitOf(headers) ?? 250 * 2 ** attempt
    const again = statusCode === 429 || statusCode === 503 || (repeatable && statusCode >= 500)
    if (!again || attempt >= attempts || wait > longestWait) throw refusal(context, call, response)
    await sleep(wait)
  }
}

/** refusal returns the error that a response without success is. */
function refusal(
  context: IExecuteFunctions | IHookFunctions,
  call: Call,
  { statusCode, headers, body }: IN8nHttpFullResponse,
): NodeApiError {
  const error = ((body as IDataObject | undefined)?.error ?? {}) as IDataObject
  const details = [
    `code: ${error.code ?? 'unknown'}`,
    error.param && `field: ${error.param}`,
    `request: ${error.request_id ?? headers['x-request-id'] ?? 'unknown'}`,
    headers['retry-after'] && `retry after: ${headers['retry-after']}`,
  ]
  return new NodeApiError(context.getNode(), error as JsonObject, {
    message: String(error.message ?? `missiond responded with HTTP status ${statusCode}`),
    description: details.filter(Boolean).join(', '),
    httpCode: String(statusCode),
    ...(call.item !== undefined && { itemIndex: call.item }),
  })
}
