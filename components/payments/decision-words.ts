import type { PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'
import { formatMinor } from '@/lib/money'

/** How an action is named: its button in the bar with its key, the verb of its sentence and of the button that sends, and what follows from it. */
export type ActionWords = { opens: string; key: string; verb: string; consequence: string }

/** The words of each action on a kind. */
export function actionWords(kind: PaymentKind): Readonly<Record<PaymentAction, ActionWords>> {
  return {
    release: {
      opens: 'Release…',
      key: 'r',
      verb: 'Release',
      consequence: 'It goes on to the bank network; once it is there it cannot be called back.',
    },
    hold: { opens: 'Hold…', key: 'h', verb: 'Hold', consequence: 'It stays where it is until somebody releases or cancels it.' },
    cancel: { opens: `Cancel ${kind}…`, key: 'x', verb: 'Cancel', consequence: 'It is stopped for good. There is no undo.' },
    update: { opens: 'Edit…', key: 'e', verb: 'Change', consequence: 'The service checks it again with what it is then.' },
    resubmit: {
      opens: 'Resubmit…',
      key: 's',
      verb: 'Send again',
      consequence: `This makes a new ${kind} beside this one, on the same bank account. It can be done once.`,
    },
    refund: {
      opens: 'Refund…',
      key: 'f',
      verb: 'Refund',
      consequence: 'This makes a payout to the bank account the charge came from. It can be done once, whatever the amount.',
    },
    authorize: { opens: 'Upload proof', key: 'u', verb: 'Upload', consequence: '' },
  }
}

/** What the button that sends says: the verb and the amount, so that nobody presses it for another payment. Minor units; null where unread. */
export function sendLabel(action: PaymentAction, kind: PaymentKind, minor: number | null): string {
  const { verb } = actionWords(kind)[action]
  const amount = minor === null ? 'an unclear amount' : formatMinor(minor)
  return action === 'cancel' ? `Cancel ${kind} of ${amount}` : `${verb} ${amount}`
}
