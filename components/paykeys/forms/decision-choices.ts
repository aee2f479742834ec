import type { ActionChoice } from '@/components/kits/action/action-choices'
import type { PaykeyDecision } from '@/lib/features/paykeys/decision'
import { decisionLabels } from '@/lib/features/paykeys/labels'
import type { PaykeyAction } from '@/lib/features/paykeys/rules'
import type { Paykey } from '@/lib/operations/paykeys.schema'

export const decisionOperations = {
  approve: 'paykeys.decide',
  reject: 'paykeys.decide',
  unblock: 'paykeys.unblock',
  cancel: 'paykeys.cancel',
} as const satisfies Readonly<Record<PaykeyDecision, string>>

/**
 * Returns the buttons of the decisions on a paykey. The decision that fits the paykey's status is
 * first: if the first button is disabled, the action bar shows its reason, and it shows no reason
 * of the others.
 */
export function toDecisionChoices(
  { status }: Paykey,
  getDisabledReason: (action: PaykeyAction) => string | null,
): ActionChoice<PaykeyDecision>[] {
  const buildChoice = (name: PaykeyDecision, action: PaykeyAction) => ({
    operation: decisionOperations[name],
    name,
    opens: decisionLabels[name].opens,
    key: decisionLabels[name].key,
    done: decisionLabels[name].done,
    disabledReason: getDisabledReason(action),
  })
  const reviewChoices = [buildChoice('approve', 'decide'), buildChoice('reject', 'decide')]
  const unblockChoice = buildChoice('unblock', 'unblock')
  const cancelChoice = buildChoice('cancel', 'cancel')
  return status === 'blocked'
    ? [unblockChoice, ...reviewChoices, cancelChoice]
    : [...reviewChoices, unblockChoice, cancelChoice]
}
