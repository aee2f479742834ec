import 'server-only'
import { randomUUID } from 'node:crypto'
import { toRequest } from '@/lib/operations/http'
import { schemasOf } from '@/lib/operations/registry'
import type { Finding } from '@/lib/operations/service-check'
import { type Conversation, type Question, type Read, readAnswer } from './conversation'
import { accountIds, sampleSize } from './operations'

/** Form of the account header: its name, and the prefix before the account's UUID. */
export type AccountForm = { header: string; prefix: string }

/** Forms that services are known to accept (provider facts 0.3). */
const knownForms: readonly AccountForm[] = ['Service-Account-Id', 'Provider-Account-Id'].flatMap((header) =>
  ['acct_', ''].map((prefix) => ({ header, prefix })),
)

/** Maximum number of accounts to try until one has payments. */
const mostAccounts = 3

export const accountIn = ({ header, prefix }: AccountForm, id: string): Question['account'] => ({ header, value: `${prefix}${id}` })

/** Result of a search: the total number of payments, or the status of its refusal; null if neither is known. */
type Counted = { payments: number } | { refused: number } | null

async function countIn(talk: Conversation, form: AccountForm, id: string): Promise<Counted> {
  const { path, query } = toRequest('payments.search', schemasOf('payments.search').input.parse({ page_size: sampleSize }))
  const reply = await talk.ask({ path: `/v1${path}`, query, account: accountIn(form, id) })
  if (reply === null || reply.kind === 'fault') return null
  if ([400, 401, 403, 404, 422].includes(reply.status)) return { refused: reply.status }
  const reading = readAnswer('payments.search', reply)
  return reading && { payments: reading.total }
}

/**
 * Result of trying a form. `ignored`: an account that cannot exist sees payments, so every account would see all. `not_narrowed`: the
 * account is read, but every account still sees all. `refused`: an existing account is refused. `heard`: the response is narrowed to the
 * account. `untold`: it cannot be decided.
 */
type Heard = 'heard' | 'ignored' | 'not_narrowed' | 'refused' | 'untold'

type Ground = { talk: Conversation; accounts: readonly string[]; all: number }

/** Decides by the payment counts of existing accounts. Before that, a nonexistent account was refused (`refusesNobody`) or saw nothing. */
function judgeCounts(counts: readonly number[], all: number, refusesNobody: boolean): Heard {
  if (counts.some((count) => count > 0 && count < all)) return 'heard'
  const nonZeroCount = counts.filter((count) => count > 0).length
  // Two accounts cannot each have every payment there is.
  if (nonZeroCount > 1) return 'not_narrowed'
  return nonZeroCount === 1 || refusesNobody ? 'heard' : 'untold'
}

const isForbidden = (status: number): boolean => status === 401 || status === 403

async function judgeByOwn({ talk, accounts, all }: Ground, form: AccountForm, refusesNobody: boolean): Promise<Heard> {
  const counts: number[] = []
  for (const id of accounts.slice(0, mostAccounts)) {
    const accountCount = await countIn(talk, form, id)
    if (accountCount === null || ('refused' in accountCount && isForbidden(accountCount.refused))) return 'untold'
    if ('refused' in accountCount) return 'refused'
    counts.push(accountCount.payments)
    if (accountCount.payments > 0 && accountCount.payments < all) break
  }
  return judgeCounts(counts, all, refusesNobody)
}

async function judge(ground: Ground, form: AccountForm): Promise<Heard> {
  const nobody = await countIn(ground.talk, form, randomUUID())
  if (nobody === null) return 'untold'
  if ('payments' in nobody && nobody.payments > 0) return 'ignored'
  return judgeByOwn(ground, form, 'refused' in nobody)
}

const same = (one: AccountForm, other: AccountForm): boolean =>
  one.header.toLowerCase() === other.header.toLowerCase() && one.prefix === other.prefix

async function formThatFits(ground: Ground, configured: AccountForm): Promise<AccountForm | null> {
  for (const form of knownForms.filter((each) => !same(each, configured))) {
    if ((await judge(ground, form)) === 'heard') return form
  }
  return null
}

const settingLines = {
  header: ({ header }: AccountForm) => `SERVICE_ACCOUNT_HEADER=${header}`,
  prefix: ({ prefix }: AccountForm) => `SERVICE_ACCOUNT_PREFIX=${prefix}`,
}

const faultText: Readonly<Record<'ignored' | 'not_narrowed' | 'refused', string>> = {
  ignored: 'ignored by the service: whoever may see one account would see the payments of all',
  not_narrowed: 'does not narrow what is answered: whoever may see one account would see the payments of all',
  refused: 'the service rejects an existing account in this form',
}

/** Returns the findings for a form that does not fit, and names the form that fits if one was found. */
function misfits(heard: keyof typeof faultText, configured: AccountForm, found: AccountForm | null): Finding[] {
  const text = faultText[heard]
  const header = { label: 'Account header', text: `${configured.header}: ${text}` }
  const prefix = { label: 'Account prefix', text: configured.prefix === '' ? 'none' : configured.prefix }
  if (!found) {
    const set = 'ask the service for the name of its account header; none of the known ones fits'
    return [
      { ...header, verdict: 'does_not_fit', set },
      { ...prefix, verdict: 'cannot_tell' },
    ]
  }
  const sameHeader = found.header.toLowerCase() === configured.header.toLowerCase()
  const prefixText = found.prefix === '' ? 'the service takes the bare UUID' : `the service takes ${found.prefix} and the UUID`
  return [
    sameHeader
      ? { label: header.label, verdict: 'fits', text: configured.header }
      : { ...header, verdict: 'does_not_fit', set: settingLines.header(found) },
    found.prefix === configured.prefix
      ? { ...prefix, verdict: 'fits' }
      : { ...prefix, verdict: 'does_not_fit', text: `${prefix.text}: ${prefixText}`, set: settingLines.prefix(found) },
  ]
}

const untold = (text: string): Finding[] =>
  ['Account header', 'Account prefix'].map((label) => ({ label, verdict: 'cannot_tell' as const, text }))

/**
 * Checks that the service uses the account header. An ignored header is the worst misconfiguration: nothing fails, and every account sees
 * all data. So a nonexistent account must be refused or see nothing, and an existing one must see a part.
 */
export async function accountFindings(
  talk: Conversation,
  configured: AccountForm,
  { accounts, payments }: { accounts: Read | null; payments: Read | null },
): Promise<Finding[]> {
  const ids = accountIds(accounts)
  if (ids.length === 0) return untold('there is no account to try it with')
  if (!payments?.reading) return untold('payments cannot be searched')
  const ground: Ground = { talk, accounts: ids, all: payments.reading.total }
  const heard = await judge(ground, configured)
  if (heard === 'untold') return untold('the accounts that were tried have no payments, or were not answered for')
  if (heard !== 'heard') return misfits(heard, configured, await formThatFits(ground, configured))
  return [
    { label: 'Account header', verdict: 'fits', text: `${configured.header} narrows what is answered to one account` },
    { label: 'Account prefix', verdict: 'fits', text: configured.prefix === '' ? 'none' : configured.prefix },
  ]
}
