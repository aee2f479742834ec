import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaykeyDecision } from './decision'

export const paykeyNouns = { resource: 'paykeys', one: 'paykey', many: 'paykeys' } as const

export function formatBankAccount({
  institution_name,
  bank_data,
  label,
}: Pick<PaykeySummary, 'institution_name' | 'bank_data' | 'label'>): string {
  const bankAndNumber = [institution_name, bank_data?.account_number].filter(Boolean).join(' ')
  return institution_name && bankAndNumber
    ? bankAndNumber
    : (label ?? (bankAndNumber || 'Unknown bank account'))
}

export const getLastFourDigits = ({
  bank_data,
}: Pick<PaykeySummary, 'bank_data'>): string | undefined =>
  /\d{4}$/.exec(bank_data?.account_number ?? '')?.[0]

/** `opens`: button, `key`: shortcut key, `done`: result, `follows`: consequence. */
export const decisionLabels: Readonly<
  Record<
    PaykeyDecision,
    { opens: string; key: string; verb: string; done: string; follows: string }
  >
> = {
  approve: {
    opens: 'Approve…',
    key: 'a',
    verb: 'Approve',
    done: 'Approved',
    follows: 'The paykey can then be used for charges and payouts.',
  },
  reject: {
    opens: 'Reject…',
    key: 'x',
    verb: 'Reject',
    done: 'Rejected',
    follows:
      'The paykey can never be used; the customer would have to connect another bank account.',
  },
  unblock: {
    opens: 'Unblock…',
    key: 'u',
    verb: 'Unblock',
    done: 'Unblocked',
    follows:
      'The paykey can then be used again. Payments that failed meanwhile are not resubmitted automatically.',
  },
  cancel: {
    opens: 'Cancel paykey…',
    key: 'c',
    verb: 'Cancel',
    done: 'Canceled',
    follows: 'No payment can be made on the paykey after that. This cannot be undone.',
  },
}
