import { agoText, lengthText, timeOf } from '@/lib/dates'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'
import type { ActionView } from '@/lib/operations/answer'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey, PaykeyReview, PaykeySummary } from '@/lib/operations/paykeys.schema'
import { type Check, checkOf, type Fact, known } from './fact'
import { unblockedHere } from './paykey-rules'
import { readsBalance } from './paykey-why'
import { isKnownStatus, statusWords } from './status'
import { verdictWords } from './verdict-words'
import { scoreWords } from './verification-score'

/** Everything the checks of a paykey look at. `now` in milliseconds; `alike` are the paykeys that seem to be on the same bank account. */
export type PaykeyFacts = {
  paykey: Paykey
  readAt: string
  now: number
  unit: AmountUnit
  review: Fact<PaykeyReview>
  customer: Fact<Customer>
  alike: Fact<readonly PaykeySummary[]>
  actions: readonly ActionView[]
}

type Finding = Pick<Check, 'result' | 'sentence'> & { at?: string | null }

const day = 24 * 60 * 60 * 1000

/** An expiry nearer than this is warned of, in milliseconds. */
export const expiryNear = 14 * day

/** A balance older than this says nothing about today, in milliseconds. */
export const balanceOld = day

/** The checks of a paykey in reading order, each pass, warn, fail or unknown with a sentence and the age of its source. */
export function paykeyChecks(facts: PaykeyFacts): Check[] {
  const { paykey, readAt, now } = facts
  return [
    checkOf('names', 'Names', facts.review, namesFinding),
    checkOf('verification', 'Verification', facts.review, verificationFinding),
    checkOf('customer', 'Customer', facts.customer, customerFinding),
    checkOf('expiry', 'Expiry', known(paykey, readAt), ({ expires_at }) => expiryFinding(expires_at, now)),
    checkOf('balance', 'Balance', known(paykey, readAt), () => balanceFinding(facts)),
    checkOf('alike', 'Same account', facts.alike, (alike) => alikeFinding(alike, paykey)),
    checkOf('unblocked', 'Earlier unblock', known(paykey, readAt), () => unblockFinding(facts)),
  ]
}

function namesFinding({ verification_details }: PaykeyReview): Finding {
  const match = verification_details?.breakdown.name_match
  if (!match) return { result: 'unknown', sentence: 'Nobody named the holder of this account: typed details bring no names.' }
  const score = scoreWords(match.correlation_score)
  if (!score) return { result: 'unknown', sentence: 'No score came with the names.' }
  const result = score.tone === 'good' ? 'pass' : score.tone === 'bad' ? 'fail' : 'warn'
  return { result, sentence: `${score.label} (${score.text}).` }
}

const verdictResults: Readonly<Record<string, Check['result']>> = { accept: 'pass', review: 'warn', reject: 'fail' }

function verificationFinding({ verification_details }: PaykeyReview): Finding {
  const decision = verification_details?.decision
  const words = verdictWords(decision)
  const at = verification_details?.updated_at ?? null
  const result = decision !== undefined && Object.hasOwn(verdictResults, decision) ? verdictResults[decision] : undefined
  return { result: result ?? 'unknown', sentence: `${words.label}.`, at }
}

const customerResults: Readonly<Record<string, Check['result']>> = {
  verified: 'pass',
  pending: 'warn',
  review: 'warn',
  rejected: 'fail',
  inactive: 'fail',
}

function customerFinding({ status }: Customer): Finding {
  const words = statusWords('customer', status)
  const result = isKnownStatus('customer', status) ? customerResults[status] : undefined
  return { result: result ?? 'unknown', sentence: `${words.label}: ${words.meaning}` }
}

/** When a paykey ends, judged: past is a fail, near a warning, unknown stays unknown. `now` in milliseconds. */
export function expiryFinding(expires_at: string | undefined, now: number): Finding {
  const expires = timeOf(expires_at)
  if (expires === null) return { result: 'unknown', sentence: 'The service gives no expiry.' }
  if (expires <= now) return { result: 'fail', sentence: `Expired ${agoText(expires_at, now)}; it cannot be used.` }
  const left = lengthText(expires - now)
  return expires - now < expiryNear
    ? { result: 'warn', sentence: `Expires in ${left}; have the customer connect it anew.` }
    : { result: 'pass', sentence: `Expires in ${left}.` }
}

function balanceFinding({ paykey, now, unit }: PaykeyFacts): Finding {
  const { balance, source } = paykey
  const at = balance?.updated_at ?? null
  const minor = minorUnits(balance?.account_balance, unit)
  if (minor === null) {
    const why = readsBalance(source) ? 'Not known; never assume it.' : 'Not known: typed bank details give no look into the account.'
    return { result: 'unknown', sentence: why, at }
  }
  const amount = formatMinor(minor)
  if (balance?.status === 'pending') return { result: 'unknown', sentence: `${amount} before; a new reading is on its way.`, at }
  if (balance?.status !== 'completed') return { result: 'unknown', sentence: `${amount} before; the last reading failed.`, at }
  const time = timeOf(at)
  if (time === null || now - time > balanceOld) return { result: 'unknown', sentence: `${amount}, but the reading is old.`, at }
  return { result: 'pass', sentence: `${amount}.`, at }
}

function alikeFinding(alike: readonly PaykeySummary[], paykey: Paykey): Finding {
  const others = new Set(alike.map(({ customer_id }) => customer_id).filter((id) => id !== paykey.customer_id)).size
  const blocked = alike.filter(({ status }) => status === 'blocked' || status === 'rejected').length
  const refused = blocked > 0 ? ` ${blocked} of them ${blocked === 1 ? 'is' : 'are'} blocked or rejected.` : ''
  if (others > 0) {
    return { result: 'warn', sentence: `Seems to be used by ${others} other ${others === 1 ? 'customer' : 'customers'}.${refused}` }
  }
  if (alike.length > 0) return { result: blocked > 0 ? 'warn' : 'pass', sentence: `Connected by this customer before.${refused}` }
  return { result: 'pass', sentence: 'No other paykey seems to be on it.' }
}

function unblockFinding({ paykey, actions }: PaykeyFacts): Finding {
  if (unblockedHere(actions)) return { result: 'warn', sentence: 'Unblocked here before. It cannot be done again.' }
  const { status, unblock_eligible, status_details } = paykey
  if (status === 'blocked' && unblock_eligible === false && status_details?.code === 'R29') {
    return { result: 'warn', sentence: 'Its one unblock seems used: R29, and not eligible.' }
  }
  return { result: 'pass', sentence: 'None on record here.' }
}

/**
 * Paykeys that seem to be on the same bank account: same bank, last four digits and kind. The list shows no more of a number than that, so two
 * accounts of one bank can share them; screens say "seems".
 */
export function alikeOf(found: readonly PaykeySummary[], paykey: Paykey): PaykeySummary[] {
  const digits = paykey.bank_data?.account_number
  if (!digits) return []
  return found.filter(
    (other) =>
      other.id !== paykey.id &&
      other.bank_data?.account_number === digits &&
      other.institution_name === paykey.institution_name &&
      other.bank_data?.account_type === paykey.bank_data?.account_type,
  )
}
