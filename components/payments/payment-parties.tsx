'use client'

import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { FactRead } from '@/components/kits/record/fact-read'
import { Status } from '@/components/kits/record/status'
import { ShortId } from '@/components/ui/short-id'
import type { Payment } from '@/lib/domain/payment-kind'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentFacts } from './use-payment-facts'

/** Who is paid or pays, and on which bank account. What could not be read leaves the rest standing. */
export const PaymentParties = ({ payment, facts }: { payment: Payment; facts: PaymentFacts }) => (
  <>
    <Panel title="Customer">
      <FactRead fact={facts.customer} onAgain={facts.again}>
        {(customer) => (
          <Facts>
            <Fact name="Name">
              <bdi>{customer.name}</bdi>
            </Fact>
            <Fact name="State">
              <Status kind="customer" status={customer.status} />
            </Fact>
            <Fact name="Kind">{customer.type}</Fact>
            <Fact name="Contact">{[customer.email, customer.phone].filter(Boolean).join(' · ')}</Fact>
            <Fact name="Place">{[customer.address?.city, customer.address?.state].filter(Boolean).join(', ')}</Fact>
            <Fact name="Since">{customer.created_at && <RelativeTime at={customer.created_at} />}</Fact>
            <Fact name="Id">
              <ShortId id={customer.id} what="customer id" />
            </Fact>
          </Facts>
        )}
      </FactRead>
    </Panel>
    <Panel title="Bank account">
      <FactRead fact={facts.paykey} onAgain={facts.again}>
        {(paykey) => <PaykeyFacts paykey={paykey} currency={payment.currency} />}
      </FactRead>
    </Panel>
  </>
)

function PaykeyFacts({ paykey, currency }: { paykey: Paykey; currency: string }) {
  const { amountUnit } = useDesk()
  const balance = paykey.balance
  return (
    <Facts>
      <Fact name="Account">
        <bdi>{[paykey.institution_name, paykey.bank_data?.account_type, paykey.bank_data?.account_number].filter(Boolean).join(' · ')}</bdi>
      </Fact>
      <Fact name="State">
        <Status kind="paykey" status={paykey.status} />
      </Fact>
      <Fact name="Why">{paykey.status_details?.message && <bdi>{paykey.status_details.message}</bdi>}</Fact>
      <Fact name="Connected by">{paykey.source}</Fact>
      <Fact name="Balance">
        {balance?.account_balance !== undefined && (
          <>
            <Amount raw={balance.account_balance} currency={currency} unit={amountUnit} />{' '}
            <span className="text-ink-3 text-xs">
              {balance.status}, <RelativeTime at={balance.updated_at} show="ago" />
            </span>
          </>
        )}
      </Fact>
      <Fact name="Expires">{paykey.expires_at && <RelativeTime at={paykey.expires_at} />}</Fact>
      <Fact name="Id">
        <ShortId id={paykey.id} what="paykey id" />
      </Fact>
    </Facts>
  )
}
