'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts } from '@/components/kits/record/record-json'
import { RevealField } from '@/components/kits/record/reveal'
import { ShortId } from '@/components/ui/short-id'
import { dayText } from '@/lib/dates'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { recordPath } from '@/lib/routes'
import { paymentNouns } from './payment-nouns'
import { paymentOperations } from './payment-operations'
import { balanceCheckWords, consentWords } from './payment-words'

type PaymentRecordProps = { kind: PaymentKind; payment: Payment; account: string | null }

/** The rest of what is known: dates, how it was agreed, ids of every party, metadata, and the record as it came. */
export function PaymentRecord({ kind, payment, account }: PaymentRecordProps) {
  const { one } = paymentNouns[kind]
  return (
    <RecordFacts nouns={paymentNouns[kind]} record={payment}>
      <Facts>
        <Fact name="Id">
          <ShortId id={payment.id} what={`${one} id`} />
        </Fact>
        <Fact name="Description">{payment.description && <bdi>{payment.description}</bdi>}</Fact>
        <Fact name="External id">{payment.external_id && <ShortId id={payment.external_id} what="external id" />}</Fact>
        <Fact name="Payment date">{payment.payment_date && dayText(payment.payment_date)}</Fact>
        <Fact name="Rail">{payment.payment_rail}</Fact>
        {kind === 'charge' && <ChargeFacts charge={payment} />}
        <Fact name="Device">
          <Device kind={kind} payment={payment} account={account} />
        </Fact>
        <Fact name="Created">{payment.created_at && <RelativeTime at={payment.created_at} />}</Fact>
        <Fact name="Changed">{payment.updated_at && <RelativeTime at={payment.updated_at} />}</Fact>
        <Fact name="Processed">{payment.processed_at ? <RelativeTime at={payment.processed_at} /> : 'not yet'}</Fact>
        <Fact name="Settled">{payment.effective_at ? <RelativeTime at={payment.effective_at} /> : 'not yet'}</Fact>
        <Traces payment={payment} />
        {Object.entries(payment.metadata).map(([name, value]) => (
          <Fact key={name} name={<span className="break-all font-mono text-xs">{name}</span>}>
            <bdi className="break-all">{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </RecordFacts>
  )
}

/** What only a charge says; a word Paydesk does not know stands as it came. */
function ChargeFacts({ charge }: { charge: Payment }) {
  const consent = charge.consent_type ?? ''
  const check = charge.config?.balance_check ?? ''
  return (
    <>
      <Fact name="Consent">{consentWords[consent] ?? consent}</Fact>
      <Fact name="Balance check">{balanceCheckWords[check] ?? check}</Fact>
    </>
  )
}

/** The ids others know it by: the network, and the funding events it is part of. */
function Traces({ payment }: { payment: Payment }) {
  const desk = useDesk()
  return (
    <>
      {Object.entries(payment.trace_ids).map(([party, id]) => (
        <Fact key={party} name={`Trace, ${party}`}>
          <ShortId id={id} what={`trace id of ${party}`} />
        </Fact>
      ))}
      {payment.funding_ids.map((id) => (
        <Fact key={id} name="Funding event">
          <Link
            href={recordPath(desk.environment, 'funding_events', id, { account: desk.account })}
            className="text-accent hover:underline"
          >
            <ShortId id={id} />
          </Link>
        </Fact>
      ))}
    </>
  )
}

/** The address is masked by every ordinary read; it is shown for a reason, for a minute. */
function Device({ kind, payment, account }: PaymentRecordProps) {
  if (payment.device?.offline) return 'none: the customer was not present (0.0.0.0)'
  return (
    <RevealField
      operation={paymentOperations[kind].unmask}
      id={payment.id}
      account={account}
      what="the address of the customer’s device"
      names={[payment.customer_details?.name]}
      closed={account === null ? `The account of this ${kind} is not known yet.` : null}
      masked={payment.device ? 'address masked' : 'none recorded'}
    >
      {({ device }) =>
        device?.ip_address === '0.0.0.0' ? '0.0.0.0 (the customer was not present)' : (device?.ip_address ?? 'none recorded')
      }
    </RevealField>
  )
}
