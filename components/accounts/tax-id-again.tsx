'use client'

import type { UseFormReturn } from 'react-hook-form'
import { TextField, TickField } from '@/components/kits/form/fields'
import { type AccountValues, taxIdNote } from '@/lib/domain/account-form'

type TaxIdAgainProps = { form: UseFormReturn<AccountValues>; typed: AccountValues; onFile: string | undefined }

/** Saving replaces the profile and a read shows four digits, so the tax id is said again: forgetting it must not take it away. */
export const TaxIdAgain = ({ form, typed, onFile }: TaxIdAgainProps) => (
  <div className="grid gap-1 sm:col-span-2">
    <TextField
      form={form}
      name="business_profile.tax_id"
      label={onFile ? 'Tax id, once more' : 'Tax id'}
      inputMode="numeric"
      hint={
        taxIdNote(onFile, typed.business_profile.tax_id) ??
        (onFile ? `Nine digits. On file: ${onFile}; Paydesk is shown no more of it, and saving writes it anew.` : 'Nine digits, or none.')
      }
    />
    {onFile && <TickField form={form} name="no_tax_id" label="The business has no tax id any more: take it away" />}
  </div>
)
