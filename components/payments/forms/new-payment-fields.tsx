'use client'

import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { TypedReason } from '@/components/kits/action/reason-fields'
import {
  AmountField,
  CheckboxField,
  FieldGroup,
  getFieldError,
  SelectField,
  setFieldValue,
  TextAreaField,
  TextField,
} from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CheckResultList } from '@/components/kits/record/check-list'
import { createLimitChecks } from '@/lib/domain/holds/limit-checks'
import { listMetadataFaults, type MetadataLine, toMetadata } from '@/lib/domain/metadata-rules'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { findAmountFault } from '@/lib/features/payments/form'
import {
  balanceCheckLabels,
  consentTypeLabels,
  paymentNouns,
  paymentOutcomeLabels,
} from '@/lib/features/payments/labels'
import type { PaymentPlanFacts } from '@/lib/features/payments/plan'
import { parseCents } from '@/lib/money'
import { findPastDateFault, PaymentDateField } from './form-parts'
import { ChosenPaykey, PaykeyPicker } from './paykey-picker'

export type NewPaymentValues = TypedReason & {
  paykey_id: string
  amount: string
  description: string
  payment_date: string
  external_id: string
  consent_type: string
  balance_check: string
  /** True if the customer was not present with a device. The IP address is then 0.0.0.0. */
  absent: boolean
  device: string
  auto_hold: boolean
  auto_hold_message: string
  sandbox_outcome: string
  metadata: MetadataLine[]
}

/**
 * Returns a suggested external id: kind, date, and the first eight characters of `randomHex`
 * (hexadecimal).
 */
const suggestExternalId = (kind: PaymentKind, today: string, randomHex: string) =>
  `${kind}-${today.replaceAll('-', '')}-${randomHex.slice(0, 8)}`

