import 'server-only'
import type { Warning } from '@/lib/domain/warnings'
import { paykeyChecks } from '@/lib/features/paykeys/checks'
import { paykeyWarnings } from '@/lib/features/paykeys/decision'
import { filterSameAccount, sameAccountFilter } from '@/lib/features/paykeys/related'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { NewAction } from '@/lib/server/actions/action-log'
import { env } from '@/lib/server/config/env'
import {
  type FindWarnings,
  readBodyStatus,
  readForDecision,
  registerOperation,
  targetId,
  warningsPrecondition,
} from '@/lib/server/http/registration'
import { readService, throwNotSent } from '@/lib/server/service/service-read'

async function readPaykey(newAction: NewAction): Promise<Paykey> {
  const { data } = await readService('paykeys.get', { id: targetId(newAction) }, newAction.scope).catch(throwNotSent('The paykey'))
  return data
}

/** Returns the warnings of an approval, from the checks of the paykey in the account of the action. */
async function findApprovalWarnings(newAction: NewAction, read: unknown): Promise<readonly Warning[]> {
  const paykey = (read as Paykey | null) ?? (await readPaykey(newAction))
  const { id, customer_id } = paykey
  const [review, customer, found] = await Promise.all([
    readForDecision('paykeys.review', { id }, newAction.scope),
    readForDecision('customers.get', customer_id ? { id: customer_id } : null, newAction.scope),
    readForDecision('paykeys.list', sameAccountFilter(paykey), newAction.scope),
  ])
  const [now, unit] = [Date.now(), env().amountUnit]
  const facts = {
    paykey,
    review,
    customer,
    alike: filterSameAccount(found, paykey),
    actions: [],
    now,
    unit,
    readAt: new Date(now).toISOString(),
  }
  return paykeyWarnings('approve', paykeyChecks(facts))
}

/** Returns the warnings to confirm for a decision on the review of a paykey. */
const paykeyReviewWarnings: FindWarnings = async (newAction, read) =>
  readBodyStatus(newAction) === 'active' ? findApprovalWarnings(newAction, read) : paykeyWarnings('reject', [])

registerOperation('paykeys.decide', { before: warningsPrecondition(paykeyReviewWarnings) })
registerOperation('paykeys.unblock', { before: warningsPrecondition(async () => paykeyWarnings('unblock', [])) })
registerOperation('paykeys.cancel', { before: warningsPrecondition(async () => paykeyWarnings('cancel', [])) })
