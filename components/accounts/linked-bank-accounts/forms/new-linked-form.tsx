'use client'

import type { UseFormReturn } from 'react-hook-form'
import { useLinkedBankAccounts } from '@/components/accounts/linked-bank-accounts/record/use-linked-bank-accounts'
import { AccountChoicesStatus, useAccountChoices } from '@/components/kits/form/account-choices'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, SelectField, setFieldValue } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { linkedBankReasons } from '@/lib/features/accounts/labels/reasons'
import { findLinkingWarnings } from '@/lib/features/accounts/linked-bank-accounts/rules'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import { listPath, recordPath } from '@/lib/routes'
import {
  BankNumberFields,
  type BankNumberValues,
  createInitialLinkedAccountValues,
  findBankNumberFaults,
  listTickedPurposes,
  type NewLinkedAccountValues,
  PurposeFields,
  secretFieldNames,
  stripSeparators,
  toCreateInput,
} from './fields'

const operation = 'linked_bank_accounts.create'
const removeAccountPrefix = (account: string | null) => account?.replace(/^acct_/, '') ?? ''

export function NewLinkedAccountForm() {
  const context = usePageContext()
  const { environment, account } = context
  const { form, typed, frame } = useActionForm<typeof operation, NewLinkedAccountValues>({
    operation,
    target: `new ${account ?? ''}`,
    account: null,
    secret: secretFieldNames,
    values: createInitialLinkedAccountValues(removeAccountPrefix(account)),
    schema: linkedBankAccountSchemas[operation].input,
    toInput: toCreateInput,
    check: (values) => ({
      ...findBankNumberFaults(values),
      ...(values.owner === '' ? { owner: 'Choose the owner.' } : {}),
    }),
    fieldOf: (reference) =>
      reference === 'account_id' || reference === 'platform_id' ? 'owner' : reference,
    reasons: linkedBankReasons.create,
    back: listPath(context, 'linked_bank_accounts'),
    done: (id) => recordPath(context, 'linked_bank_accounts', id, { account }),
  })
  const existingLinkedAccountsRead = useLinkedBankAccounts(typed.owner || undefined)
  const linkingWarnings = existingLinkedAccountsRead.data
    ? findLinkingWarnings(listTickedPurposes(typed.purposes), existingLinkedAccountsRead.data)
    : []
  const lastFourDigits = stripSeparators(typed.bank_account.account_number).slice(-4)
  return (
    <ActionForm
      {...frame}
      layout="page"
      title="Link a bank account"
      meta={`in ${environment.toUpperCase()}`}
      send={
        lastFourDigits.length === 4
          ? `Link bank account ••••${lastFourDigits}`
          : 'Link bank account'
      }
    >
      <AccountOrPlatformField form={form} />
      {/* The cast is safe: TypeScript rejects the form, although it has all fields of `BankNumberValues`. */}
      <BankNumberFields
        form={form as unknown as UseFormReturn<BankNumberValues>}
        typed={typed}
        note="The service verifies the bank account before settling money with it. Numbers can be corrected only until then."
      />
      <PurposeFields form={form} warnings={linkingWarnings} />
      <MetadataField
        before={{}}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
    </ActionForm>
  )
}

function AccountOrPlatformField({ form }: { form: UseFormReturn<NewLinkedAccountValues> }) {
  const choices = useAccountChoices()
  const accountNamesById = Object.fromEntries(
    choices.accounts.map((account) => [removeAccountPrefix(account.id), account.name]),
  )
  return (
    <FieldGroup title="Owner">
      <SelectField
        key={`${choices.reading}`}
        form={form}
        name="owner"
        label="Belongs to"
        none="Choose…"
        choices={{ ...accountNamesById, platform: 'The platform' }}
        hint="This cannot be changed later."
      />
      <AccountChoicesStatus choices={choices} />
    </FieldGroup>
  )
}
