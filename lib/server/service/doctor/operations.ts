import 'server-only'
import type { Finding } from '@/lib/operations/service-check'
import { type ReadId, serviceOperation } from '@/lib/operations/service-operations'
import { jsonOf, type Parsed } from '@/lib/server/service/answer'
import { type Conversation, faultTexts, isHtml, isPassing, isSuccess, questionOf, type Read, refusalText } from './conversation'
import { cannotTell, match, mismatch, type Result } from './probe'

type Row = { id?: string; status?: string; payment_type?: string; account_id?: string }
type Reads = readonly Read[]
type Inputs = Record<string, unknown>[]

/** A page that is large enough to contain rows of several states. */
export const sample = { page_size: 100 }

export const rowsIn = (read: Read | null): Row[] => (Array.isArray(read?.parsed?.data) ? (read.parsed.data as Row[]) : [])

export const readsOf = (reads: Reads, operation: ReadId): Read[] => reads.filter((read) => read.operation === operation)

export const firstRead = (reads: Reads, operation: ReadId): Read | null => readsOf(reads, operation)[0] ?? null

const idsIn = (rows: readonly Row[]): string[] => rows.flatMap(({ id }) => id || [])

/** Returns the ids of accounts. Active ones come first, because they are more likely to have data. */
export function accountIds(reads: Reads): string[] {
  const rows = rowsIn(firstRead(reads, 'accounts.list'))
  return [...new Set(idsIn([...rows.filter(({ status }) => status === 'active'), ...rows]))]
}

/** Returns the value of `consent_type` in a response about a charge, or null. */
export function consentIn({ reply }: Read): string | null {
  if (!isSuccess(reply)) return null
  const { consent_type } = (jsonOf(reply)?.data ?? {}) as { consent_type?: unknown }
  return typeof consent_type === 'string' ? consent_type : null
}

function paymentIds(reads: Reads, type: 'charge' | 'payout'): string[] {
  const payments = readsOf(reads, 'payments.search').flatMap(rowsIn)
  return idsIn(payments.filter(({ payment_type }) => payment_type === type))
}

/** Returns a function with the input of a search for payments of a type, if the newest payments contain none. */
const searchIfNone = (type: 'charge' | 'payout') => (reads: Reads) =>
  firstRead(reads, 'payments.search')?.parsed && paymentIds(reads, type).length === 0 ? [{ payment_type: type, page_size: 5 }] : []

const byId = (ids: readonly string[]): Inputs => ids.map((id) => ({ id }))
const firstOf = (list: ReadId) => (reads: Reads) => byId(idsIn(rowsIn(firstRead(reads, list))).slice(0, 1))

/** A read of the check. `inputsFrom` returns its inputs from the reads before it. It is sent for each input, until `isLast`. */
type SampleRead = [operation: ReadId, inputsFrom: (reads: Reads) => Inputs, isLast?: (read: Read | null) => boolean]

/** The reads of a check in order: one of each resource, and several of those that show settings. */
const sampleReads: readonly SampleRead[] = [
  ['accounts.list', () => [sample]],
  ['accounts.get', (reads) => byId(accountIds(reads).slice(0, 1))],
  ['account_settings.get', (reads) => byId(accountIds(reads).slice(0, 3))],
  ['payments.search', () => [sample]],
  ['payments.search', searchIfNone('charge')],
  // A charge whose consent is `internet` does not show which value the service uses for a signed agreement.
  ['charges.get', (reads) => byId(paymentIds(reads, 'charge').slice(0, 3)), (read) => !read || consentIn(read) !== 'internet'],
  ['payments.search', searchIfNone('payout')],
  ['payouts.get', (reads) => byId(paymentIds(reads, 'payout').slice(0, 1))],
  ['customers.list', () => [{}]],
  ['customers.get', firstOf('customers.list')],
  ['customers.review', firstOf('customers.list')],
  ['paykeys.list', () => [{}]],
  ['paykeys.get', firstOf('paykeys.list')],
  ['funding_events.list', () => [{}]],
  ['funding_events.get', firstOf('funding_events.list')],
  ['organizations.list', () => [{}]],
  ['representatives.list', () => [{}]],
  ['linked_bank_accounts.list', () => [{}]],
]

