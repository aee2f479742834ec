'use client'

import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import type { Decision } from '@/lib/domain/decision-reasons'
import type { Payout } from '@/lib/operations/payouts.schema'
import { decisionWords } from './decision-words'

/** The whole decision in one sentence: amount as read and as sent, to whom, for which account, where. */
export function DecisionSentence({ decision, payout, account }: { decision: Decision; payout: Payout; account: string }) {
  const desk = useDesk()
  const strong = 'font-semibold text-ink'
  return (
    <p>
      {decisionWords[decision].verb}{' '}
      <strong className={strong}>
        <Amount raw={payout.amount} currency={payout.currency} unit={desk.amountUnit} />
      </strong>{' '}
      (<code className="font-mono text-xs">{payout.amount}</code> in {desk.amountUnit} units) to{' '}
      <strong className={strong}>
        <bdi>{payout.customer_details?.name ?? 'an unknown customer'}</bdi>,{' '}
        <bdi>{payout.paykey_details?.label ?? 'bank account unknown'}</bdi>
      </strong>{' '}
      for <strong className={strong}>{accountName(desk, account)}</strong> in{' '}
      <strong className={strong}>{desk.environment.toUpperCase()}</strong>.{' '}
      <span className="text-ink-3">{decisionWords[decision].consequence}</span>
    </p>
  )
}
