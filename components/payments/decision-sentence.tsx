'use client'

import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'
import { formatMinor } from '@/lib/money'
import { actionWords } from './decision-words'
import { paymentNouns } from './payment-nouns'

const strong = 'font-semibold text-ink'

type PartiesProps = { way: 'to' | 'from'; customer: string | undefined; bank: string | undefined; account: string }

/** "to Ron, Bank ••1234 for Acme in SANDBOX": whose money moves where. */
export function PartyWords({ way, customer, bank, account }: PartiesProps) {
  const desk = useDesk()
  return (
    <>
      {way}{' '}
      <strong className={strong}>
        <bdi>{customer ?? 'an unknown customer'}</bdi>, <bdi>{bank ?? 'bank account unknown'}</bdi>
      </strong>{' '}
      for <strong className={strong}>{accountName(desk, account)}</strong> in{' '}
      <strong className={strong}>{desk.environment.toUpperCase()}</strong>
    </>
  )
}

type DecisionSentenceProps = {
  action: PaymentAction
  kind: PaymentKind
  payment: Payment
  account: string
  /** The amount typed, in cents, where it is another one than the payment's; null while it is no amount. */
  cents?: number | null
  children?: ReactNode
}

/** The whole decision in one sentence: amount as read and as sent, to or from whom, for which account, where. */
export function DecisionSentence({ action, kind, payment, account, cents, children }: DecisionSentenceProps) {
  const { verb, consequence } = actionWords(kind)[action]
  const way = action === 'refund' ? 'to' : paymentNouns[kind].way
  return (
    <p>
      {verb} <AmountWords payment={payment} cents={cents} />{' '}
      <PartyWords way={way} customer={payment.customer_details?.name} bank={payment.paykey_details?.label} account={account} />. {children}{' '}
      <span className="text-ink-3">{consequence}</span>
    </p>
  )
}

/** An amount as people read it and as it travels. */
function AmountWords({ payment, cents }: Pick<DecisionSentenceProps, 'payment' | 'cents'>) {
  const { amountUnit } = useDesk()
  if (cents === null) return <strong className={strong}>an amount yet to be typed</strong>
  if (cents !== undefined) {
    return (
      <>
        <strong className={strong}>
          {formatMinor(cents)} {payment.currency}
        </strong>{' '}
        (<code className="font-mono text-xs">{cents}</code> cents)
      </>
    )
  }
  return (
    <>
      <strong className={strong}>
        <Amount raw={payment.amount} currency={payment.currency} unit={amountUnit} />
      </strong>{' '}
      (<code className="font-mono text-xs">{payment.amount}</code> in {amountUnit} units)
    </>
  )
}
