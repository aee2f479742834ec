'use client'

import { Panel } from '@/components/kits/layout/panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import type { ActionView } from '@/lib/operations/answer'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { LostPanel } from './lost-payments'
import { OtherPaykeys } from './other-paykeys'
import { PaykeyRecord } from './paykey-record'
import type { PaykeyReads } from './use-paykey-facts'

type PaykeyBackgroundProps = {
  paykey: Paykey
  account: string | null
  customerName: string | undefined
  facts: PaykeyReads
  actions: readonly ActionView[]
}

/** What the block cost, other bank accounts, what this desk did with the paykey, and the record. The service keeps no history of a paykey. */
export const PaykeyBackground = ({ paykey, account, customerName, facts, actions }: PaykeyBackgroundProps) => (
  <>
    <LostPanel lost={facts.lost} usable={paykey.status === 'active'} />
    <OtherPaykeys paykey={paykey} siblings={facts.siblings} alike={facts.alike} />
    {actions.length > 0 ? (
      <RecordTimeline history={[]} actions={actions} />
    ) : (
      <Panel title="Timeline">
        <p className="text-ink-3">Nothing was done with it here yet. The service keeps no history of a paykey.</p>
      </Panel>
    )}
    <PaykeyRecord paykey={paykey} account={account} customerName={customerName} />
  </>
)
