import 'server-only'
import type { Environment } from '@/lib/operations/define'
import type { ServiceFinding } from '@/lib/operations/service-check'
import {
  getServiceOperation,
  isOperationOf,
  type ReadId,
} from '@/lib/operations/service-operations'
import { getIntegration } from '@/lib/server/config/integration'
import { type ParsedAnswer, parseJsonBody } from '@/lib/server/service/answer'
import {
  type CheckClient,
  type CheckReadResult,
  faultTexts,
  isHtml,
  isSuccess,
  isTransient,
  toCheckRequest,
  toRefusalText,
} from './check-client'
import { type ProbeResult, reportMatch, reportMismatch, reportUnknown } from './probe'

type SampleRow = { id?: string; status?: string; payment_type?: string; account_id?: string }
type CheckReadResults = readonly CheckReadResult[]
type ReadInputs = Record<string, unknown>[]

/** Large enough to contain rows of several states. */
export const samplePageInput = { page_size: 100 }

export const getSampleRows = (read: CheckReadResult | null): SampleRow[] =>
  Array.isArray(read?.parsed?.data) ? (read.parsed.data as SampleRow[]) : []

export const filterReads = (reads: CheckReadResults, operation: ReadId): CheckReadResult[] =>
  reads.filter((read) => read.operation === operation)

export const findFirstRead = (reads: CheckReadResults, operation: ReadId): CheckReadResult | null =>
  filterReads(reads, operation)[0] ?? null

const listIds = (rows: readonly SampleRow[]): string[] => rows.flatMap(({ id }) => id || [])

/** Active accounts come first, because they are more likely to have data. */
export function listAccountIds(reads: CheckReadResults): string[] {
  const accountRows = getSampleRows(findFirstRead(reads, 'accounts.list'))
  return [
    ...new Set(
      listIds([...accountRows.filter(({ status }) => status === 'active'), ...accountRows]),
    ),
  ]
}

export function readConsentType({ reply }: CheckReadResult): string | null {
  if (!isSuccess(reply)) return null
  const { consent_type } = (parseJsonBody(reply)?.data ?? {}) as { consent_type?: unknown }
  return typeof consent_type === 'string' ? consent_type : null
}

function listPaymentIds(reads: CheckReadResults, type: 'charge' | 'payout'): string[] {
  const payments = filterReads(reads, 'payments.search').flatMap(getSampleRows)
  return listIds(payments.filter(({ payment_type }) => payment_type === type))
}

/**
 * Returns the input of a search for a payment of one type, because the newest payments can all be
 * of the other type. Returns no input if the search for the newest payments failed or found one.
 */
const createInputIfTypeMissing = (type: 'charge' | 'payout') => (reads: CheckReadResults) =>
  findFirstRead(reads, 'payments.search')?.parsed && listPaymentIds(reads, type).length === 0
    ? [{ payment_type: type, page_size: 5 }]
    : []

const toIdInputs = (ids: readonly string[]): ReadInputs => ids.map((id) => ({ id }))
const createFirstIdInput = (list: ReadId) => (reads: CheckReadResults) =>
  toIdInputs(listIds(getSampleRows(findFirstRead(reads, list))).slice(0, 1))

/** Sends the read once per input (from earlier reads), until `isLast` returns true. */
type SampleReadSpec = [
  operation: ReadId,
  inputsFrom: (reads: CheckReadResults) => ReadInputs,
  isLast?: (read: CheckReadResult | null) => boolean,
]

/**
 * The reads of the check, in order. Some resources are read several times, because only some of
 * their rows show whether a setting is right.
 */
const sampleReadSpecs: readonly SampleReadSpec[] = [
  ['accounts.list', () => [samplePageInput]],
  ['accounts.get', (reads) => toIdInputs(listAccountIds(reads).slice(0, 1))],
  ['account_settings.get', (reads) => toIdInputs(listAccountIds(reads).slice(0, 3))],
  ['payments.search', () => [samplePageInput]],
  ['payments.search', createInputIfTypeMissing('charge')],
  // A charge with the consent type `internet` does not show which value the service uses for a
  // signed agreement. So read the next charge.
  [
    'charges.get',
    (reads) => toIdInputs(listPaymentIds(reads, 'charge').slice(0, 3)),
    (read) => !read || readConsentType(read) !== 'internet',
  ],
  ['payments.search', createInputIfTypeMissing('payout')],
  ['payouts.get', (reads) => toIdInputs(listPaymentIds(reads, 'payout').slice(0, 1))],
  ['customers.list', () => [{}]],
  ['customers.get', createFirstIdInput('customers.list')],
  ['customers.review', createFirstIdInput('customers.list')],
  ['paykeys.list', () => [{}]],
  ['paykeys.get', createFirstIdInput('paykeys.list')],
  ['funding_events.list', () => [{}]],
  ['funding_events.get', createFirstIdInput('funding_events.list')],
  ['organizations.list', () => [{}]],
  ['representatives.list', () => [{}]],
  ['linked_bank_accounts.list', () => [{}]],
]

