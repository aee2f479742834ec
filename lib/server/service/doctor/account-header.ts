import 'server-only'
import { randomUUID } from 'node:crypto'
import { env } from '@/lib/server/config/env'
import type { ParsedAnswer } from '@/lib/server/service/answer'
import { type CheckClient, type CheckRequest, toCheckRequest } from './check-client'
import { findFirstRead, listAccountIds, samplePage } from './operations'
import { matchResult, mismatchResult, type ProbeContext, unknownResult } from './probe'

/** A form of the account header: its name, and the prefix before the account's UUID. */
type AccountForm = { header: string; prefix: string }

/** Forms that services are known to use (provider facts 0.3). */
const knownForms: readonly AccountForm[] = ['Service-Account-Id', 'Provider-Account-Id'].flatMap((header) =>
  ['acct_', ''].map((prefix) => ({ header, prefix })),
)

export const getConfiguredForm = (): AccountForm => ({ header: env().accountHeader, prefix: env().accountPrefix })

const isSameHeader = (one: AccountForm, other: AccountForm): boolean => one.header.toLowerCase() === other.header.toLowerCase()

export const toAccountHeader = ({ header, prefix }: AccountForm, id: string): CheckRequest['account'] => ({
  [header.toLowerCase()]: `${prefix}${id}`,
})

/** Returns the size of a list from its page metadata; if that has none, its number of rows. */
const readTotal = ({ page, data, rows }: ParsedAnswer): number => page.total_items ?? (data as unknown[]).length + rows.length

/** Result of searching the payments of one account: the share of all payments that it returned, or how it was refused. */
type SearchedShare = 'none' | 'part' | 'all' | 'refused' | 'forbidden' | 'unknown'

const sharesByStatus: Readonly<Record<number, SearchedShare>> = {
  400: 'refused',
  401: 'forbidden',
  403: 'forbidden',
  404: 'refused',
  422: 'refused',
}

/** Searches the payments of one account. `payments` is the result of the same search without an account. */
async function searchAccount(client: CheckClient, form: AccountForm, id: string, payments: ParsedAnswer): Promise<SearchedShare> {
  const search = toCheckRequest('payments.search', samplePage)
  const searchRead = search && (await client.ask({ ...search, account: toAccountHeader(form, id) }))
  if (searchRead?.reply.kind !== 'answer') return 'unknown'
  if (!searchRead.parsed) return sharesByStatus[searchRead.reply.status] ?? 'unknown'
  const total = readTotal(searchRead.parsed)
  return total === 0 ? 'none' : total < readTotal(payments) ? 'part' : 'all'
}

const mismatchTexts = {
  ignored: 'ignored by the service: whoever may see one account would see the payments of all',
  not_narrowed: 'does not narrow what is answered: whoever may see one account would see the payments of all',
  refused: 'the service rejects an existing account in this form',
}

/**
 * `ignored`: a search for a nonexistent account returns payments, so any account would see all of them. `not_narrowed`: every existing
 * account sees all payments.
 */
type FormOutcome = 'narrowed' | 'undecided' | keyof typeof mismatchTexts

/** The results of a single search that already decide the outcome, for a nonexistent account and for an existing one. */
const decidedOutcomes: Readonly<Record<'nonexistent' | 'existing', Partial<Record<SearchedShare, FormOutcome>>>> = {
  nonexistent: { part: 'ignored', all: 'ignored', unknown: 'undecided' },
  existing: { part: 'narrowed', refused: 'refused', forbidden: 'undecided', unknown: 'undecided' },
}

async function tryAccountForm(client: CheckClient, form: AccountForm, payments: ParsedAnswer): Promise<FormOutcome> {
  const nonexistentShare = await searchAccount(client, form, randomUUID(), payments)
  const failure = decidedOutcomes.nonexistent[nonexistentShare]
  if (failure) return failure
  let seeingAllCount = 0
  for (const id of listAccountIds(client.reads).slice(0, 3)) {
    const share = await searchAccount(client, form, id, payments)
    const outcome = decidedOutcomes.existing[share]
    if (outcome) return outcome
    if (share === 'all') seeingAllCount += 1
  }
  // It is impossible that each of two accounts has all payments.
  if (seeingAllCount > 1) return 'not_narrowed'
  return seeingAllCount === 1 || nonexistentShare !== 'none' ? 'narrowed' : 'undecided'
}

/** Returns a known form, other than the configured one, that the service uses; null if there is none. */
async function findOtherForm(client: CheckClient, configured: AccountForm, payments: ParsedAnswer): Promise<AccountForm | null> {
  for (const form of knownForms) {
    const isConfigured = isSameHeader(form, configured) && form.prefix === configured.prefix
    if (!isConfigured && (await tryAccountForm(client, form, payments)) === 'narrowed') return form
  }
  return null
}

const createUndecidedAccount = (text: string): ProbeContext['account'] => ({ header: unknownResult(text), prefix: unknownResult(text) })

/**
 * Checks that the service uses the account header. An ignored header is the worst wrong setting: nothing fails, and every account sees all
 * data. So a nonexistent account must be refused or see nothing, and an existing account must see only a part.
 */
export async function checkAccountHeader(client: CheckClient): Promise<ProbeContext['account']> {
  if (listAccountIds(client.reads).length === 0) return createUndecidedAccount('there is no account to try it with')
  const payments = findFirstRead(client.reads, 'payments.search')?.parsed
  if (!payments) return createUndecidedAccount('payments cannot be searched')
  const configured = getConfiguredForm()
  const { header } = configured
  const prefix = configured.prefix || 'none'
  const outcome = await tryAccountForm(client, configured, payments)
  if (outcome === 'undecided') return createUndecidedAccount('the accounts that were tried have no payments, or were not answered for')
  if (outcome === 'narrowed')
    return { header: matchResult(`${header} narrows what is answered to one account`), prefix: matchResult(prefix) }
  const text = `${header}: ${mismatchTexts[outcome]}`
  const foundForm = await findOtherForm(client, configured, payments)
  if (!foundForm) {
    const advice = 'ask the service for the name of its account header; none of the known ones fits'
    return { header: mismatchResult(text, advice), prefix: unknownResult(prefix) }
  }
  const prefixText = `${prefix}: the service takes ${foundForm.prefix === '' ? 'the bare UUID' : `${foundForm.prefix} and the UUID`}`
  return {
    header: isSameHeader(foundForm, configured) ? matchResult(header) : mismatchResult(text, `SERVICE_ACCOUNT_HEADER=${foundForm.header}`),
    prefix:
      foundForm.prefix === configured.prefix
        ? matchResult(prefix)
        : mismatchResult(prefixText, `SERVICE_ACCOUNT_PREFIX=${foundForm.prefix}`),
  }
}
