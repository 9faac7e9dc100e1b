/** The codes of the API's errors; a program should take others as well. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limit_exceeded'
  | 'method_not_allowed'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'internal_error'
  | 'service_unavailable'

/** One of several things that are wrong with an input. */
export interface Problem {
  code: string
  message: string
  /** The field, as in constraints.postsPerDay. */
  path?: string
}

/** What the API refused, and why. */
export class MissiondError extends Error {
  override name = 'MissiondError'
  /** The HTTP status; GraphQL's errors mostly have 200. */
  readonly status: number
  /** For programs: one of ErrorCode, or `unknown` where something else than the API responded. */
  readonly code: ErrorCode | 'unknown' | (string & {})
  /** The field or parameter that is wrong, as in kpis[0].metric. */
  readonly field: string | undefined
  /** What to tell the operator. */
  readonly requestId: string | undefined
  /** In how many seconds the same request may succeed. */
  readonly retryAfter: number | undefined
  /** All that is wrong, if GraphQL said so. */
  readonly problems: readonly Problem[]

  constructor(
    message: string,
    about: { status: number; code: string; field?: unknown; requestId?: unknown; retryAfter?: number | undefined; problems?: unknown },
  ) {
    super(message)
    this.status = about.status
    this.code = about.code
    this.field = typeof about.field === 'string' ? about.field : undefined
    this.requestId = typeof about.requestId === 'string' ? about.requestId : undefined
    this.retryAfter = about.retryAfter
    this.problems = Array.isArray(about.problems) ? about.problems : []
  }
}

/** No response came, or not in time, or not to its end. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

/** retryAfter returns the seconds of a Retry-After header, in either of its forms. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

/** refusal returns the error that a response without success is. */
export function refusal(response: Response, text: string): MissiondError {
  const { status, headers } = response
  const wait = retryAfter(headers)
  const id = headers.get('x-request-id') ?? undefined
  try {
    const { error } = JSON.parse(text)
    if (typeof error.code === 'string' && typeof error.message === 'string') {
      return new MissiondError(error.message, {
        status,
        code: error.code,
        field: error.param,
        requestId: error.request_id ?? id,
        retryAfter: wait ?? error.retry_after,
      })
    }
  } catch {
    // It isn't the API that responded.
  }
  return new MissiondError(`HTTP status ${status}, and no error of the API: ${text.slice(0, 200)}`, {
    status,
    code: 'unknown',
    requestId: id,
    retryAfter: wait,
  })
}
