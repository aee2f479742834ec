import 'server-only'

/** Faults between us and the service. The attempt row and the log use the same words. */
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

/** An exchange that our own code ended. */
export class ReadFault extends Error {
  constructor(readonly fault: 'too_large' | 'encoded' | 'deadline' | 'reader_gone') {
    super(fault)
  }
}

/** Faults of calls that the rate limit or a quota held back, or whose limit could not be checked. */
export const overLimit: ReadonlySet<string> = new Set<Fault>(['over_budget', 'over_quota', 'budget_unknown'])

/** Faults of attempts that cannot have reached the service: the exchange never began. The attempt row stores the word. */
export const neverSent: ReadonlySet<string> = new Set([
  'connect_refused',
  'connect_timeout',
  'name_not_found',
  'tls_failed',
  'certificate_not_trusted',
  'not_begun',
  ...overLimit,
])

/** Error codes before the first byte. The same codes can occur later on an open connection, so the code alone proves nothing. */
const beforeFirstByte: Record<string, Fault> = {
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

/** Codes of an untrusted certificate, such as CERT_HAS_EXPIRED and UNABLE_TO_VERIFY_LEAF_SIGNATURE. */
const ofCertificate = /^(?:CERT_|UNABLE_TO_)/

/** OpenSSL has a code for each failure of a TLS handshake, such as a server without TLS. */
const ofTls = /^(?:ERR_SSL_|ERR_TLS_)/

const greetingFault = (code: string): Fault =>
  ofCertificate.test(code) ? 'certificate_not_trusted' : ofTls.test(code) ? 'tls_failed' : 'not_begun'

const afterwards: Record<string, Fault> = {
  UND_ERR_HEADERS_TIMEOUT: 'headers_timeout',
  UND_ERR_BODY_TIMEOUT: 'body_timeout',
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}

/**
 * A failed exchange. `began`: the client had reached the point of writing the request. `onKeptLine`: its connection had carried other
 * requests. `heard`: a byte of a response arrived.
 */
export class ExchangeFailed extends Error {
  constructor(
    readonly began: boolean,
    override readonly cause: unknown,
    readonly onKeptLine = false,
    readonly heard = false,
  ) {
    super('the exchange failed')
  }

  /** True if a kept connection was cut before any response: most likely it was already closed when the request was written. */
  get onDeadLine(): boolean {
    return this.onKeptLine && !this.heard && lineCuts.has(codeOf(this.cause))
  }
}

/** Error codes of a connection that the other side has closed, on read and on write. */
const lineCuts: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * Returns the fault of a failed send or read. A fault of `neverSent` requires that the client had not begun to write. Every other failure
 * counts as sent: a wrong "not sent" could move money twice, and a wrong "sent" only costs a replay.
 */
export function faultOf(error: unknown): Fault {
  const cause = error instanceof ExchangeFailed ? error.cause : error
  const code = codeOf(cause)
  if (error instanceof ExchangeFailed && !error.began) return beforeFirstByte[code] ?? greetingFault(code)
  if (cause instanceof ReadFault) return cause.fault
  return afterwards[code] ?? 'line_cut'
}
