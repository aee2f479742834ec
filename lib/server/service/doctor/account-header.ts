import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Environment } from '@/lib/operations/define'
import { env } from '@/lib/server/config/env'
import { getIntegration } from '@/lib/server/config/integration'
import type { ParsedAnswer } from '@/lib/server/service/answer'
import { type CheckClient, type CheckRequest, toCheckRequest } from './check-client'
import { findFirstRead, listAccountIds, samplePageInput } from './operations'
import { type ProbeContext, reportMatch, reportMismatch, reportUnknown } from './probe'

/** `prefix` comes before the UUID of the account. */
type AccountHeaderFormat = { header: string; prefix: string }

/** Formats that services are known to use (provider facts 0.3). */
const knownHeaderFormats: readonly AccountHeaderFormat[] = [
  'Service-Account-Id',
  'Provider-Account-Id',
].flatMap((header) => ['acct_', ''].map((prefix) => ({ header, prefix })))

export const getConfiguredHeaderFormat = (): AccountHeaderFormat => ({
  header: env().accountHeader,
  prefix: env().accountPrefix,
})

const isSameHeader = (one: AccountHeaderFormat, other: AccountHeaderFormat): boolean =>
  one.header.toLowerCase() === other.header.toLowerCase()

export const toAccountHeader = (
  { header, prefix }: AccountHeaderFormat,
  id: string,
): CheckRequest['account'] => ({
  [header.toLowerCase()]: `${prefix}${id}`,
})

export const getTotalCount = ({ page, data, rows }: ParsedAnswer): number =>
  page.total_items ?? (data as unknown[]).length + rows.length

/** Share of all payments that a search for one account returned, or how it was refused. */
type ReturnedShare = 'none' | 'part' | 'all' | 'refused' | 'forbidden' | 'unknown'

const returnedShareByStatus: Readonly<Record<number, ReturnedShare>> = {
  400: 'refused',
  401: 'forbidden',
  403: 'forbidden',
  404: 'refused',
  422: 'refused',
}

/** `payments` is the result of the same search without an account. */
async function measureReturnedShare(
  client: CheckClient,
  form: AccountHeaderFormat,
  id: string,
  payments: ParsedAnswer,
): Promise<ReturnedShare> {
  const searchRequest = toCheckRequest('payments.search', samplePageInput)
  const searchResult =
    searchRequest && (await client.ask({ ...searchRequest, account: toAccountHeader(form, id) }))
  if (searchResult?.reply.kind !== 'answer') return 'unknown'
  if (!searchResult.parsed) return returnedShareByStatus[searchResult.reply.status] ?? 'unknown'
  const total = getTotalCount(searchResult.parsed)
  return total === 0 ? 'none' : total < getTotalCount(payments) ? 'part' : 'all'
}

const mismatchTexts = {
  ignored: 'ignored by the service: whoever may see one account would see the payments of all',
  not_narrowed:
    'does not narrow what is answered: whoever may see one account would see the payments of all',
  refused: 'the service rejects an existing account in this form',
}

/** `ignored`: even a nonexistent account sees payments. `not_narrowed`: every account sees all. */
type HeaderFormatOutcome = 'narrowed' | 'undecided' | keyof typeof mismatchTexts

/** Results that decide the outcome at once. Other results leave it open. */
const outcomesByExistenceAndShare: Readonly<
  Record<'nonexistent' | 'existing', Partial<Record<ReturnedShare, HeaderFormatOutcome>>>
> = {
  nonexistent: { part: 'ignored', all: 'ignored', unknown: 'undecided' },
  existing: { part: 'narrowed', refused: 'refused', forbidden: 'undecided', unknown: 'undecided' },
}

async function tryHeaderFormat(
  client: CheckClient,
  form: AccountHeaderFormat,
  payments: ParsedAnswer,
): Promise<HeaderFormatOutcome> {
  const nonexistentShare = await measureReturnedShare(client, form, randomUUID(), payments)
  const nonexistentOutcome = outcomesByExistenceAndShare.nonexistent[nonexistentShare]
  if (nonexistentOutcome) return nonexistentOutcome
  let accountsSeeingAllCount = 0
  for (const id of listAccountIds(client.reads).slice(0, 3)) {
    const returnedShare = await measureReturnedShare(client, form, id, payments)
    const outcome = outcomesByExistenceAndShare.existing[returnedShare]
    if (outcome) return outcome
    if (returnedShare === 'all') accountsSeeingAllCount += 1
  }
  // Two accounts cannot both have all payments, so the header has no effect.
  if (accountsSeeingAllCount > 1) return 'not_narrowed'
  return accountsSeeingAllCount === 1 || nonexistentShare !== 'none' ? 'narrowed' : 'undecided'
}

async function findOtherHeaderFormat(
  client: CheckClient,
  configured: AccountHeaderFormat,
  payments: ParsedAnswer,
): Promise<AccountHeaderFormat | null> {
  for (const form of knownHeaderFormats) {
    const isConfigured = isSameHeader(form, configured) && form.prefix === configured.prefix
    if (!isConfigured && (await tryHeaderFormat(client, form, payments)) === 'narrowed') return form
  }
  return null
}

const createUndecidedResults = (text: string): ProbeContext['account'] => ({
  header: reportUnknown(text),
  prefix: reportUnknown(text),
})

/**
 * An ignored header is the most dangerous wrong setting: nothing fails, and every account sees all
 * data. So a nonexistent account must be refused or see nothing, and an existing one only a part.
 */
export async function checkAccountHeader(
  client: CheckClient,
  environment: Environment,
): Promise<ProbeContext['account']> {
  if (getIntegration(environment) === 'account') {
    const notSent = reportMatch('not sent for a direct account')
    return { header: notSent, prefix: notSent }
  }
  if (listAccountIds(client.reads).length === 0)
    return createUndecidedResults('there is no account to try it with')
  const paymentsAnswer = findFirstRead(client.reads, 'payments.search')?.parsed
  if (!paymentsAnswer) return createUndecidedResults('payments cannot be searched')
  const configuredFormat = getConfiguredHeaderFormat()
  const { header } = configuredFormat
  const prefixLabel = configuredFormat.prefix || 'none'
  const outcome = await tryHeaderFormat(client, configuredFormat, paymentsAnswer)
  if (outcome === 'undecided')
    return createUndecidedResults(
      'the accounts that were tried have no payments, or were not answered for',
    )
  if (outcome === 'narrowed')
    return {
      header: reportMatch(`${header} narrows what is answered to one account`),
      prefix: reportMatch(prefixLabel),
    }
  const mismatchText = `${header}: ${mismatchTexts[outcome]}`
  const acceptedFormat = await findOtherHeaderFormat(client, configuredFormat, paymentsAnswer)
  if (!acceptedFormat) {
    const advice = 'ask the service for the name of its account header; none of the known ones fits'
    return { header: reportMismatch(mismatchText, advice), prefix: reportUnknown(prefixLabel) }
  }
  const prefixText = `${prefixLabel}: the service takes ${acceptedFormat.prefix === '' ? 'the bare UUID' : `${acceptedFormat.prefix} and the UUID`}`
  return {
    header: isSameHeader(acceptedFormat, configuredFormat)
      ? reportMatch(header)
      : reportMismatch(mismatchText, `SERVICE_ACCOUNT_HEADER=${acceptedFormat.header}`),
    prefix:
      acceptedFormat.prefix === configuredFormat.prefix
        ? reportMatch(prefixLabel)
        : reportMismatch(prefixText, `SERVICE_ACCOUNT_PREFIX=${acceptedFormat.prefix}`),
  }
}
