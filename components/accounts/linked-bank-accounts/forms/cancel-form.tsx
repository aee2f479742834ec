'use client'

import type { OpenedFormProps } from '@/components/kits/action/action-area'
import { ActionForm } from '@/components/kits/form/action-form'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { getAccountName } from '@/lib/client/page-context'
import { linkedBankReasons } from '@/lib/features/accounts/labels/reasons'
import { getLinkedBankName } from '@/lib/features/accounts/linked-bank-accounts/rules'
import {
  type LinkedBankAccount,
  linkedBankAccountSchemas,
} from '@/lib/operations/linked-bank-accounts.schema'

type CancelLinkedAccountFormProps = OpenedFormProps & {
  linked: LinkedBankAccount
  account: string | null
  snapshot: string | undefined
  correlationId: string
}

const operation = 'linked_bank_accounts.cancel'

/** This cannot be undone, so the person must type the last four digits of the account number. */
export function CancelLinkedAccountForm({
  linked,
  account,
  ...form
}: CancelLinkedAccountFormProps) {
  const context = usePageContext()
  const strongClasses = 'font-semibold text-ink'
  const lastFourDigits =
    linked.bank_account?.account_mask?.replace(/\D/g, '') || linked.id.slice(-4)
  const { frame } = useActionForm({
    ...form,
    operation,
    id: linked.id,
    account,
    reasons: linkedBankReasons.cancel,
    names: [linked.bank_account?.account_holder],
    confirmation: { label: 'Type the last four digits', expected: lastFourDigits },
    schema: linkedBankAccountSchemas[operation].input,
    values: {},
    toInput: () => ({}),
  })
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <p>
          Cancel{' '}
          <strong className={strongClasses}>
            <ExternalText>{getLinkedBankName(linked)}</ExternalText>
          </strong>{' '}
          of{' '}
          <strong className={strongClasses}>
            {account === null ? (
              'the platform'
            ) : (
              <ExternalText>{getAccountName(context, account)}</ExternalText>
            )}
          </strong>{' '}
          in <strong className={strongClasses}>{context.environment.toUpperCase()}</strong>.{' '}
          <span className="text-ink-3">
            The bank account will not be verified. This cannot be undone; to use the bank account,
            link it again.
          </span>
        </p>
      }
      send={`Cancel ${getLinkedBankName(linked)}`}
      danger
    />
  )
}