/** Returns the initial values of the form. `today` is the date in New York. */
export const createEmptyPaymentValues = (
  kind: PaymentKind,
  paykeyId: string | null,
  today: string,
  randomHex: string,
): NewPaymentValues => ({
  paykey_id: paykeyId ?? '',
  amount: '',
  description: '',
  payment_date: today,
  external_id: suggestExternalId(kind, today, randomHex),
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

function toPaymentConfigInput(kind: PaymentKind, values: NewPaymentValues, isSandbox: boolean) {
  const { auto_hold, auto_hold_message: message, balance_check, sandbox_outcome } = values
  const autoHoldFields = auto_hold
    ? { auto_hold, ...(message.trim() === '' ? {} : { auto_hold_message: message.trim() }) }
    : {}
  return {
    ...(kind === 'charge' ? { balance_check } : {}),
    ...(isSandbox ? { sandbox_outcome } : {}),
    ...autoHoldFields,
  }
}

/**
 * Returns the input of the operation, with the amount in cents. An amount that is not a number is
 * omitted; the schema and `findNewPaymentFaults` report it.
 */
export function toNewPaymentInput(
  kind: PaymentKind,
  values: NewPaymentValues,
  isSandbox: boolean,
): Record<string, unknown> {
  const {
    paykey_id,
    amount,
    description,
    payment_date,
    external_id,
    consent_type,
    absent,
    device,
    metadata,
  } = values
  return {
    paykey_id,
    amount: parseCents(amount) ?? undefined,
    currency: 'USD',
    description,
    payment_date,
    external_id,
    device: { ip_address: absent ? '0.0.0.0' : device.trim() },
    config: toPaymentConfigInput(kind, values, isSandbox),
    ...(kind === 'charge' ? { consent_type } : {}),
    ...(metadata.length === 0 ? {} : { metadata: toMetadata(metadata) }),
  }
}

/** Returns the errors, by field, that the schema does not find or explains less clearly. */
export function findNewPaymentFaults(
  kind: PaymentKind,
  values: NewPaymentValues,
  today: string,
): Record<string, string> {
  const faults: Record<string, string> = {
    ...findAmountFault(values.amount),
    ...findPastDateFault(values.payment_date, today),
    ...listMetadataFaults(values),
  }
  if (values.paykey_id === '') faults.paykey_id = 'Choose a bank account.'
  if (kind === 'charge' && values.consent_type === '')
    faults.consent_type = 'Choose how the customer authorized.'
  if (!values.absent && values.device.trim() === '')
    faults.device = 'Enter the address, or check “Customer not present”.'
  if (!values.absent && values.device.trim() === '0.0.0.0')
    faults.device = 'check “Customer not present” instead'
  return faults
}

export function toNewPaymentFieldName(reference: string): string {
  if (reference.startsWith('device')) return 'device'
  if (reference === 'paykey') return 'paykey_id'
  return reference.replace(/^config\./, '')
}

type NewPaymentFieldsProps = {
  kind: PaymentKind
  account: string | null
  form: UseFormReturn<NewPaymentValues>
  typed: NewPaymentValues
  facts: PaymentPlanFacts
}

export function NewPaymentFields(props: NewPaymentFieldsProps) {
  const { kind, account, form, typed, facts } = props
  const { environment } = usePageContext()
  const error = getFieldError(form, 'paykey_id')
  // Move the focus to the amount when a bank account is chosen: the focused element of the picker
  // has been removed.
  const isPaykeyChosen = typed.paykey_id !== ''
  useEffect(() => {
    if (isPaykeyChosen) form.setFocus('amount')
  }, [isPaykeyChosen, form])
  const pickPaykey = (paykeyId: string) => setFieldValue(form, 'paykey_id', paykeyId)
  return (
    <>
      <FieldGroup title={kind === 'charge' ? 'Charge from' : 'Pay to'}>
        {typed.paykey_id === '' ? (
          <PaykeyPicker account={account} error={error} onPick={pickPaykey} />
        ) : (
          <ChosenPaykey facts={facts} error={error} onChange={() => pickPaykey('')} />
        )}
      </FieldGroup>
      <AmountAndDateFields {...props} />
      <AuthorizationFields {...props} />
      <FieldGroup title="Hold">
        <CheckboxField
          form={form}
          name="auto_hold"
          label="Put on hold at creation"
          hint={`No money moves until someone releases the ${paymentNouns[kind].one}.`}
          className="sm:col-span-2"
        />
        {typed.auto_hold && (
          <TextAreaField
            form={form}
            name="auto_hold_message"
            label="Reason for the hold"
            hint="Stored by the payments service. No names, no account numbers."
            maxLength={300}
            rows={2}
            className="sm:col-span-2"
          />
        )}
      </FieldGroup>
      <MetadataField
        before={{}}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
      {environment === 'sandbox' && (
        <FieldGroup title="Sandbox" note="Sandbox only: how this payment ends.">
          <SelectField
            form={form}
            name="sandbox_outcome"
            label="Outcome"
            choices={paymentOutcomeLabels}
          />
        </FieldGroup>
      )}
    </>
  )
}

function AmountAndDateFields({ kind, form, typed, facts }: NewPaymentFieldsProps) {
  const cents = parseCents(typed.amount)
  return (
    <FieldGroup title="Amount and date">
      <AmountField form={form} name="amount" label="Amount, USD" cents={cents} />
      <PaymentDateField form={form} />
      <TextField
        form={form}
        name="description"
        label="Description"
        hint={`Shown on the bank statement. ${typed.description.length} of 80 characters.`}
        maxLength={80}
      />
      <TextField
        form={form}
        name="external_id"
        label="External ID"
        hint="Your own reference. Must be unique."
        maxLength={100}
        spellCheck={false}
      />
      {cents !== null && (
        <div className="sm:col-span-2">
          <CheckResultList checks={createLimitChecks(kind, cents, facts.account, facts.spent)} />
        </div>
      )}
    </FieldGroup>
  )
}

const { signed: _, ...consentChoices } = consentTypeLabels

function AuthorizationFields({ kind, form, typed }: NewPaymentFieldsProps) {
  return (
    <FieldGroup title="Authorization">
      {kind === 'charge' && (
        <>
          <SelectField
            form={form}
            name="consent_type"
            label="Consent"
            choices={consentChoices}
            none="Choose…"
          />
          <SelectField
            form={form}
            name="balance_check"
            label="Balance check"
            choices={balanceCheckLabels}
            hint="“Required” rejects manually entered bank accounts, because their balance cannot be checked."
          />
        </>
      )}
      <CheckboxField
        form={form}
        name="absent"
        label="Customer not present"
        hint="Without a device, Paydesk sends the IP address 0.0.0.0."
      />
      {!typed.absent && (
        <TextField
          form={form}
          name="device"
          label="IP address of the customer’s device"
          hint="The IPv4 address the customer authorized from."
          inputMode="decimal"
          placeholder="203.0.113.20"
          maxLength={15}
          spellCheck={false}
        />
      )}
    </FieldGroup>
  )
}
