import 'server-only'

/** What can go wrong between us and the service, in one word each; the attempt row and the log use the same word. */
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

/** An end that our own code made of an exchange. */
export class ReadFault extends Error {
  constructor(readonly fault: 'too_large' | 'encoded' | 'deadline' | 'reader_gone') {
    super(fault)
  }
}

/** The faults of calls that the rate limit or a quota held back, or that were held back because nobody could say whether they fit. */
export const overLimit: ReadonlySet<string> = new Set<Fault>(['over_budget', 'over_quota', 'budget_unknown'])

/** The faults of attempts that cannot have reached the service: the exchange never began. The attempt row keeps the word. */
export const neverSent: ReadonlySet<string> = new Set([
  'connect_refused',
  'connect_timeout',
  'name_not_found',
  'tls_failed',
  'certificate_not_trusted',
  'not_begun',
  ...overLimit,
])

/** Names for what keeps an exchange from beginning. The same codes can come later on an open line, so the code alone proves nothing. */
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

/** Codes of a certificate that proves nothing to us, such as CERT_HAS_EXPIRED and UNABLE_TO_VERIFY_LEAF_SIGNATURE. */
const ofCertificate = /^(?:CERT_|UNABLE_TO_)/

/** OpenSSL has a code for each way a greeting can go wrong, such as a server that speaks no TLS. */
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
 * A failure of an exchange; `began` says whether the client had come to the point of writing the request, `onKeptLine` whether the line it was
 * written on had carried others, and `heard` whether any byte of an answer came.
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

  /** The line was cut under the request without a word: most likely it had been cut before, and nobody had told us. */
  get onDeadLine(): boolean {
    return this.onKeptLine && !this.heard && lineCuts.has(codeOf(this.cause))
  }
}

/** What a client hears of a line whose other side is gone, on reading and on writing. */
const lineCuts: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * Names a failure of sending or reading. A word of `neverSent` is given only where the client had not begun to write: whatever is not known to
 * be so counts as sent, because a wrong "not sent" could move money twice and a wrong "sent" only costs a replay.
 */
export function faultOf(error: unknown): Fault {
  const cause = error instanceof ExchangeFailed ? error.cause : error
  const code = codeOf(cause)
  if (error instanceof ExchangeFailed && !error.began) return beforeFirstByte[code] ?? greetingFault(code)
  if (cause instanceof ReadFault) return cause.fault
  return afterwards[code] ?? 'line_cut'
}
