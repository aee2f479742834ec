'use client'

import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { CheckboxField, FieldGroup, getFieldError, TextField } from '@/components/kits/form/fields'
import { Notice } from '@/components/ui/notice'
import {
  listMetadataFaults,
  type MetadataLine,
  toMetadata,
  toMetadataLines,
} from '@/lib/domain/metadata-rules'
import { findBankName } from '@/lib/features/accounts/linked-bank-accounts/names'
import {
  type LinkedAccountPurpose,
  purposeOptions,
} from '@/lib/features/accounts/linked-bank-accounts/rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

/** `again` is the account number, typed a second time. */
export type BankNumberValues = {
  bank_account: { account_holder: string; routing_number: string; account_number: string }
  again: string
  metadata: MetadataLine[]
}

/** `owner` is an account id without `acct_`, or `platform`; empty if none is chosen yet. */
export type NewLinkedAccountValues = BankNumberValues & {
  owner: string
  purposes: Record<LinkedAccountPurpose, boolean>
  description: string
}

/** Fields that drafts omit: bank numbers must not stay in memory after the form is closed. */
export const secretFieldNames = [
  'bank_account.routing_number',
  'bank_account.account_number',
  'again',
] as const

export const createInitialLinkedAccountValues = (ownerId: string): NewLinkedAccountValues => ({
  owner: ownerId,
  bank_account: { account_holder: '', routing_number: '', account_number: '' },
  again: '',
  purposes: { charges: false, payouts: false, billing: false },
  description: '',
  metadata: [],
})

/** The numbers start empty: the service returns them masked, and a mask must not be sent. */
export const toBankNumberValues = (linked: LinkedBankAccount): BankNumberValues => ({
  bank_account: {
    account_holder: linked.bank_account?.account_holder ?? '',
    routing_number: '',
    account_number: '',
  },
  again: '',
  metadata: toMetadataLines(linked.metadata),
})

/** Characters other than spaces and hyphens stay, so that the schema refuses them. */
export const stripSeparators = (typed: string) => typed.replace(/[\s-]/g, '')

export const toBankAccountInput = ({
  bank_account: { account_holder, routing_number, account_number },
}: BankNumberValues) => ({
  account_holder,
  routing_number: stripSeparators(routing_number),
  account_number: stripSeparators(account_number),
})

export const listTickedPurposes = (
  purposes: NewLinkedAccountValues['purposes'],
): LinkedAccountPurpose[] => purposeOptions.flatMap(({ id }) => (purposes[id] ? [id] : []))

/** Without `account_id` the bank account belongs to the platform. */
export const toCreateInput = (values: NewLinkedAccountValues) => ({
  ...(values.owner === 'platform' || values.owner === '' ? {} : { account_id: values.owner }),
  bank_account: toBankAccountInput(values),
  purposes: listTickedPurposes(values.purposes),
  ...(values.description.trim() === '' ? {} : { description: values.description }),
  ...(values.metadata.length === 0 ? {} : { metadata: toMetadata(values.metadata) }),
})

/** Returns the errors that the schema cannot find. */
export function findBankNumberFaults({
  bank_account,
  again,
  metadata,
}: BankNumberValues): Record<string, string> {
  const isRepeatDifferent = stripSeparators(bank_account.account_number) !== stripSeparators(again)
  return {
    ...(isRepeatDifferent ? { again: 'Must match the number above.' } : {}),
    ...listMetadataFaults({ metadata }),
  }
}

type BankNumberFieldsProps = {
  form: UseFormReturn<BankNumberValues>
  typed: BankNumberValues
  note: ReactNode
}

/** The account number is typed twice: a bank does not return money sent to a wrong account. */
export const BankNumberFields = ({ form, typed, note }: BankNumberFieldsProps) => (
  <FieldGroup title="Bank account" note={note}>
    <TextField
      form={form}
      name="bank_account.account_holder"
      label="Account holder"
      maxLength={100}
      className="sm:col-span-2"
    />
    <TextField
      form={form}
      name="bank_account.routing_number"
      label="Routing number"
      hint={findBankName(stripSeparators(typed.bank_account.routing_number)) ?? 'Nine digits.'}
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
    <TextField
      form={form}
      name="again"
      label="Confirm account number"
      inputMode="numeric"
      maxLength={24}
      spellCheck={false}
    />
  </FieldGroup>
)

type PurposeFieldsProps = {
  form: UseFormReturn<NewLinkedAccountValues>
  warnings: readonly string[]
}

export const PurposeFields = ({ form, warnings }: PurposeFieldsProps) => {
  const fault = getFieldError(form, 'purposes')
  return (
    <FieldGroup
      title="Purposes"
      note="An owner can have at most three bank accounts, and only one for each purpose. Purposes cannot be changed later."
    >
      {fault && <p className="font-medium text-bad text-xs sm:col-span-2">{fault}</p>}
      {purposeOptions.map(({ id, label, meaning }) => (
        <CheckboxField key={id} form={form} name={`purposes.${id}`} label={label} hint={meaning} />
      ))}
      <TextField
        form={form}
        name="description"
        label="Description"
        hint="Optional, for example Operating account."
        maxLength={200}
      />
      {warnings.length > 0 && (
        <Notice
          tone="held"
          role="status"
          title="Check before you continue"
          className="sm:col-span-2"
        >
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
    </FieldGroup>
  )
}
