'use client'

import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { Status } from '@/components/kits/record/status'
import { useFact } from '@/components/kits/record/use-fact'
import { ShortId } from '@/components/ui/short-id'
import type { Fact } from '@/lib/domain/fact'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { recordPath } from '@/lib/routes'
import { paymentNouns } from './payment-nouns'
import { StripArrow, StripCard } from './strip-card'
import type { PaymentFacts } from './use-payment-facts'

type GraphStripProps = { kind: PaymentKind; payment: Payment; facts: PaymentFacts; account: string | null }

/** How many funding events are read for their state; a payment rarely stands in more. */
const mostEvents = 3

/** The way of the money: customer, bank account, payment, funding events, each with its state and its page. */
export function GraphStrip({ kind, payment, facts, account }: GraphStripProps) {
  const desk = useDesk()
  const scope = { account: account ?? desk.account }
  const { customer_details: customer, paykey_details: paykey } = payment
  const back = kind === 'payout'
  const step = 'flex items-start gap-1.5'
  return (
    <Panel title={`Where the money ${kind === 'charge' ? 'comes from' : 'goes'}`}>
      <ol aria-label="Way of the money" className="flex flex-wrap items-start gap-x-1.5 gap-y-2">
        <li className={step}>
          <StripCard
            kind="Customer"
            name={<bdi>{customer?.name ?? 'unknown'}</bdi>}
            href={customer && recordPath(desk.environment, 'customers', customer.id, scope)}
          >
            <State fact={facts.customer} kind="customer" />
          </StripCard>
        </li>
        <li className={step}>
          <StripArrow back={back} />
          <StripCard
            kind="Bank account"
            name={<bdi>{paykey?.label ?? 'unknown'}</bdi>}
            href={paykey && recordPath(desk.environment, 'paykeys', paykey.id, scope)}
          >
            <State fact={facts.paykey} kind="paykey" />
          </StripCard>
        </li>
        <li className={step}>
          <StripArrow back={back} />
          <StripCard
            kind={paymentNouns[kind].title}
            name={<Amount raw={payment.amount} currency={payment.currency} unit={desk.amountUnit} />}
            current
          >
            <Status kind="payment" status={payment.status} />
          </StripCard>
        </li>
        {payment.funding_ids.length === 0 && (
          <li className={step}>
            <StripArrow back={back} />
            <StripCard kind="Funding event" name={<span className="font-normal text-ink-3">none yet</span>} />
          </li>
        )}
        {payment.funding_ids.slice(0, mostEvents).map((id) => (
          <li key={id} className={step}>
            <StripArrow back={back} />
            <FundingEvent id={id} account={scope.account} />
          </li>
        ))}
      </ol>
      {payment.funding_ids.length > mostEvents && (
        <p className="mt-2 text-ink-3 text-xs">{payment.funding_ids.length - mostEvents} more funding events stand in the record below.</p>
      )}
    </Panel>
  )
}

function State({ fact, kind }: { fact: Fact<{ status: string }>; kind: 'customer' | 'paykey' | 'funding_event' }) {
  if (fact.state === 'known') return <Status kind={kind} status={fact.value.status} />
  return <span className="text-ink-3">{fact.state === 'loading' ? 'reading…' : 'state unknown'}</span>
}

function FundingEvent({ id, account }: { id: string; account: string | null }) {
  const desk = useDesk()
  const { fact } = useFact(desk, 'funding_events.get', { id })
  return (
    <StripCard kind="Funding event" name={<ShortId id={id} />} href={recordPath(desk.environment, 'funding_events', id, { account })}>
      <State fact={fact} kind="funding_event" />
    </StripCard>
  )
}
