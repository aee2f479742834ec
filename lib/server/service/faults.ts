import 'server-only'

/**
 * Reasons why a call to the service failed. The table `attempts` and the log contain these codes,
 * so do not rename them.
 */
export type CallFault =
  | 'connect_refused'
  | 'connect_timeout'
  | 'name_not_found'
  | 'tls_failed'
  | 'certificate_not_trusted'
  | 'not_begun'
  | 'headers_timeout'
  | 'body_timeout'
  | 'deadline'
  | 'line_cut'
  | 'too_large'
  | 'encoded'
  | 'reader_gone'
  | 'over_budget'
  | 'over_quota'
  | 'budget_unknown'

/** Thrown when our own code ends a call, for example because the response is too large. */
export class CallAbortedError extends Error {
  constructor(readonly fault: 'too_large' | 'encoded' | 'deadline' | 'reader_gone') {
    super(fault)
  }
}

/** The rate limit or a quota was reached or could not be checked, so the call was not sent. */
export const limitFaults: ReadonlySet<string> = new Set<CallFault>([
  'over_budget',
  'over_quota',
  'budget_unknown',
])

/** Faults that prove that no byte of the request was sent. */
export const unsentFaults: ReadonlySet<string> = new Set([
  'connect_refused',
  'connect_timeout',
  'name_not_found',
  'tls_failed',
  'certificate_not_trusted',
  'not_begun',
  ...limitFaults,
])

/**
 * Error codes that mean a failed connection if nothing was sent. They can also occur after a
 * request was sent; `toFault` then ignores this table.
 */
const connectFaultByCode: Record<string, CallFault> = {
  ECONNREFUSED: 'connect_refused',
  EHOSTUNREACH: 'connect_refused',
  ENETUNREACH: 'connect_refused',
  EADDRNOTAVAIL: 'connect_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_not_trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_not_trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_not_trusted',
  EPROTO: 'tls_failed',
}

/** Matches for example CERT_HAS_EXPIRED and UNABLE_TO_VERIFY_LEAF_SIGNATURE. */
const certificateErrorPattern = /^(?:CERT_|UNABLE_TO_)/

/**
 * Matches only the beginning, because OpenSSL has many codes, for example for a server without TLS.
 */
const tlsErrorPattern = /^(?:ERR_SSL_|ERR_TLS_)/

const toConnectFault = (code: string): CallFault =>
  certificateErrorPattern.test(code)
    ? 'certificate_not_trusted'
    : tlsErrorPattern.test(code)
      ? 'tls_failed'
      : 'not_begun'

const timeoutFaultByCode: Record<string, CallFault> = {
  UND_ERR_HEADERS_TIMEOUT: 'headers_timeout',
  UND_ERR_BODY_TIMEOUT: 'body_timeout',
}

function findErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? findErrorCode(error.cause) : ''
}

/**
 * `began`: the client had started to write the request. `onKeptLine`: the connection had carried
 * other requests before. `heard`: at least one byte of a response arrived.
 */
export class ExchangeError extends Error {
  constructor(
    readonly began: boolean,
    override readonly cause: unknown,
    readonly onKeptLine = false,
    readonly heard = false,
  ) {
    super('the exchange failed')
  }

  /** True if the service had most likely closed the connection before the request was written. */
  get onDeadLine(): boolean {
    return this.onKeptLine && !this.heard && connectionCutCodes.has(findErrorCode(this.cause))
  }
}

/** Error codes of a read or a write on a connection that the other side has closed. */
const connectionCutCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * Returns a fault in `unsentFaults` only if the client had not started to write the request. Any
 * other failure counts as sent. A sent request treated as unsent could move money twice; an unsent
 * one treated as sent is only replayed under its idempotency key.
 */
export function toFault(error: unknown): CallFault {
  const cause = error instanceof ExchangeError ? error.cause : error
  const code = findErrorCode(cause)
  if (error instanceof ExchangeError && !error.began)
    return connectFaultByCode[code] ?? toConnectFault(code)
  if (cause instanceof CallAbortedError) return cause.fault
  return timeoutFaultByCode[code] ?? 'line_cut'
}
