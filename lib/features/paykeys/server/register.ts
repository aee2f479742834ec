import 'server-only'
import type { Warning } from '@/lib/domain/warnings'
import { createPaykeyChecks } from '@/lib/features/paykeys/checks'
import { listPaykeyWarnings } from '@/lib/features/paykeys/decision'
import { filterSameAccount, toSameAccountFilter } from '@/lib/features/paykeys/related'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { NewAction } from '@/lib/server/actions/action-log'
import { env } from '@/lib/server/config/env'
import {
  createWarningsPrecondition,
  type FindWarnings,
  getTargetId,
  readBodyStatus,
  readForDecision,
  registerOperation,
} from '@/lib/server/http/registration'
import { readService, throwNotSent } from '@/lib/server/service/service-read'

async function readPaykey(newAction: NewAction): Promise<Paykey> {
  const { data } = await readService('paykeys.get', { id: getTargetId(newAction) }, newAction.scope).catch(throwNotSent('The paykey'))
  return data
}

/** Returns the warnings of an approval, from the checks of the paykey in the account of the action. */
async function findApprovalWarnings(newAction: NewAction, read: unknown): Promise<readonly Warning[]> {
  const paykey = (read as Paykey | null) ?? (await readPaykey(newAction))
  const { id, customer_id } = paykey
  const [review, customer, found] = await Promise.all([
    readForDecision('paykeys.review', { id }, newAction.scope),
    readForDecision('customers.get', customer_id ? { id: customer_id } : null, newAction.scope),
    readForDecision('paykeys.list', toSameAccountFilter(paykey), newAction.scope),
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
  return listPaykeyWarnings('approve', createPaykeyChecks(facts))
}

/** Returns the warnings to confirm for a decision on the review of a paykey. */
const paykeyReviewWarnings: FindWarnings = async (newAction, read) =>
  readBodyStatus(newAction) === 'active' ? findApprovalWarnings(newAction, read) : listPaykeyWarnings('reject', [])

registerOperation('paykeys.decide', { before: createWarningsPrecondition(paykeyReviewWarnings) })
registerOperation('paykeys.unblock', { before: createWarningsPrecondition(async () => listPaykeyWarnings('unblock', [])) })
registerOperation('paykeys.cancel', { before: createWarningsPrecondition(async () => listPaykeyWarnings('cancel', [])) })
