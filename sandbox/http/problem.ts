export type ProblemItem = { reference: string; detail: string }

type ProblemShape = 'envelope' | 'bare' | 'auth'

/**
 * An error that becomes the response to a request. `shape` is the form of its body: `bare` for
 * idempotency errors, `auth` for a failed authentication, and `envelope` for all other errors.
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

export const makeBadRequestProblem = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(400, '/bad_request', 'Bad Request', detail, items)

/** The text does not show whether the object is missing or belongs to another account. */
export const makeNotFoundProblem = (noun: string): Problem =>
  new Problem(404, '/not_found', 'Not Found', `No such ${noun}.`)

export function requireFound<T>(entry: T | undefined, noun: string): T {
  if (entry === undefined) throw makeNotFoundProblem(noun)
  return entry
}

export const makeUnprocessableProblem = (detail: string, items?: readonly ProblemItem[]): Problem =>
  new Problem(422, '/validation_error', 'Validation Failed', detail, items)

export const makeMalformedProblem = (
  sentence: string,
  reference: string,
  detail: string,
): Problem => makeBadRequestProblem(sentence, [{ reference, detail }])

export const makeInvalidFieldProblem = (
  sentence: string,
  reference: string,
  detail: string,
): Problem => makeUnprocessableProblem(sentence, [{ reference, detail }])

export const makeUnauthorizedProblem = (message: string): Problem =>
  new Problem(401, 'authentication_error', 'Unauthorized', message, undefined, 'auth')

export const makeForbiddenProblem = (detail: string): Problem =>
  new Problem(403, '/forbidden', 'Forbidden', detail)

/** The response has no Retry-After header, because the provider sends none either. */
export const makeRateLimitProblem = (): Problem =>
  new Problem(429, '/too_many_requests', 'Too Many Requests', 'Slow down and try again later.')

export const makeIdempotencyConflictProblem = (kind: 'different' | 'in_progress'): Problem => {
  const detail =
    kind === 'different'
      ? 'This Idempotency-Key was already used for a different request.'
      : 'The previous identical request with this Idempotency-Key is still in progress.'
  return new Problem(409, '/conflict', 'Conflict', detail, undefined, 'bare')
}

export const makeIdempotencyKeyProblem = (): Problem => {
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

export const makeNotReadyProblem = (): Problem =>
  new Problem(503, 'api_error', 'Service Unavailable', 'The sandbox is being seeded.')
