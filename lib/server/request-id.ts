import 'server-only'
import { randomUUID } from 'node:crypto'

/** A new id of one request, ours and the service's log alike: `req_` and 32 hex digits. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

const plain = /^[A-Za-z0-9_.:-]{8,64}$/

/** A correlation id the browser gave, if it is plain text of 8 to 64 characters; else a new one. */
export const correlationIdOf = (given: string | null): string =>
  given && plain.test(given) ? given : `cor_${randomUUID().replaceAll('-', '')}`
