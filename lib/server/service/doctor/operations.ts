import 'server-only'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Finding } from '@/lib/operations/service-check'
import { type ReadId, resourceOf, serviceOperation } from '@/lib/operations/service-operations'
import { jsonOf } from '@/lib/server/service/answer'
import { type Conversation, faultWords, isHtml, isPassing, isSuccess, type Read, type Reading, refusalWords } from './conversation'

type Row = { id?: string; status?: string }

/** Rows requested per list: enough to contain several states. */
export const sampleSize = 100
const accountsAsked = 3
/** Maximum number of charges read to find the word for a signed agreement. */
const chargesAsked = 3

export const rowsIn = (read: Read | null): Row[] => (Array.isArray(read?.reading?.data) ? (read.reading.data as Row[]) : [])

const firstId = (read: Read | null): string | undefined => rowsIn(read).find(({ id }) => id)?.id

/** Returns the ids of accounts, active ones first: they are more likely to have data. */
export function accountIds(accounts: Read | null): string[] {
  const rows = rowsIn(accounts)
  const active = rows.filter(({ status }) => status === 'active')
  return [...new Set([...active, ...rows].flatMap(({ id }) => id || []))]
}

async function listAndOne(talk: Conversation, list: ReadId, ones: readonly ReadId[]): Promise<void> {
  const id = firstId(await talk.read(list, {}))
  if (id) for (const one of ones) await talk.read(one, { id })
}

export function consentIn({ operation, reply }: Read): string | null {
  if (resourceOf(operation) !== 'charges' || !isSuccess(reply)) return null
  const { consent_type } = (jsonOf(reply)?.data ?? {}) as { consent_type?: unknown }
  return typeof consent_type === 'string' ? consent_type : null
}

/** Returns the ids of payments of a type: from the newest, or by a search for the type if the newest contain none. */
async function idsOf(talk: Conversation, sample: Read | null, type: 'charge' | 'payout'): Promise<string[]> {
  const typed = (read: Read | null) =>
    (rowsIn(read) as PaymentSummary[]).filter(({ payment_type }) => payment_type === type).flatMap(({ id }) => id || [])
  const among = typed(sample)
  return among.length > 0 || !sample?.reading ? among : typed(await talk.read('payments.search', { payment_type: type, page_size: 5 }))
}

/** Reads charges until one contains the word for a signed agreement, then a payout. */
async function readPayments(talk: Conversation, sample: Read | null): Promise<void> {
  for (const id of (await idsOf(talk, sample, 'charge')).slice(0, chargesAsked)) {
    const read = await talk.read('charges.get', { id })
    if (!read || consentIn(read) !== 'internet') break
  }
  const [payout] = await idsOf(talk, sample, 'payout')
  if (payout) await talk.read('payouts.get', { id: payout })
}

/** Reads one of each resource, in sequence. Returns the accounts and the newest payments, which the checks of settings use. */
export async function readOneOfEach(talk: Conversation): Promise<{ accounts: Read | null; payments: Read | null }> {
  const accounts = await talk.read('accounts.list', { page_size: sampleSize })
  const [account, ...others] = accountIds(accounts)
  if (account) await talk.read('accounts.get', { id: account })
  for (const id of [account, ...others].slice(0, accountsAsked)) if (id) await talk.read('account_settings.get', { id })
  const payments = await talk.read('payments.search', { page_size: sampleSize })
  await readPayments(talk, payments)
  await listAndOne(talk, 'customers.list', ['customers.get', 'customers.review'])
  await listAndOne(talk, 'paykeys.list', ['paykeys.get'])
  await listAndOne(talk, 'funding_events.list', ['funding_events.get'])
  await listAndOne(talk, 'organizations.list', [])
  await listAndOne(talk, 'representatives.list', [])
  await listAndOne(talk, 'linked_bank_accounts.list', [])
  return { accounts, payments }
}

