'use client'

import type { UseFormReturn } from 'react-hook-form'
import { ActionForm } from '@/components/kits/form/action-form'
import { CheckboxField, FieldGroup, setFieldValue, TextField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { RecordContentProps } from '@/components/kits/record/record-panel'
import {
  type AccountFormValues,
  formatTaxIdNote,
  listMetadataFaults,
  toAccountFormValues,
  toAccountUpdateInput,
} from '@/lib/features/accounts/form'
import { accountNouns } from '@/lib/features/accounts/labels'
import { accountReasons } from '@/lib/features/accounts/labels/reasons'
import { accountSchemas } from '@/lib/operations/accounts.schema'
import { recordPath } from '@/lib/routes'
import { BusinessFields, OptionalProfileFields } from './fields'

type TaxIdFieldProps = {
  form: UseFormReturn<AccountFormValues>
  typed: AccountFormValues
  onFile: string | undefined
}

/**
 * Saving replaces the whole profile, and reads contain only the last four digits of the tax id
 * (`onFile`). The person must therefore type it again, or saving would remove it.
 */
const TaxIdField = ({ form, typed, onFile }: TaxIdFieldProps) => (
  <div className="grid gap-1 sm:col-span-2">
    <TextField
      form={form}
      name="business_profile.tax_id"
      label="Tax ID"
      inputMode="numeric"
      hint={
        formatTaxIdNote(onFile, typed.business_profile.tax_id) ??
        (onFile
          ? `Nine digits. On file: ${onFile}. Only the last four digits are shown, so enter the number again even if it did not change.`
          : 'Nine digits, or none.')
      }
    />
    {onFile && (
      <CheckboxField
        form={form}
        name="no_tax_id"
        label="Remove the tax ID: the business no longer has one"
      />
    )}
  </div>
)

const operation = 'accounts.update'

export function EditAccountForm({ answer, actions, onRead }: RecordContentProps<'accounts.get'>) {
  const context = usePageContext()
  const { data: account, meta } = answer
  const backHref = recordPath(context, 'accounts', account.id, { account: context.account })
  const { form, typed, frame } = useActionForm<typeof operation, AccountFormValues>({
    operation,
    target: account.id,
    account: null,
    actions,
    snapshot: meta.snapshot,
    values: toAccountFormValues(account),
    schema: accountSchemas[operation].input,
    toInput: (values) => toAccountUpdateInput(account.id, values),
    check: listMetadataFaults,
    reasons: accountReasons,
    back: backHref,
    done: () => backHref,
    edited: { one: accountNouns.one, readAt: meta.read_at },
    onMoved: onRead,
  })
  const accountName = account.business_profile?.name ?? 'the account'
  return (
    <ActionForm
      {...frame}
      layout="page"
      title={
        <>
          Edit <ExternalText>{accountName}</ExternalText>
        </>
      }
      meta={
        <>
          in <span className="font-semibold text-ink">{context.environment.toUpperCase()}</span>.
          Saving replaces the whole profile
        </>
      }
      send={`Save ${accountName}`}
    >
      <BusinessFields form={form}>
        <TaxIdField form={form} typed={typed} onFile={account.business_profile?.tax_id} />
      </BusinessFields>
      <OptionalProfileFields form={form} />
      <FieldGroup title="In this platform">
        <TextField
          form={form}
          name="external_id"
          label="External ID"
          maxLength={100}
          hint={account.external_id ? 'Leave blank to keep.' : 'Your own reference.'}
        />
      </FieldGroup>
      <MetadataField
        before={account.metadata}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
    </ActionForm>
  )
}
