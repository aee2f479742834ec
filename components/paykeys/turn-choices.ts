import type { ActionChoice } from '@/components/kits/action/action-area'
import type { PaykeyDecision } from '@/lib/domain/paykey-reasons'
import type { PaykeyAction } from '@/lib/domain/paykey-rules'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { operationOf, turnWords } from './turn-words'

/** The decisions as buttons. What the state asks for comes first, because the bar says why its first button is closed. */
export function choicesOf({ status }: Paykey, closed: (action: PaykeyAction) => string | null): ActionChoice<PaykeyDecision>[] {
  const choice = (name: PaykeyDecision, action: PaykeyAction, more: Partial<ActionChoice<PaykeyDecision>> = {}) => ({
    operation: operationOf[name],
    name,
    opens: turnWords[name].opens,
    key: turnWords[name].key,
    closed: closed(action),
    ...more,
  })
  const review = [choice('approve', 'decide', status === 'blocked' ? {} : { variant: 'primary' }), choice('reject', 'decide')]
  const unblock = choice('unblock', 'unblock', status === 'blocked' ? { variant: 'primary' } : {})
  const cancel = choice('cancel', 'cancel', { variant: 'quiet', aside: true })
  return status === 'blocked' ? [unblock, ...review, cancel] : [...review, unblock, cancel]
}
