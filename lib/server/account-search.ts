import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { accountIds } from './account-choices'
import { accountLearnt, accountsLearnt, learnAccount } from './account-index'
import { readService } from './proxy/service-read'
import { accountsGranted, accountText, rolesIn, scopeOf } from './scoped-account'
import type { Actor } from './session-rows'

/** Lookups for one question, at most: each is a call on the rate limit everybody shares. */
const mostLookups = 4

/** How long a question that found nothing is not asked again (milliseconds), and how many such are remembered. */
const believedFor = 10 * 60_000
const keptAtMost = 2000

/** The reads that show an object whose account can be searched for. */
export const searchable = {
  payouts: 'payouts.get',
  charges: 'charges.get',
  customers: 'customers.get',
  paykeys: 'paykeys.get',
  funding_events: 'funding_events.get',
} as const

/** A resource of which an object's account can be searched for. */
export type Searchable = keyof typeof searchable

/** What a search for an object's account found; `complete` says whether every account the person may see was looked into. */
export type AccountFound = { account: string | null; searched: number; complete: boolean }

type Question = { actor: Actor; environment: Environment; kind: Searchable; id: string }

/** Where to look, the likeliest first; `lookups` says what finding that out has cost. */
type Candidates = { accounts: string[]; lookups: number }

type Related = {
  customer_id?: string | undefined
  customer_details?: { id: string } | undefined
  paykey_details?: { id: string } | undefined
}

/** The accounts of what an object names: a payment is in the account of its customer. */
async function relatedAccounts(environment: Environment, object: Related): Promise<string[]> {
  const customer = object.customer_id ?? object.customer_details?.id
  const targets = [
    ...(customer ? [`customers/${customer}`] : []),
    ...(object.paykey_details ? [`paykeys/${object.paykey_details.id}`] : []),
  ]
  return [...(await accountsLearnt(environment, targets)).values()]
}

/** Reads the object in a scope; null where it is not there. */
async function readIn({ actor, environment, kind, id }: Question, account: string | null): Promise<Related | null> {
  try {
    return (await readService(searchable[kind], { id }, scopeOf(actor, environment, account))).data as Related
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_not_found') return null
    throw error
  }
}

/**
 * The accounts of a person who is limited to some. For all others one lookup on the platform tells whether the object is there at all, and what is
 * known about its customer tells where it is most likely.
 */
async function candidatesFor(question: Question): Promise<Candidates> {
  const { actor, environment } = question
  const granted = accountsGranted(actor.grants, environment)
  if (granted) return { accounts: granted, lookups: 0 }
  const [object, all] = await Promise.all([readIn(question, null), accountIds(scopeOf(actor, environment, null))])
  if (!object) return { accounts: [], lookups: 1 }
  const related = (await relatedAccounts(environment, object)).filter((account) => all.includes(account))
  return { accounts: [...new Set([...related, ...all])], lookups: 1 }
}

class NotHere extends Error {}

/** The account that has the object; null where none has it. All are asked beside each other, and the first that has it is the answer. */
async function firstWith(question: Question, accounts: readonly string[]): Promise<string | null> {
  const lookups = accounts.map(async (account) => {
    if (await readIn(question, account)) return account
    throw new NotHere()
  })
  return Promise.any(lookups).catch((all: AggregateError) => {
    const failed: unknown = all.errors.find((error) => !(error instanceof NotHere))
    if (failed) throw failed
    return null
  })
}

async function search(question: Question): Promise<AccountFound> {
  const { environment, kind, id } = question
  const { accounts, lookups } = await candidatesFor(question)
  const asked = accounts.slice(0, mostLookups - lookups)
  const accountId = await firstWith(question, asked)
  if (accountId) await learnAccount(environment, `${kind}/${id}`, accountId)
  const account = accountId && accountText(accountId)
  return { account, searched: asked.length, complete: account !== null || asked.length === accounts.length }
}

type Kept = { at: number; found: Promise<AccountFound> }
const kept = new Map<string, Kept>()

/** One person's question, as long as their accounts are the same: another's quota must not answer it. */
const questionName = ({ actor, environment, kind, id }: Question) =>
  `${actor.id} ${environment} ${kind}/${id} ${accountsGranted(actor.grants, environment)?.join(' ') ?? 'platform'}`

function remembered(question: Question): Promise<AccountFound> {
  const name = questionName(question)
  const known = kept.get(name)
  if (known && performance.now() - known.at < believedFor) return known.found
  const found = search(question)
  const forget = () => kept.get(name)?.found === found && kept.delete(name)
  // What was found stands in the index, and what failed may be asked again.
  found.then(({ account }) => account && forget(), forget)
  kept.delete(name)
  kept.set(name, { at: performance.now(), found })
  const oldest = kept.size > keptAtMost ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  return found
}

/**
 * Which of the accounts a person may see has an object: known already, or by at most four lookups. Who asks again within ten minutes, or at the same
 * time, gets the same answer without another. Throws what a read throws.
 */
export async function findAccount(question: Question): Promise<AccountFound> {
  const { actor, environment, kind, id } = question
  const learnt = await accountLearnt(environment, `${kind}/${id}`)
  if (learnt && rolesIn(actor.grants, environment, learnt).length > 0) return { account: accountText(learnt), searched: 0, complete: true }
  return remembered(question)
}
