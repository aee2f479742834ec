import 'server-only'
import { AppError, type ErrorItem } from '@/lib/errors'
import { readService } from '@/lib/server/proxy/service-read'
import { requireRole } from '@/lib/server/scoped-account'
import { sha256 } from '@/lib/server/sha256'
import type { Draft } from './book'

/** What the service replaces with every change of a customer, while screens have it masked. */
const needed = ['email', 'phone', 'device'] as const

function mustBeGiven(missing: readonly string[], requestId?: string): AppError {
  const detail = 'has to be typed anew: it cannot be read in this account, and every change replaces it'
  const items: ErrorItem[] = missing.map((reference) => ({ reference, detail }))
  const context = requestId ? { items, requestId } : { items }
  return new AppError('invalid_input', `${missing.join(', ')}: ${detail}. Nothing was sent`, context)
}

/** A failed reading is no failed write: nothing was sent yet. An account that does not let its data be read leaves the fields to the person. */
const notRead =
  (missing: readonly string[]) =>
  (cause: unknown): never => {
    if (!(cause instanceof AppError)) throw cause
    if (cause.code === 'service_forbidden') throw mustBeGiven(missing, cause.requestId)
    if (cause.code !== 'service_failed') throw cause
    throw new AppError('not_sent', 'The customer could not be read. Nothing was sent: try again', { requestId: cause.requestId, cause })
  }

/**
 * The draft of a changed customer with the contact data and the device that were left out, as they stand now. Only these encrypted bytes hold them;
 * nobody gets to see them. Throws `invalid_input` naming what cannot be read, and `not_sent`; nothing is booked then.
 */
export async function withContact(draft: Draft): Promise<Draft> {
  if (!Buffer.isBuffer(draft.body)) return draft
  const given = JSON.parse(draft.body.toString('utf8')) as Record<string, unknown>
  const missing = needed.filter((name) => given[name] === undefined)
  const id = draft.target?.split('/')[1]
  if (missing.length === 0 || !id) return draft
  requireRole(draft.scope, 'customers.unmask')
  const { data } = await readService('customers.unmask', { id }, draft.scope).catch(notRead(missing))
  const now = { email: data.email, phone: data.phone, device: data.device?.ip_address ? { ip_address: data.device.ip_address } : undefined }
  const unread = missing.filter((name) => now[name] === undefined)
  if (unread.length > 0) throw mustBeGiven(unread)
  const body = Buffer.from(JSON.stringify({ ...given, ...Object.fromEntries(missing.map((name) => [name, now[name]])) }))
  return { ...draft, body, bodySha256: sha256(body) }
}
