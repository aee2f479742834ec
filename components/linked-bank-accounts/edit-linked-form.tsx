'use client'

import { useChangedMeanwhile } from '@/components/kits/form/changed-meanwhile'
import { setField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { StandingNotice } from '@/components/kits/record/standing-notice'
import { linkedBankReasons } from '@/lib/domain/linked-bank-reasons'
import { nameOf, whyNotLinked } from '@/lib/domain/linked-bank-rules'
import { metadataOf } from '@/lib/domain/metadata-rules'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import { recordPath } from '@/lib/routes'
import { NumberFields } from './linked-fields'
import { linkedNouns } from './linked-nouns'
import { bankInput, type NumberValues, numberFaults, secretFields, valuesOf } from './linked-values'

const operation = 'linked_bank_accounts.update'

/** Corrects a linked bank account and goes back to its page. */
export function EditLinkedForm({ id, answer, actions, onRead }: RecordProps<'linked_bank_accounts.get'>) {
  const desk = useDesk()
  const { data: linked, meta } = answer
  const account = linked.account_id ? `acct_${linked.account_id}` : null
  const back = recordPath(desk.environment, 'linked_bank_accounts', id, { account: desk.account })
  const { form, typed, page } = useFormPage<typeof operation, NumberValues>({
    operation,
    target: id,
    account: null,
    actions,
    rule: whyNotLinked('update', linked),
    snapshot: meta.snapshot,
    secret: secretFields,
    values: valuesOf(linked),
    schema: linkedBankAccountSchemas[operation].input,
    toInput: (values) => ({ id, bank_account: bankInput(values), metadata: metadataOf(values.metadata) }),
    check: numberFaults,
    reasons: linkedBankReasons.update,
    names: [linked.bank_account?.account_holder],
    back,
    done: () => back,
    onMoved: onRead,
  })
  const changed = useChangedMeanwhile({ values: valuesOf(linked), snapshot: meta.snapshot }, { form, typed }, linkedNouns.one)
  return (
    <FormPage
      {...page}
      title={
        <>
          Correct <bdi>{nameOf(linked)}</bdi>
        </>
      }
      meta={account === null ? 'of the platform itself' : <OwnerWords owner={{ account, why: null }} />}
      send="Save the correction"
    >
      <StandingNotice kind="linked_bank_account" status={linked.status} detail={linked.status_detail} />
      {changed}
      <NumberFields
        form={form}
        typed={typed}
        note="Saving replaces the whole bank account, and its numbers are masked here. A mask is never sent in their place, so type both again, even if only the holder is corrected. What it serves stays as it is."
      />
      <MetadataField before={linked.metadata} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}