/** The operations of a check, in the order of its report. The last one is read by the probe of the capability path. */
const checkedOperations = [...new Set<ReadId>([...sampleReads.map(([operation]) => operation), 'capability_requests.list'])]

export async function readSamples(talk: Conversation): Promise<void> {
  for (const [operation, inputsFrom, isLast] of sampleReads) {
    for (const input of inputsFrom(talk.reads)) {
      const read = await talk.read(questionOf(operation, input))
      if (isLast?.(read)) break
    }
  }
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

const emptyList = cannotTell('no rows, so nothing says how they read')

/** Maximum number of paths that are named. The others are counted. */
const mostPaths = 6

function unreadableText(paths: [string, number][]): string {
  const sorted = paths.sort(([, one], [, other]) => other - one)
  const named = sorted.slice(0, mostPaths).map(([path, count]) => (count > 1 ? `${path} (${count} times)` : path))
  return `not readable: ${named.join(', ')}${paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : ''}`
}

function parsedResult({ data, paths, rows: lostRows }: Parsed): Result {
  // The path `[]` counts the rows that are in `rows`.
  const unreadable = Object.entries(paths).filter(([path]) => path !== '[]')
  const rows = Array.isArray(data) ? [plural(data.length, 'row')] : []
  const faults = [
    ...(lostRows.length > 0 ? [`${plural(lostRows.length, 'row')} not readable at all`] : []),
    ...(unreadable.length > 0 ? [unreadableText(unreadable)] : []),
  ]
  const advice = 'add the difference as docs/payments-service.md says; until then everything else is shown'
  if (faults.length > 0) return mismatch([...rows, ...faults].join('; '), advice)
  return Array.isArray(data) && data.length === 0 ? emptyList : match([...rows, 'all readable'].join(', '))
}

function resultOf({ operation, reply, parsed }: Read): Result {
  if (reply.kind === 'fault') return cannotTell(faultTexts[reply.fault])
  if (parsed) return parsedResult(parsed)
  if (isPassing(reply)) return cannotTell(refusalText(reply))
  if (!isSuccess(reply)) return mismatch(refusalText(reply, serviceOperation(operation).verbPhrase))
  return mismatch(isHtml(reply) ? 'an HTML page, not data' : 'the answer is not the data expected: nothing could be read')
}

function findingOf(read: Read): Finding {
  const status = read.reply.kind === 'answer' ? { status: read.reply.status } : {}
  return { label: read.operation, took_ms: Math.round(read.reply.tookMs), ...status, ...resultOf(read) }
}

/** Returns the rank of a finding. An empty list has the lowest, a fault the highest. */
const severity = ({ verdict, text }: Finding): number =>
  text === emptyList.text ? 0 : { fits: 1, cannot_tell: 2, does_not_fit: 3 }[verdict]

/** Returns one finding per operation: the worst one, if the operation was sent several times. */
export function operationFindings({ reads, stopped }: Conversation): Finding[] {
  const findings = checkedOperations.map((operation): Finding => {
    const found = readsOf(reads, operation).map(findingOf)
    const [worst] = found.sort((one, other) => severity(other) - severity(one))
    return worst ?? { label: operation, ...cannotTell(stopped ? 'not checked' : 'not asked: there is none to ask about') }
  })
  // Only the first finding keeps its advice. All have the same advice, and people skip text that repeats on many lines.
  const firstAdvised = findings.findIndex(({ set }) => set)
  return findings.map(({ set, ...finding }, at) => (set && at === firstAdvised ? { ...finding, set } : finding))
}
