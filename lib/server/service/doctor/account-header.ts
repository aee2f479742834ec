import 'server-only'
import { randomUUID } from 'node:crypto'
import { toRequest } from '@/lib/operations/http'
import { schemasOf } from '@/lib/operations/registry'
import type { Finding } from '@/lib/operations/service-check'
import { type Conversation, type Question, type Read, readAnswer } from './conversation'
import { accountIds, sampleSize } from './operations'

/** How the account of a call is written: the header's name and what is before the account's UUID in it. */
export type AccountForm = { header: string; prefix: string }

/** The forms the service is known to take (provider facts 0.3). */
const knownForms: readonly AccountForm[] = ['Service-Account-Id', 'Provider-Account-Id'].flatMap((header) =>
  ['acct_', ''].map((prefix) => ({ header, prefix })),
)

/** Accounts that are tried in turn until one of them has payments. */
const mostAccounts = 3

/** The header for an account, for a question of a check. */
export const accountIn = ({ header, prefix }: AccountForm, id: string): Question['account'] => ({ header, value: `${prefix}${id}` })

/** What a search came to: how many payments there are in all, or the status it was refused with; null where neither can be told. */
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
 * What the service makes of a form. `ignored`: an account that cannot exist sees payments, so everybody would see everything. `not_narrowed`: the
 * account is looked at, and still every one sees all. `refused`: an account that exists is refused. `heard`: it narrows what is answered.
 */
type Heard = 'heard' | 'ignored' | 'not_narrowed' | 'refused' | 'untold'

type Ground = { talk: Conversation; accounts: readonly string[]; all: number }

/** Judges by what accounts that exist were shown, once one that cannot exist was refused (`refusesNobody`) or shown nothing. */
function judgeCounts(counts: readonly number[], all: number, refusesNobody: boolean): Heard {
  if (counts.some((count) => count > 0 && count < all)) return 'heard'
  const whole = counts.filter((count) => count > 0).length
  // Two accounts cannot each have every payment there is.
  if (whole > 1) return 'not_narrowed'
  return whole === 1 || refusesNobody ? 'heard' : 'untold'
}

const isForbidden = (status: number): boolean => status === 401 || status === 403

async function judgeByOwn({ talk, accounts, all }: Ground, form: AccountForm, refusesNobody: boolean): Promise<Heard> {
  const counts: number[] = []
  for (const id of accounts.slice(0, mostAccounts)) {
    const own = await countIn(talk, form, id)
    if (own === null || ('refused' in own && isForbidden(own.refused))) return 'untold'
    if ('refused' in own) return 'refused'
    counts.push(own.payments)
    if (own.payments > 0 && own.payments < all) break
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

/** Lines for a form that does not fit, beside the one that was found to. */
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
  const taken = found.prefix === '' ? 'the service takes the bare UUID' : `the service takes ${found.prefix} and the UUID`
  return [
    sameHeader
      ? { label: header.label, verdict: 'fits', text: configured.header }
      : { ...header, verdict: 'does_not_fit', set: settingLines.header(found) },
    found.prefix === configured.prefix
      ? { ...prefix, verdict: 'fits' }
      : { ...prefix, verdict: 'does_not_fit', text: `${prefix.text}: ${taken}`, set: settingLines.prefix(found) },
  ]
}

const untold = (text: string): Finding[] =>
  ['Account header', 'Account prefix'].map((label) => ({ label, verdict: 'cannot_tell' as const, text }))

/**
 * Whether the account of a call is heard. A header the service ignores is the worst misconfiguration there is: nothing fails, and every account
 * sees what belongs to all. So an account that cannot exist has to be refused or shown nothing, and one that exists has to be shown a part.
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
