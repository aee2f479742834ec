import 'server-only'

/** Faults of a call to the service. The attempt row and the log use the same codes. */
export type Fault =
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

/** Thrown if our own code ended an exchange. */
export class ReadFaultError extends Error {
  constructor(readonly fault: 'too_large' | 'encoded' | 'deadline' | 'reader_gone') {
    super(fault)
  }
}

/** Faults of calls that were not sent, because the rate limit or a quota was reached or could not be checked. */
export const limitFaults: ReadonlySet<string> = new Set<Fault>(['over_budget', 'over_quota', 'budget_unknown'])

/** Faults that prove that no byte of a request was sent. The attempt row stores the code. */
export const unsentFaults: ReadonlySet<string> = new Set([
  'connect_refused',
  'connect_timeout',
  'name_not_found',
  'tls_failed',
  'certificate_not_trusted',
  'not_begun',
  ...limitFaults,
])

/** Codes of errors before the first byte. They can also occur later on an open connection, so a code alone proves nothing. */
const connectFaults: Record<string, Fault> = {
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

/** Codes of a certificate that is not trusted, such as CERT_HAS_EXPIRED and UNABLE_TO_VERIFY_LEAF_SIGNATURE. */
const certificatePattern = /^(?:CERT_|UNABLE_TO_)/

/** Codes of a failed TLS handshake, of which OpenSSL has many, for example for a server without TLS. */
const tlsPattern = /^(?:ERR_SSL_|ERR_TLS_)/

const toConnectFault = (code: string): Fault =>
  certificatePattern.test(code) ? 'certificate_not_trusted' : tlsPattern.test(code) ? 'tls_failed' : 'not_begun'

const timeoutFaults: Record<string, Fault> = {
  UND_ERR_HEADERS_TIMEOUT: 'headers_timeout',
  UND_ERR_BODY_TIMEOUT: 'body_timeout',
}

function findCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? findCode(error.cause) : ''
}

/**
 * A failed exchange. `began` is true if the client had started to write the request. `onKeptLine` is true if the connection had other
 * requests before. `heard` is true if a byte of a response arrived.
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

  /** True if a reused connection was cut before any response: most likely, the service had closed it before the request was written. */
  get onDeadLine(): boolean {
    return this.onKeptLine && !this.heard && connectionCutCodes.has(findCode(this.cause))
  }
}

/** Codes of a connection that the other side has closed, for reads and writes. */
const connectionCutCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * Returns the fault of a failed exchange. A fault in `unsentFaults` is returned only if the client had not started to write. Any other failure
 * counts as sent: a wrong "not sent" could move money twice, but a wrong "sent" only causes a replay.
 */
export function toFault(error: unknown): Fault {
  const cause = error instanceof ExchangeError ? error.cause : error
  const code = findCode(cause)
  if (error instanceof ExchangeError && !error.began) return connectFaults[code] ?? toConnectFault(code)
  if (cause instanceof ReadFaultError) return cause.fault
  return timeoutFaults[code] ?? 'line_cut'
}
