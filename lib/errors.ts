/**
 * All error codes, with the HTTP status of our API and the title for people. The statuses of the payments service are in the interface
 * document, "Status codes". Their meaning for a write is in the fault matrix of the action log.
 */
export const errorKinds = {
  bad_request: { status: 400, title: 'The request is not complete' },
  invalid_input: { status: 422, title: 'Some fields need attention' },
  unauthenticated: { status: 401, title: 'Please sign in' },
  other_person: { status: 409, title: 'Another person is signed in now' },
  forbidden: { status: 403, title: 'Your role does not allow this' },
  blocked_by_policy: { status: 403, title: 'The approval policy blocks this' },
  step_up_needed: { status: 403, title: 'Confirm that it is you' },
  other_site: { status: 403, title: 'This request came from another site' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This address does not support that method' },
  too_slow: { status: 408, title: 'The request took too long to arrive' },
  too_large: { status: 413, title: 'This is too large' },
  too_many: { status: 429, title: 'Too many requests' },
  key_reused: { status: 409, title: 'This key was used for another request' },
  in_progress: { status: 409, title: 'The first attempt is still running' },
  action_open: { status: 409, title: 'Another action on this object is still in progress' },
  changed: { status: 409, title: 'This changed since you opened it' },
  no_approver: { status: 409, title: 'Nobody else can approve this' },
  not_approved: { status: 409, title: 'This was not approved. Nothing was sent' },
  answer_not_kept: { status: 410, title: 'This was already done, and its answer is not kept' },
  service_refused: { status: 422, title: 'The payments service refused this' },
  service_conflict: { status: 409, title: 'The payments service reports a conflict' },
  service_not_found: { status: 404, title: 'The payments service does not know this object in this scope' },
  service_key_refused: { status: 502, title: 'The payments service rejected our API key. An admin must replace it' },
  service_forbidden: { status: 502, title: 'Our API key lacks this permission' },
  service_busy: { status: 503, title: 'The payments service asks us to slow down' },
  service_failed: { status: 502, title: 'The payments service gave no valid answer' },
  not_sent: { status: 503, title: 'Not sent. Nothing changed' },
  outcome_unknown: { status: 504, title: 'Outcome unknown. It is being confirmed' },
  needs_human: { status: 409, title: 'This outcome needs a decision' },
  unavailable: { status: 503, title: 'Paydesk cannot do this right now' },
  internal: { status: 500, title: 'Something went wrong on our side' },
} as const

/** An error code, the same on the wire, in the log and on the screen. */
export type ErrorCode = keyof typeof errorKinds

/** One invalid field: `reference` is its name, `detail` the fix. An entry of the interface document's `error.items`. */
export type ErrorItem = { reference: string; detail: string }

/** Methods of the step-up proof. A password is accepted only in the sandbox, from people without another method. */
export const stepUpMethods = ['passkey', 'totp', 'recovery', 'password'] as const

export type StepUpMethod = (typeof stepUpMethods)[number]

/** The method that proved an action. A recent single sign-on counts in place of a password. */
export type Proof = StepUpMethod | 'sso'

/** The subject of a confirmation: the names of the person and the payee, the verb phrase of the operation, and the formatted amount. */
export type StepUpSubject = { person: string; operation: string; amount: string | null; payee: string | null }

/**
 * A required step-up proof: the challenge id, the available methods, and the options for an authenticator
 * (`PublicKeyCredentialRequestOptionsJSON`).
 */
export type StepUpAsked = {
  challenge: string
  methods: readonly StepUpMethod[]
  webauthn: Readonly<Record<string, unknown>> | null
  expires_at: string
  subject: StepUpSubject
}

/** The `error` object of our API responses; a superset of the interface document's error envelope. */
export type WireError = { code: ErrorCode; status: number; title: string; detail: string; items?: ErrorItem[]; step_up?: StepUpAsked }

/** Optional data of an error: invalid fields, our and the service's request ids, seconds to wait. */
export type ErrorContext = {
  items?: ErrorItem[]
  requestId?: string
  apiRequestId?: string
  retryAfter?: number
  status?: number
  stepUp?: StepUpAsked
  cause?: unknown
}

/** The error type at all boundaries, from the payments service to the screen. Its text never contains a value a person typed. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly items: ErrorItem[]
  readonly requestId: string | undefined
  readonly apiRequestId: string | undefined
  readonly retryAfter: number | undefined
  readonly stepUp: StepUpAsked | undefined
  /** Number of requests to the service, set by the caller if it was not one. */
  attempts: number | undefined

  constructor(code: ErrorCode, detail?: string, context: ErrorContext = {}) {
    super(detail ?? errorKinds[code].title, { cause: context.cause })
    this.name = 'AppError'
    this.code = code
    this.status = context.status ?? errorKinds[code].status
    this.items = context.items ?? []
    this.requestId = context.requestId
    this.apiRequestId = context.apiRequestId
    this.retryAfter = context.retryAfter
    this.stepUp = context.stepUp
  }

  get title(): string {
    return errorKinds[this.code].title
  }

  /** The wire form, for the `error` member of a response. */
  toWire(): WireError {
    return {
      code: this.code,
      status: this.status,
      title: this.title,
      detail: this.message,
      ...(this.items.length > 0 ? { items: this.items } : {}),
      ...(this.stepUp ? { step_up: this.stepUp } : {}),
    }
  }

  /** Parses an error response of our API. An unreadable one becomes a fallback code and keeps the HTTP status. */
  static fromWire(body: unknown, status: number): AppError {
    const envelope = isRecord(body) ? body : {}
    const wire = isRecord(envelope.error) ? envelope.error : {}
    const meta = isRecord(envelope.meta) ? envelope.meta : {}
    const code = typeof wire.code === 'string' && wire.code in errorKinds ? (wire.code as ErrorCode) : fallbackCode(status)
    return new AppError(code, typeof wire.detail === 'string' ? wire.detail : undefined, {
      status,
      items: Array.isArray(wire.items) ? wire.items.filter(isErrorItem) : [],
      stepUp: isStepUpAsked(wire.step_up) ? wire.step_up : undefined,
      requestId: typeof meta.request_id === 'string' ? meta.request_id : undefined,
      apiRequestId: typeof meta.api_request_id === 'string' ? meta.api_request_id : undefined,
    })
  }
}

function fallbackCode(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 404) return 'not_found'
  return 'internal'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isErrorItem(value: unknown): value is ErrorItem {
  return isRecord(value) && typeof value.reference === 'string' && typeof value.detail === 'string'
}

const isStepUpAsked = (value: unknown): value is StepUpAsked =>
  isRecord(value) &&
  typeof value.challenge === 'string' &&
  Array.isArray(value.methods) &&
  typeof value.expires_at === 'string' &&
  isRecord(value.subject) &&
  typeof value.subject.person === 'string' &&
  typeof value.subject.operation === 'string'
