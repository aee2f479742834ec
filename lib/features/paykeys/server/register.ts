import 'server-only'
import type { Warning } from '@/lib/domain/warnings'
import { createPaykeyChecks } from '@/lib/features/paykeys/checks'
import { listPaykeyWarnings } from '@/lib/features/paykeys/decision'
import { filterSameAccountPaykeys, toSameAccountFilter } from '@/lib/features/paykeys/related'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { NewAction } from '@/lib/server/actions/action-log'
import { env } from '@/lib/server/config/env'
import {
  createWarningsPrecondition,
  type FindWarnings,
  getTargetId,
  readForDecision,
  readRequestedStatus,
  registerOperation,
} from '@/lib/server/http/registration'
import { createNotSentHandler, readService } from '@/lib/server/service/service-read'

async function readPaykey(newAction: NewAction): Promise<Paykey> {
  const { data } = await readService(
    'paykeys.get',
    { id: getTargetId(newAction) },
    newAction.scope,
  ).catch(createNotSentHandler('The paykey'))
  return data
}

async function findApprovalWarnings(
  newAction: NewAction,
  comparedPaykey: unknown,
): Promise<readonly Warning[]> {
  const paykey = (comparedPaykey as Paykey | null) ?? (await readPaykey(newAction))
  const { id, customer_id } = paykey
  const [review, customer, found] = await Promise.all([
    readForDecision('paykeys.review', { id }, newAction.scope),
    readForDecision('customers.get', customer_id ? { id: customer_id } : null, newAction.scope),
    readForDecision('paykeys.list', toSameAccountFilter(paykey), newAction.scope),
  ])
  const [now, unit] = [Date.now(), env().amountUnit]
  const paykeyCheckFacts = {
    paykey,
    review,
    customer,
    alike: filterSameAccountPaykeys(found, paykey),
    actions: [],
    now,
    unit,
    readAt: new Date(now).toISOString(),
  }
  return listPaykeyWarnings('approve', createPaykeyChecks(paykeyCheckFacts))
}

const findPaykeyReviewWarnings: FindWarnings = async (newAction, comparedObject) =>
  readRequestedStatus(newAction) === 'active'
    ? findApprovalWarnings(newAction, comparedObject)
    : listPaykeyWarnings('reject', [])

registerOperation('paykeys.decide', {
  before: createWarningsPrecondition(findPaykeyReviewWarnings),
})
registerOperation('paykeys.unblock', {
  before: createWarningsPrecondition(async () => listPaykeyWarnings('unblock', [])),
})
registerOperation('paykeys.cancel', {
  before: createWarningsPrecondition(async () => listPaykeyWarnings('cancel', [])),
})