/** Every operation of a check, in the order of its report. */
export const askedOperations: readonly ReadId[] = [
  'accounts.list',
  'accounts.get',
  'account_settings.get',
  'payments.search',
  'charges.get',
  'payouts.get',
  'customers.list',
  'customers.get',
  'customers.review',
  'paykeys.list',
  'paykeys.get',
  'funding_events.list',
  'funding_events.get',
  'organizations.list',
  'representatives.list',
  'linked_bank_accounts.list',
  'capability_requests.list',
]

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

const nothingListed = 'no rows, so nothing says how they read'

/** Maximum number of paths to name; the rest are counted. */
const mostPaths = 6

function unreadableText(unreadable: Reading['unreadable']): string {
  const paths = Object.entries(unreadable).sort(([, one], [, other]) => other - one)
  const named = paths.slice(0, mostPaths).map(([path, count]) => (count > 1 ? `${path} (${count} times)` : path))
  const rest = paths.length - named.length
  return `not readable: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const advice = 'add the difference as docs/payments-service.md says; until then everything else is shown'

function readFinding({ data, unreadable, lostRows }: Reading): Pick<Finding, 'verdict' | 'text' | 'set'> {
  const rows = Array.isArray(data) ? data.length : null
  const phrases = [
    rows === null ? null : plural(rows, 'row'),
    lostRows > 0 ? `${plural(lostRows, 'row')} not readable at all` : null,
    Object.keys(unreadable).length > 0 ? unreadableText(unreadable) : null,
  ].filter((part) => part !== null)
  const isWhole = lostRows === 0 && Object.keys(unreadable).length === 0
  if (!isWhole)
    return {
      verdict: 'does_not_fit',
      text: phrases.join('; '),
      set: advice,
    }
  if (rows === 0) return { verdict: 'cannot_tell', text: nothingListed }
  return { verdict: 'fits', text: [...phrases, 'all readable'].join(', ') }
}

function operationFinding(read: Read): Finding {
  const { operation, reply, reading } = read
  const timed = { label: operation, took_ms: Math.round(reply.tookMs) }
  if (reply.kind === 'fault') return { ...timed, verdict: 'cannot_tell', text: faultWords(reply.fault) }
  const line = { ...timed, status: reply.status }
  if (!isSuccess(reply)) {
    const verdict = isPassing(reply) ? 'cannot_tell' : 'does_not_fit'
    return { ...line, verdict, text: refusalWords(reply, serviceOperation(operation).verbPhrase) }
  }
  if (reading) return { ...line, ...readFinding(reading) }
  const text = isHtml(reply) ? 'an HTML page, not data' : 'the answer is not the data expected: nothing could be read'
  return { ...line, verdict: 'does_not_fit', text }
}

/** Rank of a finding: an empty list is lowest, a fault is highest. */
function gravity({ verdict, text }: Finding): number {
  if (verdict === 'cannot_tell') return text === nothingListed ? 0 : 2
  return verdict === 'fits' ? 1 : 3
}

/** Keeps each advice only in its first finding: people skip text that repeats on many lines. */
const adviseOnce = (findings: readonly Finding[]): Finding[] =>
  findings.map(({ set, ...finding }, at) => {
    const isFirst = findings.findIndex((each) => each.set === set) === at
    return set !== undefined && isFirst ? { ...finding, set } : finding
  })

/** Returns one finding for each operation: the worst if it was requested several times. */
export function operationFindings({ reads, stopped }: Pick<Conversation, 'reads' | 'stopped'>): Finding[] {
  const findings = askedOperations.map((operation): Finding => {
    const found = reads.filter((read) => read.operation === operation).map(operationFinding)
    const [worst] = found.sort((one, other) => gravity(other) - gravity(one))
    if (worst) return worst
    const text = stopped ? 'not checked' : 'not asked: there is none to ask about'
    return { label: operation, verdict: 'cannot_tell', text }
  })
  return adviseOnce(findings)
}
