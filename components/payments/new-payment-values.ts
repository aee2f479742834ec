import type { ReasonTyped } from '@/components/kits/action/reason-fields'
import { type MetadataLine, metadataFault, metadataOf } from '@/lib/domain/metadata-rules'
import { amountFault } from '@/lib/domain/payment-amounts'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { centsOf } from '@/lib/money'
import { pastDate } from './date-fault'

/** What the form of a new payment holds, as typed. */
export type NewPaymentValues = ReasonTyped & {
  paykey_id: string
  amount: string
  description: string
  payment_date: string
  external_id: string
  consent_type: string
  balance_check: string
  /** The customer used no device; the address is 0.0.0.0 then. */
  absent: boolean
  device: string
  auto_hold: boolean
  auto_hold_message: string
  sandbox_outcome: string
  metadata: MetadataLine[]
}

/** A reference of our own, unlikely to be taken: the kind, the day, and eight characters. `random` is any hex of that length or more. */
const suggested = (kind: PaymentKind, today: string, random: string) => `${kind}-${today.replaceAll('-', '')}-${random.slice(0, 8)}`

/** The empty form: today in New York, a suggested reference, and nothing that was not asked for. */
export const emptyPayment = (kind: PaymentKind, paykey: string | null, today: string, random: string): NewPaymentValues => ({
  paykey_id: paykey ?? '',
  amount: '',
  description: '',
  payment_date: today,
  external_id: suggested(kind, today, random),
  consent_type: '',
  balance_check: 'enabled',
  absent: false,
  device: '',
  auto_hold: false,
  auto_hold_message: '',
  sandbox_outcome: 'standard',
  metadata: [],
  code: '',
  text: '',
})

function configOf(kind: PaymentKind, values: NewPaymentValues, inSandbox: boolean) {
  const { auto_hold, auto_hold_message: message, balance_check, sandbox_outcome } = values
  const hold = auto_hold ? { auto_hold, ...(message.trim() === '' ? {} : { auto_hold_message: message.trim() }) } : {}
  return { ...(kind === 'charge' ? { balance_check } : {}), ...(inSandbox ? { sandbox_outcome } : {}), ...hold }
}

/** What is sent. The amount travels in cents; what is no amount is left out, so that the schema and `newPaymentFaults` name it. */
export function newPaymentInput(kind: PaymentKind, values: NewPaymentValues, inSandbox: boolean): Record<string, unknown> {
  const { paykey_id, amount, description, payment_date, external_id, consent_type, absent, device, metadata } = values
  return {
    paykey_id,
    amount: centsOf(amount) ?? undefined,
    currency: 'USD',
    description,
    payment_date,
    external_id,
    device: { ip_address: absent ? '0.0.0.0' : device.trim() },
    config: configOf(kind, values, inSandbox),
    ...(kind === 'charge' ? { consent_type } : {}),
    ...(metadata.length === 0 ? {} : { metadata: metadataOf(metadata) }),
  }
}

/** What the schema cannot know or says less well, by field. */
export function newPaymentFaults(kind: PaymentKind, values: NewPaymentValues, today: string): Record<string, string> {
  const faults: Record<string, string> = { ...amountFault(values.amount), ...pastDate(values.payment_date, today) }
  if (values.paykey_id === '') faults.paykey_id = 'choose the bank account'
  if (kind === 'charge' && values.consent_type === '') faults.consent_type = 'say how the customer agreed'
  if (!values.absent && values.device.trim() === '') faults.device = 'type the address, or tick that the customer was not present'
  if (!values.absent && values.device.trim() === '0.0.0.0') faults.device = 'tick that the customer was not present instead'
  if (values.metadata.some((line) => metadataFault(line, values.metadata))) faults.metadata = 'mend the lines that are marked'
  return faults
}

/** The field an error of the input or of the service belongs to. */
export function newPaymentField(reference: string): string {
  if (reference.startsWith('device')) return 'device'
  if (reference === 'paykey') return 'paykey_id'
  return reference.replace(/^config\./, '')
}
