import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import type { Draft } from './actions/book'
import { asNotSent } from './actions/fill'
import { readService } from './proxy/service-read'

/** States that only a decision may lead out of or into (provider facts 3.2). */
const decided = ['review', 'verified', 'rejected']

/**
 * Keeps a change of a customer from being a decision by another name: the service lets an update set the state, and takes no reason for it. The
 * state as it is now may be sent back, and a verified customer may be switched off and on again: from here only a verified one can have been
 * switched off. Every other way through a decided state needs the right to decide. Throws `forbidden`, and what a
 * read throws; nothing is booked then.
 */
export async function refuseDecisionByUpdate(draft: Draft): Promise<null> {
  if (!Buffer.isBuffer(draft.body)) return null
  const id = draft.target?.split('/')[1] ?? ''
  const { status } = JSON.parse(draft.body.toString('utf8')) as { status?: string }
  const { data } = await readService('customers.get', { id }, draft.scope).catch(asNotSent('The customer'))
  const switched = [data.status, status].every((state) => state === 'verified' || state === 'inactive')
  if (status === data.status || switched || !decided.some((state) => state === status || state === data.status)) return null
  const why = whyNotAllowed(draft.scope.roles, 'customers.decide')
  if (why) throw new AppError('forbidden', `${why} A change of the state from ${data.status} to ${String(status)} is a decision.`)
  return null
}
