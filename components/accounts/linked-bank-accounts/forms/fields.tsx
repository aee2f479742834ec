'use client'

import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { errorOf, FieldGroup, TextField, TickField } from '@/components/kits/form/fields'
import { Notice } from '@/components/ui/notice'
import { type MetadataLine, metadataFaults, metadataLines, metadataOf } from '@/lib/domain/metadata-rules'
import { bankNameText } from '@/lib/features/accounts/linked-bank-accounts/names'
import { type Purpose, purposeList } from '@/lib/features/accounts/linked-bank-accounts/rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

/** Values common to the create and edit forms. `again` is the repeated account number. */
export type NumberValues = {
  bank_account: { account_holder: string; routing_number: string; account_number: string }
  again: string
  metadata: MetadataLine[]
}

/** Values of the create form. `owner` is a bare account id, `platform`, or empty if not chosen. */
export type LinkedValues = NumberValues & { owner: string; purposes: Record<Purpose, boolean>; description: string }

/** Fields excluded from drafts: account numbers must not outlive the form. */
export const secretFields = ['bank_account.routing_number', 'bank_account.account_number', 'again'] as const

export const newValues = (owner: string): LinkedValues => ({
  owner,
  bank_account: { account_holder: '', routing_number: '', account_number: '' },
  again: '',
  purposes: { charges: false, payouts: false, billing: false },
  description: '',
  metadata: [],
})

/** Initial values of the edit form. Numbers start empty because they are masked: a mask must never be sent as a number. */
export const valuesOf = (linked: LinkedBankAccount): NumberValues => ({
  bank_account: { account_holder: linked.bank_account?.account_holder ?? '', routing_number: '', account_number: '' },
  again: '',
  metadata: metadataLines(linked.metadata),
})

/** Removes spaces and hyphens. Other characters stay, so that validation rejects them. */
export const digitsOf = (typed: string) => typed.replace(/[\s-]/g, '')

export const bankInput = ({ bank_account: { account_holder, routing_number, account_number } }: NumberValues) => ({
  account_holder,
  routing_number: digitsOf(routing_number),
  account_number: digitsOf(account_number),
})

export const ticked = (purposes: LinkedValues['purposes']): Purpose[] => purposeList.flatMap(({ id }) => (purposes[id] ? [id] : []))

/** Input of the create operation. Without `account_id` the bank account belongs to the platform. */
export const newInput = (values: LinkedValues) => ({
  ...(values.owner === 'platform' || values.owner === '' ? {} : { account_id: values.owner }),
  bank_account: bankInput(values),
  purposes: ticked(values.purposes),
  ...(values.description.trim() === '' ? {} : { description: values.description }),
  ...(values.metadata.length === 0 ? {} : { metadata: metadataOf(values.metadata) }),
})

/** Errors that the schema cannot detect: a repeated number that differs, and invalid metadata lines. */
export function numberFaults({ bank_account, again, metadata }: NumberValues): Record<string, string> {
  const differs = digitsOf(bank_account.account_number) !== digitsOf(again)
  return {
    ...(differs ? { again: 'does not match' } : {}),
    ...metadataFaults({ metadata }),
  }
}

type NumberFieldsProps = { form: UseFormReturn<NumberValues>; typed: NumberValues; note: ReactNode }

/** Holder and number fields. The account number is typed twice, because money sent to a wrong account is not returned automatically. */
export const NumberFields = ({ form, typed, note }: NumberFieldsProps) => (
  <FieldGroup title="Bank account" note={note}>
    <TextField form={form} name="bank_account.account_holder" label="Account holder" maxLength={100} className="sm:col-span-2" />
    <TextField
      form={form}
      name="bank_account.routing_number"
      label="Routing number"
      hint={bankNameText(digitsOf(typed.bank_account.routing_number)) ?? 'Nine digits.'}
      inputMode="numeric"
      maxLength={14}
      spellCheck={false}
    />
    <span className="max-sm:hidden" />
    <TextField
      form={form}
      name="bank_account.account_number"
      label="Account number"
      inputMode="numeric"
      maxLength={24}
      spellCheck={false}
    />
    <TextField form={form} name="again" label="Confirm account number" inputMode="numeric" maxLength={24} spellCheck={false} />
  </FieldGroup>
)

type PurposeFieldsProps = { form: UseFormReturn<LinkedValues>; warnings: readonly string[] }

/** Purpose fields, with warnings to read before sending. */
export const PurposeFields = ({ form, warnings }: PurposeFieldsProps) => {
  const fault = errorOf(form, 'purposes')
  return (
    <FieldGroup
      title="Purposes"
      note="An owner can have at most three bank accounts, and each purpose has one. Purposes cannot be changed later."
    >
      {fault && <p className="font-medium text-bad text-xs sm:col-span-2">{fault}</p>}
      {purposeList.map(({ id, label, meaning }) => (
        <TickField key={id} form={form} name={`purposes.${id}`} label={label} hint={meaning} />
      ))}
      <TextField form={form} name="description" label="Description" hint="Optional, for example Operating account." maxLength={200} />
      {warnings.length > 0 && (
        <Notice tone="held" role="status" title="Check before you continue" className="sm:col-span-2">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
    </FieldGroup>
  )
}
