import 'server-only'
import { AppError } from '@/lib/errors'
import { rowOf } from '@/lib/operations/rows'
import { readService } from '@/lib/server/proxy/service-read'
import { requireRole } from '@/lib/server/scoped-account'
import type { Sending, Sent } from '@/lib/server/service/client'
import { withoutKey } from '@/lib/server/service/without-key'
import { sha256 } from '@/lib/server/sha256'
import type { Draft } from './book'
import { withContact } from './fill-contact'

/** A failed reading is no failed write: nothing was sent yet, and the screen must not call that an unknown outcome. `what` could not be read. */
export function asNotSent(what: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof AppError) || cause.code !== 'service_failed') throw cause
    throw new AppError('not_sent', `${what} could not be read. Nothing was sent: try again`, { requestId: cause.requestId, cause })
  }
}

function unknownPaykey(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code !== 'service_not_found') return asNotSent('The bank account (paykey)')(cause)
  const items = [{ reference: 'paykey_id', detail: 'is not a paykey of this account' }]
  throw new AppError('service_not_found', 'paykey_id: is not a paykey of this account. Nothing was sent', {
    items,
    requestId: cause.requestId,
    cause,
  })
}

/**
 * The draft with the bytes the service gets: where its row says so, the token is read in the same scope and takes the place of `paykey_id`. Only
 * these encrypted bytes ever hold it. Throws `not_sent`, or the service's refusal to name the token; nothing is booked then.
 */
export async function filled(draft: Draft): Promise<Draft> {
  const { fills } = rowOf(draft.operation)
  if (fills === 'customer') return withContact(draft)
  if (fills !== 'paykey' || !Buffer.isBuffer(draft.body)) return draft
  requireRole(draft.scope, 'paykeys.reveal')
  const { paykey_id: id, ...rest } = JSON.parse(draft.body.toString('utf8')) as { paykey_id: string }
  const { data } = await readService('paykeys.reveal', { id }, draft.scope).catch(unknownPaykey)
  const body = Buffer.from(JSON.stringify({ paykey: data.paykey, ...rest }))
  return { ...draft, body, bodySha256: sha256(body) }
}

/** What came back without the token that was sent: some services repeat a field when they refuse it. */
export function withoutFill({ operation, body }: Pick<Sending, 'operation' | 'body'>, sent: Sent): Sent {
  if (rowOf(operation).fills !== 'paykey' || sent.kind === 'fault' || !Buffer.isBuffer(body)) return sent
  const { paykey } = JSON.parse(body.toString('utf8')) as { paykey: string }
  return { ...sent, text: withoutKey(sent.text, paykey) }
}
