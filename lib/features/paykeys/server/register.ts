import 'server-only'
import type { Warning } from '@/lib/domain/warnings'
import { paykeyChecks } from '@/lib/features/paykeys/checks'
import { paykeyWarnings } from '@/lib/features/paykeys/decision'
import { alikeFilter, alikeIn } from '@/lib/features/paykeys/related'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { NewAction } from '@/lib/server/actions/action-log'
import { env } from '@/lib/server/config/env'
import { type FindWarnings, readBeside, refuseUnticked, registerOperation, statusIn, targetId } from '@/lib/server/http/registration'
import { asNotSent, readService } from '@/lib/server/service/service-read'

async function paykeyOf(newAction: NewAction): Promise<Paykey> {
  const { data } = await readService('paykeys.get', { id: targetId(newAction) }, newAction.scope).catch(asNotSent('The paykey'))
  return data
}

/** Returns the warnings of an approval, from the checks of the paykey in the account of the action. */
async function ofApproval(newAction: NewAction, read: unknown): Promise<readonly Warning[]> {
  const paykey = (read as Paykey | null) ?? (await paykeyOf(newAction))
  const { id, customer_id } = paykey
  const [review, customer, found] = await Promise.all([
    readBeside('paykeys.review', { id }, newAction.scope),
    readBeside('customers.get', customer_id ? { id: customer_id } : null, newAction.scope),
    readBeside('paykeys.list', alikeFilter(paykey), newAction.scope),
  ])
  const [now, unit] = [Date.now(), env().amountUnit]
  const facts = { paykey, review, customer, alike: alikeIn(found, paykey), actions: [], now, unit, readAt: new Date(now).toISOString() }
  return paykeyWarnings('approve', paykeyChecks(facts))
}

/** Returns the warnings to confirm for a decision on the review of a paykey. */
const paykeyReviewWarnings: FindWarnings = async (newAction, read) =>
  statusIn(newAction) === 'active' ? ofApproval(newAction, read) : paykeyWarnings('reject', [])

registerOperation('paykeys.decide', { before: refuseUnticked(paykeyReviewWarnings) })
registerOperation('paykeys.unblock', { before: refuseUnticked(async () => paykeyWarnings('unblock', [])) })
registerOperation('paykeys.cancel', { before: refuseUnticked(async () => paykeyWarnings('cancel', [])) })
