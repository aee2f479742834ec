/**
 * Every way a request can fail, with the HTTP status our own API answers and the heading people see.
 * The statuses of the payments service are in the interface document, "Status codes"; what each means for a write is in the fault matrix
 * of the action log.
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

/** The name of a failure; the same word on the wire, in the log and in the screen's code. */
export type ErrorCode = keyof typeof errorKinds

/** One field that is to blame: `reference` is the field's name, `detail` says what to do. Shape of the interface document's `error.items`. */
export type ErrorItem = { reference: string; detail: string }

/** How a person proves that it is them. A password is enough only in the sandbox, for who has no other. */
export const stepUpMethods = ['passkey', 'totp', 'recovery', 'password'] as const

export type StepUpMethod = (typeof stepUpMethods)[number]

/** What an act was proven by; a sign-in at the identity provider a moment ago is taken where a password would be. */
export type Proof = StepUpMethod | 'sso'

/** The subject of a confirmation: the names of the person and the payee, the verb phrase of the operation, and the amount as people read it. */
export type StepUpSubject = { person: string; operation: string; amount: string | null; payee: string | null }

/**
 * What a person is asked to prove before a request is done: the id to prove under, the ways that are open to them, and what an authenticator needs to know,
 * for which see the standard (`PublicKeyCredentialRequestOptionsJSON`).
 */
export type StepUpAsked = {
  challenge: string
  methods: readonly StepUpMethod[]
  webauthn: Readonly<Record<string, unknown>> | null
  expires_at: string
  subject: StepUpSubject
}

/** The `error` object our API answers with; a superset of the interface document's error envelope. */
export type WireError = { code: ErrorCode; status: number; title: string; detail: string; items?: ErrorItem[]; step_up?: StepUpAsked }

/** What may travel with an error besides its text: fields to blame, our and the service's request ids, seconds to wait. */
export type ErrorContext = {
  items?: ErrorItem[]
  requestId?: string
  apiRequestId?: string
  retryAfter?: number
  status?: number
  stepUp?: StepUpAsked
  cause?: unknown
}

/** The one error that crosses our boundaries, from the payments service to the screen. Its text never holds a value somebody typed. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly items: ErrorItem[]
  readonly requestId: string | undefined
  readonly apiRequestId: string | undefined
  readonly retryAfter: number | undefined
  readonly stepUp: StepUpAsked | undefined
  /** How often the service was asked before it came to this, where that was not once; whoever asked says so. */
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

  /** The heading that belongs to the code. */
  get title(): string {
    return errorKinds[this.code].title
  }

  /** The wire form, for the `error` member of an answer. */
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

  /** Reads an answer of our own API back; anything unreadable becomes `internal` with the HTTP status kept. */
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
