'use client'

import type { UseFormReturn } from 'react-hook-form'
import { FieldGroup, SelectField, setField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useDesk } from '@/components/kits/layout/desk-context'
import { linkedBankReasons } from '@/lib/domain/linked-bank-reasons'
import { linkingWarnings } from '@/lib/domain/linked-bank-rules'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import { listPath, recordPath } from '@/lib/routes'
import { NumberFields, PurposeFields } from './linked-fields'
import { digitsOf, type LinkedValues, type NumberValues, newInput, newValues, numberFaults, secretFields, ticked } from './linked-values'
import { useLinkedOf } from './use-linked-of'

const operation = 'linked_bank_accounts.create'
const bare = (account: string | null) => account?.replace(/^acct_/, '') ?? ''

/** Links a bank account and goes to its page. */
export function NewLinkedForm() {
  const { environment, account } = useDesk()
  const { form, typed, page } = useFormPage<typeof operation, LinkedValues>({
    operation,
    target: `new ${account ?? ''}`,
    account: null,
    secret: secretFields,
    values: newValues(bare(account)),
    schema: linkedBankAccountSchemas[operation].input,
    toInput: newInput,
    check: (values) => ({ ...numberFaults(values), ...(values.owner === '' ? { owner: 'choose whose it is' } : {}) }),
    fieldOf: (reference) => (reference === 'account_id' || reference === 'platform_id' ? 'owner' : reference),
    reasons: linkedBankReasons.create,
    back: listPath(environment, 'linked_bank_accounts', { account }),
    done: (id) => recordPath(environment, 'linked_bank_accounts', id, { account }),
  })
  const others = useLinkedOf(typed.owner || undefined).fact
  const warnings = others.state === 'known' ? linkingWarnings(ticked(typed.purposes), others.value) : []
  const tail = digitsOf(typed.bank_account.account_number).slice(-4)
  return (
    <FormPage
      {...page}
      title="Link a bank account"
      meta={`in ${environment.toUpperCase()}`}
      send={tail.length === 4 ? `Link the bank account ••••${tail}` : 'Link the bank account'}
    >
      <OwnerField form={form} />
      {/* The form holds these fields and more; its type does not say so by itself. */}
      <NumberFields
        form={form as unknown as UseFormReturn<NumberValues>}
        typed={typed}
        note="It is verified before any money is settled with it. A number can be corrected only until then."
      />
      <PurposeFields form={form} warnings={warnings} />
      <MetadataField before={{}} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}

function OwnerField({ form }: { form: UseFormReturn<LinkedValues> }) {
  const { accounts } = useDesk()
  const choices = Object.fromEntries(accounts.map((account) => [bare(account.id), account.name]))
  return (
    <FieldGroup title="Whose it is">
      <SelectField
        form={form}
        name="owner"
        label="Belongs to"
        none="Choose…"
        choices={{ ...choices, platform: 'The platform itself' }}
        hint="It cannot be changed afterwards."
      />
    </FieldGroup>
  )
}
