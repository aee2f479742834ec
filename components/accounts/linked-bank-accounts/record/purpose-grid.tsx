'use client'

import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { RevealableValue, useUnmaskDisabledReason } from '@/components/kits/record/reveal'
import { buttonVariants } from '@/components/ui/button-variants'
import {
  findLinkedAccountForPurpose,
  getLinkedBankName,
  getPurposeLabel,
  purposeOptions,
} from '@/lib/features/accounts/linked-bank-accounts/rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import { newRecordPath, recordPath } from '@/lib/routes'
import { useLinkedBankAccounts } from './use-linked-bank-accounts'

type BankNumbers = {
  institution_name?: string | undefined
  account_holder?: string | undefined
  routing_number?: string | undefined
  account_number?: string | undefined
}

/**
 * Shows the routing and account number masked. A user who states a reason sees both in full for one
 * minute.
 */
export function LinkedAccountNumbers({
  linked,
  account,
}: {
  linked: LinkedBankAccount
  account: string | null
}) {
  const disabledReason = useUnmaskDisabledReason(linked.account_id)
  const bankAccount = linked.bank_account
  return (
    <Panel title="Bank account">
      <RevealableValue
        operation="linked_bank_accounts.unmask"
        id={linked.id}
        account={account}
        what="the numbers of this bank account"
        names={[bankAccount?.account_holder]}
        disabledReason={disabledReason}
        masked={
          <BankNumberFacts
            {...bankAccount}
            routing_number="•••••••••"
            account_number={bankAccount?.account_mask}
          />
        }
      >
        {({ bank_account }) => <BankNumberFacts {...bank_account} shown />}
      </RevealableValue>
    </Panel>
  )
}

function BankNumberFacts({
  institution_name,
  account_holder,
  routing_number,
  account_number,
  shown = false,
}: BankNumbers & { shown?: boolean }) {
  const valueClasses = shown ? 'select-all font-medium font-mono' : 'text-ink-2'
  return (
    <FactList>
      <Fact name="Bank">{institution_name && <ExternalText>{institution_name}</ExternalText>}</Fact>
      <Fact name="Holder">{account_holder && <ExternalText>{account_holder}</ExternalText>}</Fact>
      <Fact name="Routing number">
        {routing_number && <ExternalText className={valueClasses}>{routing_number}</ExternalText>}
      </Fact>
      <Fact name="Account number">
        {account_number && <ExternalText className={valueClasses}>{account_number}</ExternalText>}
      </Fact>
    </FactList>
  )
}

/**
 * Lists for each purpose the bank account that serves it now. The sentence above the list names all
 * purposes of `linked`, even those that another bank account serves now.
 */
export function PurposeGrid({ linked }: { linked: LinkedBankAccount }) {
  const context = usePageContext()
  const ownerLinkedAccountsRead = useLinkedBankAccounts(linked.account_id ?? 'platform')
  const account = linked.account_id ? `acct_${linked.account_id}` : null
  return (
    <Panel
      title="Bank accounts by purpose"
      aside={
        <Link
          href={newRecordPath(context, 'linked_bank_accounts', { account })}
          className={`${buttonVariants({ size: 'small', variant: 'quiet' })} print:hidden`}
        >
          Link another
        </Link>
      }
    >
      <p className="mb-2 text-ink-2">
        This bank account is for{' '}
        <span className="font-medium text-ink">
          {linked.purposes.length === 0
            ? 'nothing'
            : linked.purposes.map((purpose) => getPurposeLabel(purpose).toLowerCase()).join(', ')}
        </span>
        {linked.description && (
          <>
            : “<ExternalText>{linked.description}</ExternalText>”
          </>
        )}
        .
      </p>
      <ReadResultBlock
        read={ownerLinkedAccountsRead}
        onAgain={ownerLinkedAccountsRead.again}
        height="h-29"
      >
        {(all) => (
          <ul className="grid">
            {purposeOptions.map((purpose) => (
              <PurposeRow
                key={purpose.id}
                purpose={purpose}
                serving={findLinkedAccountForPurpose(all, purpose.id)}
                shown={linked.id}
                account={account}
              />
            ))}
          </ul>
        )}
      </ReadResultBlock>
    </Panel>
  )
}

type PurposeRowProps = {
  purpose: (typeof purposeOptions)[number]
  serving: LinkedBankAccount | undefined
  shown: string
  account: string | null
}

function PurposeRow({ purpose, serving, shown, account }: PurposeRowProps) {
  const context = usePageContext()
  return (
    <li className="grid grid-cols-[5rem_minmax(0,1fr)_auto] items-center gap-x-3 border-line border-b py-1.5 last:border-b-0">
      <span className="text-ink-3" title={purpose.meaning}>
        {purpose.label}
      </span>
      {!serving && <span className="text-ink-3">no bank account</span>}
      {serving?.id === shown && <span className="font-semibold">this one</span>}
      {serving && serving.id !== shown && (
        <Link
          href={recordPath(context, 'linked_bank_accounts', serving.id, { account })}
          className="inline-flex min-h-6 min-w-0 items-center font-medium text-accent hover:underline"
        >
          <ExternalText className="truncate">{getLinkedBankName(serving)}</ExternalText>
        </Link>
      )}
      {serving && <RecordStatusBadge kind="linked_bank_account" status={serving.status} />}
    </li>
  )
}
