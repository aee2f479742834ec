import 'server-only'

/** What can go wrong between us and the service, in one word each; the attempt row and the log use the same word. */
export type Fault =
  | 'connect_refused'
  | 'connect_timeout'
  | 'name_not_found'
  | 'tls_failed'
  | 'headers_timeout'
  | 'body_timeout'
  | 'deadline'
  | 'line_cut'
  | 'too_large'
  | 'encoded'
  | 'reader_gone'

/** An end that our own code made of an exchange. */
export class ReadFault extends Error {
  constructor(readonly fault: 'too_large' | 'encoded' | 'deadline' | 'reader_gone') {
    super(fault)
  }
}

/** Errors that can only happen before the first byte of a request leaves. */
const beforeFirstByte: Record<string, Fault> = {
  ECONNREFUSED: 'connect_refused',
  EHOSTUNREACH: 'connect_refused',
  ENETUNREACH: 'connect_refused',
  EADDRNOTAVAIL: 'connect_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_failed',
  CERT_HAS_EXPIRED: 'tls_failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_failed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_failed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_failed',
  EPROTO: 'tls_failed',
}

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
 * Names a failure of sending or reading and says whether a byte may have left. Whatever is not known to happen before the first byte counts
 * as sent: a wrong "not sent" could move money twice, a wrong "sent" only costs a replay.
 */
export function faultOf(error: unknown): { fault: Fault; sent: boolean } {
  if (error instanceof ReadFault) return { fault: error.fault, sent: true }
  const code = codeOf(error)
  const early = beforeFirstByte[code]
  if (early) return { fault: early, sent: false }
  return { fault: afterwards[code] ?? 'line_cut', sent: true }
}