/**
 * The operations in the order of the report. The last one is not in `sampleReadSpecs`: the probe of the
 * capability path sends it.
 */
const checkedOperations = [
  ...new Set<ReadId>([
    ...sampleReadSpecs.map(([operation]) => operation),
    'capability_requests.list',
  ]),
]

export async function readSamples(client: CheckClient, environment: Environment): Promise<void> {
  for (const [operation, inputsFrom, isLast] of sampleReadSpecs) {
    if (!isOperationOf(operation, getIntegration(environment))) continue
    for (const input of inputsFrom(client.reads)) {
      const sampleReadResult = await client.read(toCheckRequest(operation, input))
      if (isLast?.(sampleReadResult)) break
    }
  }
}

const toCountText = (count: number, singular: string) =>
  `${count} ${singular}${count === 1 ? '' : 's'}`

const emptyListResult = reportUnknown('no rows, so nothing says how they read')

/** A finding names this many paths, and only counts the others. */
const maxNamedPaths = 6

function toUnreadablePathsText(paths: [string, number][]): string {
  const sortedPaths = paths.sort(([, one], [, other]) => other - one)
  const namedPaths = sortedPaths
    .slice(0, maxNamedPaths)
    .map(([path, count]) => (count > 1 ? `${path} (${count} times)` : path))
  return `not readable: ${namedPaths.join(', ')}${paths.length > maxNamedPaths ? ` and ${paths.length - maxNamedPaths} more` : ''}`
}

function assessParsedAnswer({ data, paths, rows: lostRows }: ParsedAnswer): ProbeResult {
  // Skip the path `[]`. It counts whole rows, and `lostRows` already contains those.
  const unreadablePaths = Object.entries(paths).filter(([path]) => path !== '[]')
  const rowCountTexts = Array.isArray(data) ? [toCountText(data.length, 'row')] : []
  const unreadableTexts = [
    ...(lostRows.length > 0 ? [`${toCountText(lostRows.length, 'row')} not readable at all`] : []),
    ...(unreadablePaths.length > 0 ? [toUnreadablePathsText(unreadablePaths)] : []),
  ]
  const advice =
    'add the difference as docs/payments-service.md says; until then everything else is shown'
  if (unreadableTexts.length > 0)
    return reportMismatch([...rowCountTexts, ...unreadableTexts].join('; '), advice)
  return Array.isArray(data) && data.length === 0
    ? emptyListResult
    : reportMatch([...rowCountTexts, 'all readable'].join(', '))
}

function toProbeResult({ operation, reply, parsed }: CheckReadResult): ProbeResult {
  if (reply.kind === 'fault') return reportUnknown(faultTexts[reply.fault])
  if (parsed) return assessParsedAnswer(parsed)
  if (isTransient(reply)) return reportUnknown(toRefusalText(reply))
  if (!isSuccess(reply))
    return reportMismatch(toRefusalText(reply, getServiceOperation(operation).verbPhrase))
  return reportMismatch(
    isHtml(reply)
      ? 'an HTML page, not data'
      : 'the answer is not the data expected: nothing could be read',
  )
}

function toFinding(read: CheckReadResult): ServiceFinding {
  const statusField = read.reply.kind === 'answer' ? { status: read.reply.status } : {}
  return {
    label: read.operation,
    took_ms: Math.round(read.reply.tookMs),
    ...statusField,
    ...toProbeResult(read),
  }
}

const getSeverity = ({ verdict, text }: ServiceFinding): number =>
  text === emptyListResult.text ? 0 : { fits: 1, cannot_tell: 2, does_not_fit: 3 }[verdict]

/** Returns one finding per operation: the worst one, if the operation was sent several times. */
export function listOperationFindings({ reads, stopped }: CheckClient): ServiceFinding[] {
  const findings = checkedOperations.map((operation): ServiceFinding => {
    const operationFindings = filterReads(reads, operation).map(toFinding)
    const [worst] = operationFindings.sort((one, other) => getSeverity(other) - getSeverity(one))
    return (
      worst ?? {
        label: operation,
        ...reportUnknown(stopped ? 'not checked' : 'not asked: there is none to ask about'),
      }
    )
  })
  // Only the first finding shows the advice, because it is the same for all and people skip text
  // that repeats on many lines.
  const firstAdvisedIndex = findings.findIndex(({ set }) => set)
  return findings.map(({ set, ...finding }, at) =>
    set && at === firstAdvisedIndex ? { ...finding, set } : finding,
  )
}
