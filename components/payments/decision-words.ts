import type { Decision } from '@/lib/domain/decision-reasons'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'
import type { Payout } from '@/lib/operations/payouts.schema'

/** How each decision is named: on its button, in its sentence, and what cannot be undone about it. */
export const decisionWords: Record<Decision, { verb: string; opens: string; key: string; consequence: string }> = {
  release: {
    verb: 'Release',
    opens: 'Release…',
    key: 'r',
    consequence: 'It goes on to the bank network; once it is there it cannot be called back.',
  },
  hold: { verb: 'Hold', opens: 'Hold…', key: 'h', consequence: 'It stays where it is until somebody releases or cancels it.' },
  cancel: { verb: 'Cancel', opens: 'Cancel payout…', key: 'x', consequence: 'It is stopped for good. There is no undo.' },
}

/** What the button that sends says: the verb and the amount, so that nobody presses it for another payout. */
export function sendLabel(decision: Decision, payout: Pick<Payout, 'amount'>, unit: AmountUnit): string {
  const minor = minorUnits(payout.amount, unit)
  const verb = decision === 'cancel' ? 'Cancel payout of' : decisionWords[decision].verb
  return `${verb} ${minor === null ? payout.amount : formatMinor(minor)}`
}
