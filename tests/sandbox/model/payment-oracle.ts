/** The fields of a history entry that can be predicted. */
export type HistoryEntry = {
  status: string
  reason: string
  source: string
  code: string | null
  changed_at: string
}

/**
 * Input of the prediction: the requested outcome, the balance check, and a function for the
 * paykey's status at a time in milliseconds.
 */
export type PaymentCircumstances = {
  outcome: string
  balanceCheck: string | null
  paykeyAt: (at: number) => string
}

type PredictedEntry = Omit<HistoryEntry, 'changed_at'>

const buildEntry = (
  status: string,
  reason: string,
  source: string,
  code: string | null = null,
): PredictedEntry => ({
  status,
  reason,
  source,
  code,
})

const paidEntry = buildEntry('paid', 'ok', 'system')
const returnReasons = {
  insufficient_funds: ['insufficient_funds', 'bank_decline', 'R01'],
  closed_bank_account: ['closed_bank_account', 'bank_decline', 'R02'],
  customer_dispute: ['disputed', 'customer_dispute', 'R05'],
  not_authorized: ['disputed', 'customer_dispute', 'R29'],
} as const

/**
 * History entry that each outcome forces, as documented (provider-facts 2.2): in the check of the
 * created payment (`check`), after the last `pending` entry (`pending`), or after the payment was
 * paid (`paid`).
 */
export const forcedEntriesByOutcome: Readonly<
  Record<string, { check?: PredictedEntry; pending?: PredictedEntry; paid?: PredictedEntry }>
> = {
  standard: {},
  paid: {},
  on_hold_daily_limit: { check: buildEntry('on_hold', 'amount_too_large', 'watchtower') },
  cancelled_for_fraud_risk: { check: buildEntry('cancelled', 'payment_blocked', 'watchtower') },
  cancelled_for_balance_check: {
    check: buildEntry('cancelled', 'insufficient_funds', 'watchtower'),
  },
  failed_insufficient_funds: { pending: buildEntry('failed', ...returnReasons.insufficient_funds) },
  failed_closed_bank_account: {
    pending: buildEntry('failed', ...returnReasons.closed_bank_account),
  },
  failed_customer_dispute: { pending: buildEntry('failed', ...returnReasons.customer_dispute) },
  failed_not_authorized: { pending: buildEntry('failed', ...returnReasons.not_authorized) },
  reversed_insufficient_funds: {
    paid: buildEntry('reversed', ...returnReasons.insufficient_funds),
  },
  reversed_closed_bank_account: {
    paid: buildEntry('reversed', ...returnReasons.closed_bank_account),
  },
  reversed_customer_dispute: { paid: buildEntry('reversed', ...returnReasons.customer_dispute) },
  reversed_not_authorized: { paid: buildEntry('reversed', ...returnReasons.not_authorized) },
}

/**
 * Seconds that a payment stays in a status until the service moves it (provider-facts 3.7,
 * docs/sandbox-differences.md).
 */
const secondsInStatus: Readonly<Record<string, number>> = {
  created: 5,
  scheduled: 60,
  pending: 20,
  paid: 240,
}

const wasReleased = (history: readonly HistoryEntry[], reason: string): boolean =>
  history.some((entry, place) => {
    const nextEntry = history[place + 1]
    return (
      entry.status === 'on_hold' &&
      entry.reason === reason &&
      nextEntry?.status === 'created' &&
      nextEntry.source === 'user_action'
    )
  })

/**
 * Returns the entry that the paykey's status forces; undefined for an active paykey. While a review
 * is open, the payment is held again after each release (interface document, "Moves that are
 * described").
 */
function findPaykeyEntry(paykeyStatus: string): PredictedEntry | undefined {
  if (paykeyStatus === 'review') return buildEntry('on_hold', 'watchtower_review', 'watchtower')
  return paykeyStatus === 'active'
    ? undefined
    : buildEntry('failed', 'invalid_paykey', 'watchtower')
}

/**
 * Returns the entry after the check of a created payment. A forced hold does not recur after a
 * person released it.
 */
function predictCheckEntry(
  history: readonly HistoryEntry[],
  { outcome, balanceCheck }: PaymentCircumstances,
): PredictedEntry {
  const forcedEntry = forcedEntriesByOutcome[outcome]?.check
  if (
    forcedEntry &&
    !(forcedEntry.status === 'on_hold' && wasReleased(history, forcedEntry.reason))
  )
    return forcedEntry
  // The paykeys of these sequences are linked by account number. They have no balance, so a
  // required balance check fails.
  if (outcome === 'standard' && balanceCheck === 'required')
    return buildEntry('failed', 'insufficient_funds', 'watchtower')
  return buildEntry('scheduled', 'ok', 'system')
}

function predictNextEntry(
  history: readonly HistoryEntry[],
  circumstances: PaymentCircumstances,
  dueMs: number,
): PredictedEntry | undefined {
  const forcedEntries = forcedEntriesByOutcome[circumstances.outcome]
  const paykeyStatus = circumstances.paykeyAt(dueMs)
  switch (history.at(-1)?.status) {
    case 'created':
      return findPaykeyEntry(paykeyStatus) ?? predictCheckEntry(history, circumstances)
    case 'scheduled':
      return findPaykeyEntry(paykeyStatus) ?? buildEntry('pending', 'ok', 'system')
    case 'pending': {
      const pendingCount = history.filter(({ status }) => status === 'pending').length
      return pendingCount < 3
        ? buildEntry('pending', 'ok', 'system')
        : (forcedEntries?.pending ?? paidEntry)
    }
    case 'paid':
      return forcedEntries?.paid
    default:
      return undefined
  }
}

/** Returns the history expected at `now` (milliseconds), given the history so far. */
export function predictHistory(
  history: readonly HistoryEntry[],
  circumstances: PaymentCircumstances,
  now: number,
): HistoryEntry[] {
  const lastEntry = history.at(-1)
  if (!lastEntry) return []
  const nextChangeMs =
    Date.parse(lastEntry.changed_at) + (secondsInStatus[lastEntry.status] ?? 0) * 1_000
  const entry = predictNextEntry(history, circumstances, nextChangeMs)
  if (!entry || nextChangeMs > now) return [...history]
  return predictHistory(
    [...history, { ...entry, changed_at: new Date(nextChangeMs).toISOString() }],
    circumstances,
    now,
  )
}
