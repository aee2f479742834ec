'use client'

import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Badge } from '@/components/ui/badge'
import { timeOf } from '@/lib/dates'
import { balanceOld } from '@/lib/domain/paykey-checks'
import { readsBalance } from '@/lib/domain/paykey-why'
import type { Paykey } from '@/lib/operations/paykeys.schema'

const stateWords: Readonly<Record<string, string>> = {
  completed: 'read',
  pending: 'a new reading is on its way',
  failed: 'the last reading failed',
}

/** What is on the bank account as far as it is known, and how old that is. */
export function BalancePanel({ paykey, aside, children }: { paykey: Paykey; aside: ReactNode; children: ReactNode }) {
  const { amountUnit } = useDesk()
  const now = useNow()
  const { balance } = paykey
  const time = timeOf(balance?.updated_at)
  return (
    <Panel title="Balance" aside={aside}>
      <div className="grid gap-1">
        {balance?.account_balance === undefined ? (
          <p className="text-ink-2">
            {readsBalance(paykey.source) ? 'Not known. Never assume one.' : 'Not known: typed bank details give no look into the account.'}
          </p>
        ) : (
          <p className="flex flex-wrap items-baseline gap-2">
            <Amount raw={balance.account_balance} currency="USD" unit={amountUnit} className="font-semibold text-xl" />
            {time !== null && now - time > balanceOld && <Badge tone="held">old</Badge>}
          </p>
        )}
        {balance?.status && (
          <p className="text-ink-3 text-xs">
            {Object.hasOwn(stateWords, balance.status) ? stateWords[balance.status] : balance.status}
            {balance.updated_at && (
              <>
                , <RelativeTime at={balance.updated_at} />
              </>
            )}
          </p>
        )}
        {children}
      </div>
    </Panel>
  )
}
