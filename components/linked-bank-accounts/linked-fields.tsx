'use client'

import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { errorOf, FieldGroup, TextField, TickField } from '@/components/kits/form/fields'
import { Notice } from '@/components/ui/notice'
import { bankNameText } from '@/lib/domain/linked-bank-names'
import { purposeList } from '@/lib/domain/linked-bank-rules'
import { digitsOf, type LinkedValues, type NumberValues } from './linked-values'

type NumberFieldsProps = { form: UseFormReturn<NumberValues>; typed: NumberValues; note: ReactNode }

/** Holder and numbers; the account number twice, because money sent to a wrong one does not come back by itself. */
export const NumberFields = ({ form, typed, note }: NumberFieldsProps) => (
  <FieldGroup title="Bank account" note={note}>
    <TextField form={form} name="bank_account.account_holder" label="Account holder" maxLength={100} className="sm:col-span-2" />
    <TextField
      form={form}
      name="bank_account.routing_number"
      label="Routing number"
      hint={bankNameText(digitsOf(typed.bank_account.routing_number)) ?? '9 digits; the last one is checked against the others.'}
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
    <TextField form={form} name="again" label="Account number, once more" inputMode="numeric" maxLength={24} spellCheck={false} />
  </FieldGroup>
)

type PurposeFieldsProps = { form: UseFormReturn<LinkedValues>; warnings: readonly string[] }

/** What it serves, with what should be known before it is sent. */
export const PurposeFields = ({ form, warnings }: PurposeFieldsProps) => {
  const fault = errorOf(form, 'purposes')
  return (
    <FieldGroup
      title="What it serves"
      note="At most three bank accounts count for an owner, and each purpose is served by one. It cannot be changed afterwards."
    >
      {fault && <p className="font-medium text-bad text-xs sm:col-span-2">{fault}</p>}
      {purposeList.map(({ id, label, meaning }) => (
        <TickField key={id} form={form} name={`purposes.${id}`} label={label} hint={meaning} />
      ))}
      <TextField form={form} name="description" label="Description" hint="Optional, for example Operating account." maxLength={200} />
      {warnings.length > 0 && (
        <Notice tone="held" role="status" title="Look at this first" className="sm:col-span-2">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
    </FieldGroup>
  )
}
