import { dayText } from '@/lib/dates'
import { metadataChange } from '@/lib/domain/metadata-rules'
import type { Payment } from '@/lib/domain/payment-kind'
import { type AmountUnit, centsOf, formatMinor, minorUnits } from '@/lib/money'

/** What the form of a change holds: the amount as typed, the metadata as the whole map it will be. */
export type PaymentDraft = { amount: string; description: string; payment_date: string; metadata: Readonly<Record<string, string>> }

/** One thing a change does, before and after in words. */
export type PaymentChange = { name: 'amount' | 'description' | 'payment_date' | 'metadata'; label: string; before: string; after: string }

type Before = Pick<Payment, 'amount' | 'description' | 'payment_date' | 'metadata'>

/** A payment as the form shows it at first; an amount that cannot be read leaves the field empty. */
export function draftOfPayment(payment: Before, unit: AmountUnit): PaymentDraft {
  const minor = minorUnits(payment.amount, unit)
  return {
    amount: minor === null ? '' : formatMinor(minor),
    description: payment.description ?? '',
    payment_date: payment.payment_date ?? '',
    metadata: payment.metadata,
  }
}

const keysText = (keys: readonly string[], what: string) => (keys.length > 0 ? `${what} ${keys.join(', ')}` : '')

function metadataText(before: Before['metadata'], after: PaymentDraft['metadata']): string {
  const { lost, added, changed } = metadataChange(before, after)
  return [keysText(lost, 'without'), keysText(changed, 'other value of'), keysText(added, 'new')].filter((part) => part !== '').join('; ')
}

/** What saving a draft would change, in the order of the form; empty where it would change nothing. */
export function changesOf(payment: Before, draft: PaymentDraft, unit: AmountUnit): PaymentChange[] {
  const was = draftOfPayment(payment, unit)
  const cents = centsOf(draft.amount)
  const amount = cents === null ? draft.amount : formatMinor(cents)
  const all: PaymentChange[] = [
    { name: 'amount', label: 'Amount', before: was.amount, after: amount },
    { name: 'description', label: 'Description', before: was.description, after: draft.description.trim() },
    { name: 'payment_date', label: 'Payment date', before: dayText(was.payment_date), after: dayText(draft.payment_date) },
  ]
  const metadata = metadataText(payment.metadata, draft.metadata)
  const count = Object.keys(payment.metadata).length
  const keys: PaymentChange = { name: 'metadata', label: 'Metadata', before: count === 1 ? '1 key' : `${count} keys`, after: metadata }
  return [...all.filter((change) => change.before !== change.after), ...(metadata === '' ? [] : [keys])]
}
