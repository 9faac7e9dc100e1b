// ApiError is an error that the API returned: its code is the interface's.
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(
    message: string,
    readonly code: string,
    readonly param?: string,
    readonly retryAfter?: number,
    readonly problems?: readonly Problem[],
  ) {
    super(message)
  }
}

// Problem is what is wrong with one field of an input, by the field's path.
export type Problem = { path: string; code?: string; message: string }

// refusedOnTheWay returns the error of a change that something before the service refused, such as a proxy, which says why
// in its own way.
export function refusedOnTheWay(status: number) {
  if (status === 413) return new ApiError('This is too large to be sent. Make it shorter, and try again.', 'payload_too_large')
  if (status === 429) return new ApiError('Too many requests: your change wasn’t saved. Try again in a minute.', 'rate_limit_exceeded')
  return new ApiError(
    `Your change wasn’t saved: something between you and the service refused it (status ${status}). Try again. If that doesn’t help, ask whoever runs your network or the service.`,
    'forbidden',
  )
}

// Offline is the error of a change that got no response. Whether it was made isn’t known then,
// unless the request was never sent.
export class Offline extends Error {
  override name = 'Offline'
  constructor(change: 'unsent' | 'unknown') {
    super(
      change === 'unknown'
        ? 'The service didn’t answer. Your change may or may not be saved: the page shows it once the service is back.'
        : 'The service can’t be reached. Your change wasn’t saved.',
    )
  }
}
