/**
 * HTTP status in our API, and title for people. The service's own statuses differ: see the
 * interface document ("Status codes") and `lib/server/actions/classify-answer.ts`.
 */
export const errorKinds = {
  bad_request: { status: 400, title: 'The request is not complete' },
  invalid_input: { status: 422, title: 'Some fields need attention' },
  unauthenticated: { status: 401, title: 'Please sign in' },
  other_person: { status: 409, title: 'Another person is signed in now' },
  forbidden: { status: 403, title: 'Your role does not allow this' },
  blocked_by_policy: { status: 403, title: 'The approval policy blocks this' },
  step_up_needed: { status: 403, title: 'Verify it’s you' },
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
  service_not_found: {
    status: 404,
    title: 'The payments service does not know this object in this scope',
  },
  service_key_refused: {
    status: 502,
    title: 'The payments service rejected our API key. An admin must replace it',
  },
  service_forbidden: { status: 502, title: 'Our API key lacks this permission' },
  service_busy: { status: 503, title: 'The provider is rate-limiting us' },
  service_failed: { status: 502, title: 'The payments service gave no valid answer' },
  not_sent: { status: 503, title: 'Not sent. Nothing changed' },
  outcome_unknown: { status: 504, title: 'Outcome unknown. It is being confirmed' },
  needs_human: { status: 409, title: 'This outcome needs a decision' },
  unavailable: { status: 503, title: 'Paydesk cannot do this right now' },
  internal: { status: 500, title: 'Something went wrong on our side' },
} as const

/** An error code. It is the same in the API, in the log and on the screen. */
export type ErrorCode = keyof typeof errorKinds

/** `detail` is how to fix the field. Same form as `error.items` in the interface document. */
export type ErrorItem = { reference: string; detail: string }

/**
 * The methods of a step-up (the person proves their identity again before a sensitive action). A
 * password is accepted only in the sandbox, and only from people without another method.
 */
export const stepUpMethods = ['passkey', 'totp', 'recovery', 'password'] as const

export type StepUpMethod = (typeof stepUpMethods)[number]

/** A recent single sign-on counts in place of a password. */
export type StepUpProofMethod = StepUpMethod | 'sso'

/** Texts of the dialog: `operation` is a verb phrase, `amount` is formatted. */
export type StepUpSubject = {
  person: string
  operation: string
  amount: string | null
  payee: string | null
}

/** `webauthn` is a `PublicKeyCredentialRequestOptionsJSON`, for a passkey. */
export type StepUpChallenge = {
  challenge: string
  methods: readonly StepUpMethod[]
  webauthn: Readonly<Record<string, unknown>> | null
  expires_at: string
  subject: StepUpSubject
}

/** All fields of the error envelope in the interface document, and further ones. */
export type WireError = {
  code: ErrorCode
  status: number
  title: string
  detail: string
  items?: ErrorItem[]
  step_up?: StepUpChallenge
}

/** `apiRequestId`: the id that the service gave the request. `retryAfter` is in seconds. */
export type ErrorContext = {
  items?: ErrorItem[]
  requestId?: string
  apiRequestId?: string
  retryAfter?: number
  status?: number
  stepUp?: StepUpChallenge
  cause?: unknown
}

/** Its text never contains a value that a person typed. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly items: ErrorItem[]
  readonly requestId: string | undefined
  readonly apiRequestId: string | undefined
  readonly retryAfter: number | undefined
  readonly stepUp: StepUpChallenge | undefined
  /** Number of requests sent to the service. Set only if there was more than one. */
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

  /** Without a known error code in the body, the HTTP status determines the code. */
  static fromWire(body: unknown, status: number): AppError {
    const bodyFields = isRecord(body) ? body : {}
    const wireError = isRecord(bodyFields.error) ? bodyFields.error : {}
    const bodyMeta = isRecord(bodyFields.meta) ? bodyFields.meta : {}
    const errorCode =
      typeof wireError.code === 'string' && Object.hasOwn(errorKinds, wireError.code)
        ? (wireError.code as ErrorCode)
        : getErrorCodeForStatus(status)
    return new AppError(
      errorCode,
      typeof wireError.detail === 'string' ? wireError.detail : undefined,
      {
        status,
        items: Array.isArray(wireError.items) ? wireError.items.filter(isErrorItem) : [],
        stepUp: isStepUpChallenge(wireError.step_up) ? wireError.step_up : undefined,
        requestId: typeof bodyMeta.request_id === 'string' ? bodyMeta.request_id : undefined,
        apiRequestId:
          typeof bodyMeta.api_request_id === 'string' ? bodyMeta.api_request_id : undefined,
      },
    )
  }
}

function getErrorCodeForStatus(status: number): ErrorCode {
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

const isStepUpChallenge = (value: unknown): value is StepUpChallenge =>
  isRecord(value) &&
  typeof value.challenge === 'string' &&
  Array.isArray(value.methods) &&
  typeof value.expires_at === 'string' &&
  isRecord(value.subject) &&
  typeof value.subject.person === 'string' &&
  typeof value.subject.operation === 'string'

/** `sentence` contains the fault and its correction. */
export const createFieldError = (
  field: string,
  sentence: string,
  code: ErrorCode = 'invalid_input',
  context: ErrorContext = {},
): AppError =>
  new AppError(code, `${field}: ${sentence}`, {
    ...context,
    items: [{ reference: field, detail: sentence }],
  })
