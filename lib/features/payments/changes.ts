import { formatDay } from '@/lib/dates'
import { compareMetadata } from '@/lib/domain/metadata-rules'
import type { Payment } from '@/lib/domain/payment-kind'
import { type AmountUnit, formatMinorUnits, parseCents, toMinorUnits } from '@/lib/money'

/** `amount` is as typed. `metadata` is complete: it includes unchanged entries. */
export type PaymentDraft = {
  amount: string
  description: string
  payment_date: string
  metadata: Readonly<Record<string, string>>
}

export type PaymentChange = {
  name: 'amount' | 'description' | 'payment_date' | 'metadata'
  label: string
  before: string
  after: string
}

type EditablePayment = Pick<Payment, 'amount' | 'description' | 'payment_date' | 'metadata'>

export function toPaymentDraft(payment: EditablePayment, unit: AmountUnit): PaymentDraft {
  const minorUnits = toMinorUnits(payment.amount, unit)
  return {
    amount: minorUnits === null ? '' : formatMinorUnits(minorUnits),
    description: payment.description ?? '',
    payment_date: payment.payment_date ?? '',
    metadata: payment.metadata,
  }
}

const formatMetadataKeys = (keys: readonly string[], changeLabel: string) =>
  keys.length > 0 ? `${changeLabel} ${keys.join(', ')}` : ''

function formatMetadataChange(
  before: EditablePayment['metadata'],
  after: PaymentDraft['metadata'],
): string {
  const { lost, added, changed } = compareMetadata(before, after)
  return [
    formatMetadataKeys(lost, 'without'),
    formatMetadataKeys(changed, 'other value of'),
    formatMetadataKeys(added, 'new'),
  ]
    .filter((part) => part !== '')
    .join('; ')
}

export function findPaymentChanges(
  payment: EditablePayment,
  draft: PaymentDraft,
  unit: AmountUnit,
): PaymentChange[] {
  const oldDraft = toPaymentDraft(payment, unit)
  const cents = parseCents(draft.amount)
  const newAmountText = cents === null ? draft.amount : formatMinorUnits(cents)
  const possibleChanges: PaymentChange[] = [
    { name: 'amount', label: 'Amount', before: oldDraft.amount, after: newAmountText },
    {
      name: 'description',
      label: 'Description',
      before: oldDraft.description,
      after: draft.description.trim(),
    },
    {
      name: 'payment_date',
      label: 'Payment date',
      before: formatDay(oldDraft.payment_date),
      after: formatDay(draft.payment_date),
    },
  ]
  const metadataText = formatMetadataChange(payment.metadata, draft.metadata)
  const metadataKeyCount = Object.keys(payment.metadata).length
  const metadataKeysChange: PaymentChange = {
    name: 'metadata',
    label: 'Metadata',
    before: metadataKeyCount === 1 ? '1 key' : `${metadataKeyCount} keys`,
    after: metadataText,
  }
  return [
    ...possibleChanges.filter((change) => change.before !== change.after),
    ...(metadataText === '' ? [] : [metadataKeysChange]),
  ]
}
