import 'server-only'
import { randomUUID } from 'node:crypto'
import { env } from '@/lib/server/config/env'
import type { Parsed } from '@/lib/server/service/answer'
import { type Conversation, type Question, questionOf } from './conversation'
import { accountIds, firstRead, sample } from './operations'
import { type Check, cannotTell, match, mismatch } from './probe'

/** A form of the account header: its name, and the prefix before the account's UUID. */
type AccountForm = { header: string; prefix: string }

/** Forms that services are known to use (provider facts 0.3). */
const knownForms: readonly AccountForm[] = ['Service-Account-Id', 'Provider-Account-Id'].flatMap((header) =>
  ['acct_', ''].map((prefix) => ({ header, prefix })),
)

export const configuredForm = (): AccountForm => ({ header: env().accountHeader, prefix: env().accountPrefix })

const isSameHeader = (one: AccountForm, other: AccountForm): boolean => one.header.toLowerCase() === other.header.toLowerCase()

export const accountIn = ({ header, prefix }: AccountForm, id: string): Question['account'] => ({
  [header.toLowerCase()]: `${prefix}${id}`,
})

/** Returns the size of a list from its page metadata; if that has none, its number of rows. */
const totalOf = ({ page, data, rows }: Parsed): number => page.total_items ?? (data as unknown[]).length + rows.length

/** Result of searching the payments of one account: the share of all payments that it returned, or how it was refused. */
type Sight = 'none' | 'part' | 'all' | 'refused' | 'forbidden' | 'unknown'

const refusals: Readonly<Record<number, Sight>> = { 400: 'refused', 401: 'forbidden', 403: 'forbidden', 404: 'refused', 422: 'refused' }

/** Searches the payments of one account. `payments` is the result of the same search without an account. */
async function sightOf(talk: Conversation, form: AccountForm, id: string, payments: Parsed): Promise<Sight> {
  const search = questionOf('payments.search', sample)
  const read = search && (await talk.ask({ ...search, account: accountIn(form, id) }))
  if (read?.reply.kind !== 'answer') return 'unknown'
  if (!read.parsed) return refusals[read.reply.status] ?? 'unknown'
  const total = totalOf(read.parsed)
  return total === 0 ? 'none' : total < totalOf(payments) ? 'part' : 'all'
}

const misfitTexts = {
  ignored: 'ignored by the service: whoever may see one account would see the payments of all',
  not_narrowed: 'does not narrow what is answered: whoever may see one account would see the payments of all',
  refused: 'the service rejects an existing account in this form',
}

/**
 * `ignored`: a search for a nonexistent account returns payments, so any account would see all of them. `not_narrowed`: every existing
 * account sees all payments.
 */
type Outcome = 'narrowed' | 'undecided' | keyof typeof misfitTexts

/** The results of a single search that already decide the outcome, for a nonexistent account and for an existing one. */
const decided: Readonly<Record<'nonexistent' | 'existing', Partial<Record<Sight, Outcome>>>> = {
  nonexistent: { part: 'ignored', all: 'ignored', unknown: 'undecided' },
  existing: { part: 'narrowed', refused: 'refused', forbidden: 'undecided', unknown: 'undecided' },
}

async function tryForm(talk: Conversation, form: AccountForm, payments: Parsed): Promise<Outcome> {
  const sightOfNonexistent = await sightOf(talk, form, randomUUID(), payments)
  const failure = decided.nonexistent[sightOfNonexistent]
  if (failure) return failure
  let seeingAll = 0
  for (const id of accountIds(talk.reads).slice(0, 3)) {
    const sight = await sightOf(talk, form, id, payments)
    const outcome = decided.existing[sight]
    if (outcome) return outcome
    if (sight === 'all') seeingAll += 1
  }
  // It is impossible that each of two accounts has all payments.
  if (seeingAll > 1) return 'not_narrowed'
  return seeingAll === 1 || sightOfNonexistent !== 'none' ? 'narrowed' : 'undecided'
}

/** Returns a known form, other than the configured one, that the service uses; null if there is none. */
async function otherForm(talk: Conversation, configured: AccountForm, payments: Parsed): Promise<AccountForm | null> {
  for (const form of knownForms) {
    const isConfigured = isSameHeader(form, configured) && form.prefix === configured.prefix
    if (!isConfigured && (await tryForm(talk, form, payments)) === 'narrowed') return form
  }
  return null
}

const undecided = (text: string): Check['account'] => ({ header: cannotTell(text), prefix: cannotTell(text) })

/**
 * Checks that the service uses the account header. An ignored header is the worst wrong setting: nothing fails, and every account sees all
 * data. So a nonexistent account must be refused or see nothing, and an existing account must see only a part.
 */
export async function checkAccountHeader(talk: Conversation): Promise<Check['account']> {
  if (accountIds(talk.reads).length === 0) return undecided('there is no account to try it with')
  const payments = firstRead(talk.reads, 'payments.search')?.parsed
  if (!payments) return undecided('payments cannot be searched')
  const configured = configuredForm()
  const { header } = configured
  const prefix = configured.prefix || 'none'
  const outcome = await tryForm(talk, configured, payments)
  if (outcome === 'undecided') return undecided('the accounts that were tried have no payments, or were not answered for')
  if (outcome === 'narrowed') return { header: match(`${header} narrows what is answered to one account`), prefix: match(prefix) }
  const text = `${header}: ${misfitTexts[outcome]}`
  const found = await otherForm(talk, configured, payments)
  if (!found) {
    const advice = 'ask the service for the name of its account header; none of the known ones fits'
    return { header: mismatch(text, advice), prefix: cannotTell(prefix) }
  }
  const prefixText = `${prefix}: the service takes ${found.prefix === '' ? 'the bare UUID' : `${found.prefix} and the UUID`}`
  return {
    header: isSameHeader(found, configured) ? match(header) : mismatch(text, `SERVICE_ACCOUNT_HEADER=${found.header}`),
    prefix: found.prefix === configured.prefix ? match(prefix) : mismatch(prefixText, `SERVICE_ACCOUNT_PREFIX=${found.prefix}`),
  }
}
