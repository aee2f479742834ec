'use client'

import { useChangedMeanwhile } from '@/components/kits/form/changed-meanwhile'
import { FieldGroup, setField, TextField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { type AccountValues, accountUpdateInput, accountValues, metadataFaults } from '@/lib/domain/account-form'
import { accountReasons } from '@/lib/domain/account-reasons'
import { accountSchemas } from '@/lib/operations/accounts.schema'
import { recordPath } from '@/lib/routes'
import { BusinessFields, DetailFields } from './account-fields'
import { accountNouns } from './account-nouns'
import { TaxIdAgain } from './tax-id-again'

const operation = 'accounts.update'

/** Changes an account and goes back to its page. */
export function EditAccountForm({ answer, actions, onRead }: RecordProps<'accounts.get'>) {
  const desk = useDesk()
  const { data: account, meta } = answer
  const back = recordPath(desk.environment, 'accounts', account.id, { account: desk.account })
  const { form, typed, page } = useFormPage<typeof operation, AccountValues>({
    operation,
    target: account.id,
    account: null,
    actions,
    snapshot: meta.snapshot,
    values: accountValues(account),
    schema: accountSchemas[operation].input,
    toInput: (values) => accountUpdateInput(account.id, values),
    check: metadataFaults,
    reasons: accountReasons,
    back,
    done: () => back,
    onMoved: onRead,
  })
  const changed = useChangedMeanwhile({ values: accountValues(account), snapshot: meta.snapshot }, { form, typed }, accountNouns.one)
  const name = account.business_profile?.name ?? 'the account'
  return (
    <FormPage
      {...page}
      title={
        <>
          Edit <bdi>{name}</bdi>
        </>
      }
      meta={
        <>
          in <span className="font-semibold text-ink">{desk.environment.toUpperCase()}</span>; saving replaces the whole profile
        </>
      }
      send={`Save ${name}`}
    >
      {changed}
      <BusinessFields form={form}>
        <TaxIdAgain form={form} typed={typed} onFile={account.business_profile?.tax_id} />
      </BusinessFields>
      <DetailFields form={form} />
      <FieldGroup title="In this platform">
        <TextField
          form={form}
          name="external_id"
          label="External id"
          maxLength={100}
          hint={account.external_id ? 'Left empty it stays as it is.' : 'Your own reference.'}
        />
      </FieldGroup>
      <MetadataField before={account.metadata} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}
