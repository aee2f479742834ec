'use client'

import type { UseFormReturn } from 'react-hook-form'
import {
  AmountField,
  AreaField,
  DateField,
  errorOf,
  FieldGroup,
  SelectField,
  setField,
  TextField,
  TickField,
} from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { CheckList } from '@/components/kits/record/check-list'
import { limitChecks } from '@/lib/domain/limit-checks'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import type { PlanFacts } from '@/lib/domain/payment-plan'
import { centsOf } from '@/lib/money'
import { ChosenPaykey } from './chosen-paykey'
import type { NewPaymentValues } from './new-payment-values'
import { PaykeyPicker } from './paykey-picker'
import { paymentNouns } from './payment-nouns'
import { balanceCheckWords, consentWords, outcomeChoices } from './payment-words'

type FieldsProps = {
  kind: PaymentKind
  account: string
  form: UseFormReturn<NewPaymentValues>
  typed: NewPaymentValues
  facts: PlanFacts
}

/** The fields of a new payment: whose bank account, how much and when, how it was agreed, and what else travels with it. */
export function NewPaymentFields(props: FieldsProps) {
  const { kind, account, form, typed, facts } = props
  const { environment } = useDesk()
  const error = errorOf(form, 'paykey_id')
  const pick = (paykey: string) => setField(form, 'paykey_id', paykey)
  return (
    <>
      <FieldGroup title={kind === 'charge' ? 'Charged from' : 'Paid to'}>
        {typed.paykey_id === '' ? (
          <PaykeyPicker account={account} error={error} onPick={pick} />
        ) : (
          <ChosenPaykey facts={facts} error={error} onChange={() => pick('')} />
        )}
      </FieldGroup>
      <MoneyFields {...props} />
      <AgreedFields {...props} />
      <FieldGroup title="Hold">
        <TickField
          form={form}
          name="auto_hold"
          label="Hold it when it is created"
          hint={`Nothing moves until somebody releases the ${paymentNouns[kind].one}.`}
          className="sm:col-span-2"
        />
        {typed.auto_hold && (
          <AreaField
            form={form}
            name="auto_hold_message"
            label="Why it is held"
            hint="Kept by the payments service: no names, no account numbers."
            maxLength={300}
            rows={2}
            className="sm:col-span-2"
          />
        )}
      </FieldGroup>
      <MetadataField before={{}} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
      {environment === 'sandbox' && (
        <FieldGroup title="Sandbox" note="Only here: how the sandbox lets it end.">
          <SelectField form={form} name="sandbox_outcome" label="Outcome" choices={outcomeChoices} />
        </FieldGroup>
      )}
    </>
  )
}

function MoneyFields({ kind, form, typed, facts }: FieldsProps) {
  const cents = centsOf(typed.amount)
  return (
    <FieldGroup title="Amount and day">
      <AmountField form={form} name="amount" label="Amount, USD" cents={cents} />
      <DateField form={form} name="payment_date" label="Payment date" hint="A day in New York; today is sent at once." />
      <TextField
        form={form}
        name="description"
        label="Description"
        hint={`Stands on the bank statement. ${typed.description.length} of 80 characters.`}
        maxLength={80}
      />
      <TextField
        form={form}
        name="external_id"
        label="External id"
        hint="Your own reference; no other may have it."
        maxLength={100}
        spellCheck={false}
      />
      {cents !== null && (
        <div className="sm:col-span-2">
          <CheckList checks={limitChecks(kind, cents, facts.account, facts.spent)} />
        </div>
      )}
    </FieldGroup>
  )
}

const { signed: _, ...consentChoices } = consentWords

function AgreedFields({ kind, form, typed }: FieldsProps) {
  return (
    <FieldGroup title="How it was agreed">
      {kind === 'charge' && (
        <>
          <SelectField form={form} name="consent_type" label="Consent" choices={consentChoices} none="Choose…" />
          <SelectField
            form={form}
            name="balance_check"
            label="Balance check"
            choices={balanceCheckWords}
            hint="“Required” refuses bank accounts that were typed in by hand: their balance cannot be read."
          />
        </>
      )}
      <TickField form={form} name="absent" label="The customer was not present" hint="No device was used: 0.0.0.0 is sent." />
      {!typed.absent && (
        <TextField
          form={form}
          name="device"
          label="Address of the customer’s device"
          hint="The IPv4 address the customer agreed from."
          inputMode="decimal"
          placeholder="203.0.113.20"
          maxLength={15}
          spellCheck={false}
        />
      )}
    </FieldGroup>
  )
}
