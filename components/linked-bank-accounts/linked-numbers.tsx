'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { Reveal } from '@/components/kits/record/reveal'
import { useUnmaskClosed } from '@/components/kits/record/use-unmask-closed'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

type Numbers = {
  institution_name?: string | undefined
  account_holder?: string | undefined
  routing_number?: string | undefined
  account_number?: string | undefined
}

/** The numbers: masked, and for a minute and a reason in full. */
export function LinkedNumbers({ linked, account }: { linked: LinkedBankAccount; account: string | null }) {
  const closed = useUnmaskClosed(linked.account_id)
  const bank = linked.bank_account
  return (
    <Panel title="Bank account">
      <Reveal
        operation="linked_bank_accounts.unmask"
        id={linked.id}
        account={account}
        what="the numbers of this bank account"
        names={[bank?.account_holder]}
        closed={closed}
        masked={<NumberFacts {...bank} routing_number="•••••••••" account_number={bank?.account_mask} />}
      >
        {({ bank_account }) => <NumberFacts {...bank_account} shown />}
      </Reveal>
    </Panel>
  )
}

function NumberFacts({ institution_name, account_holder, routing_number, account_number, shown = false }: Numbers & { shown?: boolean }) {
  const look = shown ? 'select-all font-medium font-mono' : 'text-ink-2'
  return (
    <Facts>
      <Fact name="Bank">{institution_name && <bdi>{institution_name}</bdi>}</Fact>
      <Fact name="Holder">{account_holder && <bdi>{account_holder}</bdi>}</Fact>
      <Fact name="Routing number">{routing_number && <bdi className={look}>{routing_number}</bdi>}</Fact>
      <Fact name="Account number">{account_number && <bdi className={look}>{account_number}</bdi>}</Fact>
    </Facts>
  )
}
