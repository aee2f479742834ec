export type ProblemItem = { reference: string; detail: string }

type Shape = 'envelope' | 'bare' | 'auth'

/**
 * An error response. `shape` selects its format in the interface document: the error envelope, the bare object of idempotency errors, or
 * the `code/message/type` of a failed authentication.
 */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    readonly title: string,
    readonly detail: string,
    readonly items?: readonly ProblemItem[],
    readonly shape: Shape = 'envelope',
  ) {
    super(detail)
  }
}

/** 400: a malformed request. */
export const badRequest = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(400, '/bad_request', 'Bad Request', detail, items)

/** 404: an object that does not exist or is not in the request's account; both have the same text. */
export const notFound = (what: string): Problem => new Problem(404, '/not_found', 'Not Found', `No such ${what}.`)

/** Returns the object. Throws a 404 if there is none. */
export function found<T>(entry: T | undefined, what: string): T {
  if (entry === undefined) throw notFound(what)
  return entry
}

/** 422: a well-formed request that cannot be executed; `items` if fields are invalid. */
export const unprocessable = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(422, '/validation_error', 'Validation Failed', detail, items)

/** 400 about one parameter, header or field. */
export const malformed = (sentence: string, reference: string, detail: string): Problem => badRequest(sentence, [{ reference, detail }])

/** 422 about one field. */
export const invalidField = (sentence: string, reference: string, detail: string): Problem =>
  unprocessable(sentence, [{ reference, detail }])

/** 401: no valid API key; has its own shape. */
export const unauthorized = (message: string): Problem =>
  new Problem(401, 'authentication_error', 'Unauthorized', message, undefined, 'auth')

/** 403: the key lacks the permission. */
export const forbidden = (detail: string): Problem => new Problem(403, '/forbidden', 'Forbidden', detail)

/** 429: the rate limit is exceeded. No Retry-After, as at the provider. */
export const tooMany = (): Problem => new Problem(429, '/too_many_requests', 'Too Many Requests', 'Slow down and try again later.')

/** 409: the two idempotency conflicts, as a bare object. Only their texts differ. */
export const keyConflict = (kind: 'different' | 'in_progress'): Problem => {
  const detail =
    kind === 'different'
      ? 'This Idempotency-Key was already used for a different request.'
      : 'The previous identical request with this Idempotency-Key is still in progress.'
  return new Problem(409, '/conflict', 'Conflict', detail, undefined, 'bare')
}

/** 400: an idempotency key outside 10 to 40 characters, as a bare object. */
export const keyInvalid = (): Problem => {
  const detail = 'The Idempotency-Key is invalid: it must be 10 to 40 characters long.'
  return new Problem(400, '/bad-request', 'Bad Request', detail, [{ reference: 'Idempotency-Key', detail }], 'bare')
}

/** 503: the platform is being seeded or reset. */
export const notReady = (): Problem => new Problem(503, 'api_error', 'Service Unavailable', 'The sandbox is being seeded.')
