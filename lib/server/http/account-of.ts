import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { FoundAccount, SearchableResource } from '@/lib/operations/desk.schema'
import type { PageContext } from '@/lib/operations/page-context'
import { accountsGranted, accountText, rolesIn, scopeOf } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { accountOf, accountsOf, indexAccount } from '@/lib/server/mirror/account-index'
import { readService } from '@/lib/server/service/service-read'
import { accountIds } from './account-choices'
import type { Runs } from './desk-call'

/** Lookups for one question, at most: each is a call on the rate limit everybody shares. */
const mostLookups = 4

/** How long a question that found nothing is not asked again (milliseconds), and how many such are remembered. */
const believedFor = 10 * 60_000
const keptAtMost = 2000

type Question = { actor: Actor; environment: Environment; kind: SearchableResource; id: string }

/** Where to look, the likeliest first; `lookups` says what finding that out has cost. */
type Candidates = { accounts: string[]; lookups: number }

type Related = {
  customer_id?: string | undefined
  customer_details?: { id?: string | undefined } | undefined
  paykey_details?: { id?: string | undefined } | undefined
}

/** The accounts of what an object names: a payment is in the account of its customer. */
async function relatedAccounts(environment: Environment, object: Related): Promise<string[]> {
  const customer = object.customer_id ?? object.customer_details?.id
  const paykey = object.paykey_details?.id
  const targets = [...(customer ? [`customers/${customer}`] : []), ...(paykey ? [`paykeys/${paykey}`] : [])]
  return [...(await accountsOf(environment, targets)).values()]
}

/** Reads the object in a scope; null where it is not there. */
async function readIn({ actor, environment, kind, id }: Question, account: string | null): Promise<Related | null> {
  try {
    return (await readService(`${kind}.get`, { id }, scopeOf(actor, environment, account))).data as Related
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

/** How far a search is: the accounts where the object may be, how many of them were asked, and the one that has it. */
type Search = { accounts: readonly string[]; searched: number; account: string | null }

async function lookFurther(question: Question, { accounts, searched }: Search, lookups: number): Promise<Search> {
  const asked = accounts.slice(searched, searched + lookups)
  const account = await firstWith(question, asked)
  if (account) await indexAccount(question.environment, `${question.kind}/${question.id}`, account)
  return { accounts, searched: searched + asked.length, account }
}

async function begin(question: Question): Promise<Search> {
  const { accounts, lookups } = await candidatesFor(question)
  return lookFurther(question, { accounts, searched: 0, account: null }, mostLookups - lookups)
}

type Kept = { at: number; search: Promise<Search> }
const kept = new Map<string, Kept>()

/** One person's question, as long as their accounts are the same: another's quota must not answer it. */
const questionName = ({ actor, environment, kind, id }: Question) =>
  `${actor.id} ${environment} ${kind}/${id} ${accountsGranted(actor.grants, environment)?.join(' ') ?? 'platform'}`

/** The search of a question as far as it is, and further where it is no further than who asks knows. */
function remembered(question: Question, known: number): Promise<Search> {
  const name = questionName(question)
  const before = kept.get(name)
  const isBelieved = before !== undefined && performance.now() - before.at < believedFor
  // One after the other: who asks at the same time, knowing as much, gets the same step.
  const search = isBelieved
    ? before.search.then((state) => {
        const goesOn = known > 0 && known === state.searched && known < state.accounts.length && state.account === null
        return goesOn ? lookFurther(question, state, mostLookups) : state
      })
    : begin(question)
  const forget = () => kept.get(name)?.search === search && kept.delete(name)
  // What was found is in the index, and what failed may be asked again.
  search.then(({ account }) => account && forget(), forget)
  kept.delete(name)
  kept.set(name, { at: isBelieved ? before.at : performance.now(), search })
  const oldest = kept.size > keptAtMost ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  return search
}

/**
 * Which of the accounts a person may see has an object: known already, or by at most four lookups. Who asks again within ten minutes, or at the same
 * time, gets the same answer without another; who names how many accounts that answer had `searched` has the next four asked. Throws what a read throws.
 */
async function findAccount(question: Question, searched = 0): Promise<FoundAccount> {
  const { actor, environment, kind, id } = question
  const indexed = await accountOf(environment, `${kind}/${id}`)
  if (indexed && rolesIn(actor.grants, environment, indexed).length > 0)
    return { account: accountText(indexed), searched: 0, complete: true }
  const state = await remembered(question, searched)
  const account = state.account && accountText(state.account)
  return { account, searched: state.searched, complete: account !== null || state.searched === state.accounts.length }
}

/** The account of an object as far as it is indexed and the person may know it, without asking the service. */
export async function knownAccountOf({ environment }: PageContext, target: string): Promise<string | null> {
  const [accountId, actor] = await Promise.all([accountOf(environment, target), currentActor()])
  const mayKnow = accountId !== null && actor !== null && rolesIn(actor.grants, environment, accountId).length > 0
  return mayKnow ? accountText(accountId) : null
}

/**
 * Which account an object belongs to, by asking in the likeliest of the accounts the person may see. The service's objects do not say it themselves, and
 * whoever holds a role may read those that can be searched for.
 */
export const accountOfRuns: Runs<'account_of.find'> = {
  'account_of.find': async ({ actor, environment, input: { resource, id, searched } }) => ({
    data: await findAccount({ actor, environment, kind: resource, id }, searched),
  }),
}
