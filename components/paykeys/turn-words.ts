import type { PaykeyDecision } from '@/lib/domain/paykey-reasons'

/** How each decision is named: its button, the verb of its sentence and of the button that sends, and what follows from it. */
export const turnWords: Readonly<Record<PaykeyDecision, { opens: string; key: string; verb: string; follows: string }>> = {
  approve: { opens: 'Approve…', key: 'a', verb: 'Approve', follows: 'It can then be used for charges and payouts.' },
  reject: {
    opens: 'Reject…',
    key: 'x',
    verb: 'Reject',
    follows: 'It can never be used; the customer would have to connect another account.',
  },
  unblock: {
    opens: 'Unblock…',
    key: 'u',
    verb: 'Unblock',
    follows: 'It can then be used again. What failed meanwhile is not sent again by itself.',
  },
  cancel: {
    opens: 'Cancel paykey…',
    key: 'c',
    verb: 'Cancel',
    follows: 'No payment can be made on it any more. There is no undo.',
  },
}

/** The operation behind each decision. */
export const operationOf = {
  approve: 'paykeys.decide',
  reject: 'paykeys.decide',
  unblock: 'paykeys.unblock',
  cancel: 'paykeys.cancel',
} as const satisfies Readonly<Record<PaykeyDecision, string>>
