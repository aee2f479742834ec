'use client'

import { ActionForm } from '@/components/kits/form/action-form'
import { setFieldValue } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordAccountText } from '@/components/kits/record/record-head'
import type { RecordContentProps } from '@/components/kits/record/record-panel'
import { StatusNotice } from '@/components/kits/record/status-notice'
import { toMetadata } from '@/lib/domain/metadata-rules'
import { linkedBankAccountNouns } from '@/lib/features/accounts/labels'
import { linkedBankReasons } from '@/lib/features/accounts/labels/reasons'
import {
  getLinkedBankName,
  whyNotChangeLinkedAccount,
} from '@/lib/features/accounts/linked-bank-accounts/rules'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import { recordPath } from '@/lib/routes'
import {
  BankNumberFields,
  type BankNumberValues,
  findBankNumberFaults,
  secretFieldNames,
  toBankAccountInput,
  toBankNumberValues,
} from './fields'

const operation = 'linked_bank_accounts.update'

export function EditLinkedBankAccountForm({
  id,
  answer,
  actions,
  onRead,
}: RecordContentProps<'linked_bank_accounts.get'>) {
  const context = usePageContext()
  const { data: linked, meta } = answer
  const account = linked.account_id ? `acct_${linked.account_id}` : null
  const backHref = recordPath(context, 'linked_bank_accounts', id, { account: context.account })
  const { form, typed, frame } = useActionForm<typeof operation, BankNumberValues>({
    operation,
    target: id,
    account: null,
    actions,
    disabledReason: whyNotChangeLinkedAccount('update', linked),
    snapshot: meta.snapshot,
    secret: secretFieldNames,
    values: toBankNumberValues(linked),
    schema: linkedBankAccountSchemas[operation].input,
    toInput: (values) => ({
      id,
      bank_account: toBankAccountInput(values),
      metadata: toMetadata(values.metadata),
    }),
    check: findBankNumberFaults,
    reasons: linkedBankReasons.update,
    names: [linked.bank_account?.account_holder],
    back: backHref,
    done: () => backHref,
    edited: { one: linkedBankAccountNouns.one, readAt: meta.read_at },
    onMoved: onRead,
  })
  return (
    <ActionForm
      {...frame}
      layout="page"
      title={
        <>
          Correct <ExternalText>{getLinkedBankName(linked)}</ExternalText>
        </>
      }
      meta={
        account === null ? (
          'of the platform'
        ) : (
          <RecordAccountText owner={{ of: 'account', account, why: null }} />
        )
      }
      send="Save correction"
    >
      <StatusNotice
        kind="linked_bank_account"
        status={linked.status}
        detail={linked.status_detail}
      />
      <BankNumberFields
        form={form}
        typed={typed}
        note="Saving replaces the whole bank account. Its numbers are hidden here, so enter both again even if you correct only the holder. Its purposes (charges, payouts, billing) stay unchanged."
      />
      <MetadataField
        before={linked.metadata}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
    </ActionForm>
  )
}
