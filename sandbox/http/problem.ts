export type ProblemItem = { reference: string; detail: string }

type ProblemShape = 'envelope' | 'bare' | 'auth'

/**
 * An error response. `shape` selects its format in the interface document: the error envelope, the
 * bare object of idempotency errors, or the `code/message/type` of a failed authentication.
 */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    readonly title: string,
    readonly detail: string,
    readonly items?: readonly ProblemItem[],
    readonly shape: ProblemShape = 'envelope',
  ) {
    super(detail)
  }
}

export const badRequest = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(400, '/bad_request', 'Bad Request', detail, items)

/**
 * Returns a 404. The text is the same for an object that does not exist and for an object of
 * another account, so a client cannot tell the two apart.
 */
export const notFound = (noun: string): Problem =>
  new Problem(404, '/not_found', 'Not Found', `No such ${noun}.`)

export function requireFound<T>(entry: T | undefined, noun: string): T {
  if (entry === undefined) throw notFound(noun)
  return entry
}

export const unprocessable = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(422, '/validation_error', 'Validation Failed', detail, items)

export const malformed = (sentence: string, reference: string, detail: string): Problem =>
  badRequest(sentence, [{ reference, detail }])

export const invalidField = (sentence: string, reference: string, detail: string): Problem =>
  unprocessable(sentence, [{ reference, detail }])

export const unauthorized = (message: string): Problem =>
  new Problem(401, 'authentication_error', 'Unauthorized', message, undefined, 'auth')

export const forbidden = (detail: string): Problem =>
  new Problem(403, '/forbidden', 'Forbidden', detail)

/** Returns a 429 for an exceeded rate limit. It has no Retry-After header, as at the provider. */
export const tooManyRequests = (): Problem =>
  new Problem(429, '/too_many_requests', 'Too Many Requests', 'Slow down and try again later.')

export const keyConflict = (kind: 'different' | 'in_progress'): Problem => {
  const detail =
    kind === 'different'
      ? 'This Idempotency-Key was already used for a different request.'
      : 'The previous identical request with this Idempotency-Key is still in progress.'
  return new Problem(409, '/conflict', 'Conflict', detail, undefined, 'bare')
}

export const keyInvalid = (): Problem => {
  const detail = 'The Idempotency-Key is invalid: it must be 10 to 40 characters long.'
  return new Problem(
    400,
    '/bad-request',
    'Bad Request',
    detail,
    [{ reference: 'Idempotency-Key', detail }],
    'bare',
  )
}

export const notReady = (): Problem =>
  new Problem(503, 'api_error', 'Service Unavailable', 'The sandbox is being seeded.')
