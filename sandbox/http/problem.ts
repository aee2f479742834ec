/** One thing that is wrong, named by the field or header it is about. */
export type ProblemItem = { reference: string; detail: string }

type Shape = 'envelope' | 'bare' | 'auth'

/**
 * A refusal on its way to the wire. `shape` picks the form the interface document gives it: the error envelope, the bare object
 * of idempotency errors, or the `code/message/type` of a failed authentication.
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

/** A request that is malformed before its meaning is looked at: 400. */
export const badRequest = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(400, '/bad_request', 'Bad Request', detail, items)

/** An object that is not there, or not in the account the request is scoped to: 404, the same words for both. */
export const notFound = (what: string): Problem => new Problem(404, '/not_found', 'Not Found', `No such ${what}.`)

/** A well-formed request that cannot be done; `items` where a field is to blame: 422. */
export const unprocessable = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(422, '/validation_error', 'Validation Failed', detail, items)

/** No usable API key: 401 in the shape of its own. */
export const unauthorized = (message: string): Problem =>
  new Problem(401, 'authentication_error', 'Unauthorized', message, undefined, 'auth')

/** A key that may not do this: 403. */
export const forbidden = (detail: string): Problem => new Problem(403, '/forbidden', 'Forbidden', detail)

/** More requests than the set rate: 429. The provider sends no Retry-After, so neither does this. */
export const tooMany = (): Problem => new Problem(429, '/too_many_requests', 'Too Many Requests', 'Slow down and try again later.')

/** The two idempotency conflicts: 409 as a bare object, told apart by their text alone. */
export const keyConflict = (kind: 'different' | 'in_progress'): Problem => {
  const detail =
    kind === 'different'
      ? 'This Idempotency-Key was already used for a different request.'
      : 'The previous identical request with this Idempotency-Key is still in progress.'
  return new Problem(409, '/conflict', 'Conflict', detail, undefined, 'bare')
}

/** A key outside 10 to 40 characters: 400 as a bare object. */
export const keyInvalid = (): Problem => {
  const detail = 'The Idempotency-Key is invalid: it must be 10 to 40 characters long.'
  return new Problem(400, '/bad-request', 'Bad Request', detail, [{ reference: 'Idempotency-Key', detail }], 'bare')
}

/** The platform is being seeded, first or again: 503. */
export const notReady = (): Problem => new Problem(503, 'api_error', 'Service Unavailable', 'The sandbox is being seeded.')
