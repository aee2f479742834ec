'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import type { PaykeyDecision } from '@/lib/domain/paykey-reasons'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { bankText } from './bank-text'
import { turnWords } from './turn-words'

type TurnSentenceProps = { turn: PaykeyDecision; paykey: Paykey; customerName: string | undefined; account: string }

const strong = 'font-semibold text-ink'

/** The whole decision in one sentence: which bank account, whose, for which account, where, and what follows. */
export function TurnSentence({ turn, paykey, customerName, account }: TurnSentenceProps) {
  const desk = useDesk()
  return (
    <p>
      {turnWords[turn].verb}{' '}
      <strong className={strong}>
        <bdi>{bankText(paykey)}</bdi>
      </strong>{' '}
      of{' '}
      <strong className={strong}>
        <bdi>{customerName ?? 'an unread customer'}</bdi>
      </strong>{' '}
      for <strong className={strong}>{accountName(desk, account)}</strong> in{' '}
      <strong className={strong}>{desk.environment.toUpperCase()}</strong>. {turnWords[turn].follows}
    </p>
  )
}
