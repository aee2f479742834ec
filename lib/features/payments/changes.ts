import { dayText } from '@/lib/dates'
import { compareMetadata } from '@/lib/domain/metadata-rules'
import type { Payment } from '@/lib/domain/payment-kind'
import { type AmountUnit, formatMinor, parseCents, toMinorUnits } from '@/lib/money'

/** The values of the edit form: the amount as typed, and the complete metadata after the change. */
export type PaymentDraft = { amount: string; description: string; payment_date: string; metadata: Readonly<Record<string, string>> }

/** One change of a payment, with the text before and after it. */
export type PaymentChange = { name: 'amount' | 'description' | 'payment_date' | 'metadata'; label: string; before: string; after: string }

type PaymentBefore = Pick<Payment, 'amount' | 'description' | 'payment_date' | 'metadata'>

/** Returns the initial values of the form. If the amount cannot be parsed, its field is empty. */
export function toPaymentDraft(payment: PaymentBefore, unit: AmountUnit): PaymentDraft {
  const minor = toMinorUnits(payment.amount, unit)
  return {
    amount: minor === null ? '' : formatMinor(minor),
    description: payment.description ?? '',
    payment_date: payment.payment_date ?? '',
    metadata: payment.metadata,
  }
}

const keysText = (keys: readonly string[], what: string) => (keys.length > 0 ? `${what} ${keys.join(', ')}` : '')

function metadataChangeText(before: PaymentBefore['metadata'], after: PaymentDraft['metadata']): string {
  const { lost, added, changed } = compareMetadata(before, after)
  return [keysText(lost, 'without'), keysText(changed, 'other value of'), keysText(added, 'new')].filter((part) => part !== '').join('; ')
}

/** Returns the changes that saving the form would make, in the order of the form. */
export function findPaymentChanges(payment: PaymentBefore, draft: PaymentDraft, unit: AmountUnit): PaymentChange[] {
  const oldDraft = toPaymentDraft(payment, unit)
  const cents = parseCents(draft.amount)
  const amount = cents === null ? draft.amount : formatMinor(cents)
  const possibleChanges: PaymentChange[] = [
    { name: 'amount', label: 'Amount', before: oldDraft.amount, after: amount },
    { name: 'description', label: 'Description', before: oldDraft.description, after: draft.description.trim() },
    { name: 'payment_date', label: 'Payment date', before: dayText(oldDraft.payment_date), after: dayText(draft.payment_date) },
  ]
  const metadata = metadataChangeText(payment.metadata, draft.metadata)
  const count = Object.keys(payment.metadata).length
  const metadataKeysChange: PaymentChange = {
    name: 'metadata',
    label: 'Metadata',
    before: count === 1 ? '1 key' : `${count} keys`,
    after: metadata,
  }
  return [...possibleChanges.filter((change) => change.before !== change.after), ...(metadata === '' ? [] : [metadataKeysChange])]
}
