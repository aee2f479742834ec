'use client'

import type { OpenForm } from '@/components/kits/action/action-area'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import { linkedBankReasons } from '@/lib/domain/linked-bank-reasons'
import { nameOf } from '@/lib/domain/linked-bank-rules'
import { type LinkedBankAccount, linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'

type CancelFormProps = OpenForm & {
  linked: LinkedBankAccount
  account: string | null
  snapshot: string | undefined
  correlationId: string
}

const operation = 'linked_bank_accounts.cancel'
const noFields = () => ({})

/** The confirm sheet of a cancellation, which cannot be undone: the last four digits are typed out. */
export function CancelForm({ linked, account, ...form }: CancelFormProps) {
  const desk = useDesk()
  const strong = 'font-semibold text-ink'
  const tail = linked.bank_account?.account_mask?.replace(/\D/g, '') || linked.id.slice(-4)
  return (
    <ConfirmForm
      {...form}
      operation={operation}
      id={linked.id}
      account={account}
      sentence={
        <p>
          Cancel{' '}
          <strong className={strong}>
            <bdi>{nameOf(linked)}</bdi>
          </strong>{' '}
          of <strong className={strong}>{account === null ? 'the platform itself' : <bdi>{accountName(desk, account)}</bdi>}</strong> in{' '}
          <strong className={strong}>{desk.environment.toUpperCase()}</strong>.{' '}
          <span className="text-ink-3">
            It is taken back for good and will not be verified. There is no undo; it would have to be linked anew.
          </span>
        </p>
      }
      send={`Cancel ${nameOf(linked)}`}
      danger
      reasons={linkedBankReasons.cancel}
      names={[linked.bank_account?.account_holder]}
      typed={{ label: 'Type its last four digits', expected: tail }}
      schema={linkedBankAccountSchemas[operation].input}
      values={{}}
      toInput={noFields}
    />
  )
}
