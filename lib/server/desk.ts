import 'server-only'
import { notFound, redirect } from 'next/navigation'
import { AppError, type WireError } from '@/lib/errors'
import { type Environment, environments } from '@/lib/operations/define'
import type { AccountChoice, Desk } from '@/lib/operations/desk'
import { signInPath } from '@/lib/routes'
import { configuredEnvironments, env } from './env'
import { readService } from './proxy/service-read'
import { accountsGranted, accountText, parseAccount, rolesIn, type ScopedAccount, scopeOf } from './scoped-account'
import { currentActor } from './session'
import type { Actor } from './session-rows'

type Search = Record<string, string | string[] | undefined>

/** Accounts change rarely and every page shows them; the list is asked for at most every ten seconds per environment. */
const choicesKept = 10_000
const kept = new Map<Environment, { at: number; accounts: Promise<AccountChoice[]> }>()

async function readChoices(scope: ScopedAccount): Promise<AccountChoice[]> {
  const { data } = await readService('accounts.list', { page_size: 1000 }, scope)
  return data
    .map((account) => ({ id: accountText(account.id), name: account.business_profile?.name ?? account.id, status: account.status }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

async function choicesFor(actor: Actor, scope: ScopedAccount): Promise<{ accounts: AccountChoice[]; accountsError: WireError | null }> {
  const known = kept.get(scope.environment)
  const fresh = known && performance.now() - known.at < choicesKept ? known : { at: performance.now(), accounts: readChoices(scope) }
  kept.set(scope.environment, fresh)
  try {
    const granted = accountsGranted(actor.grants, scope.environment)
    const all = await fresh.accounts
    return { accounts: granted ? all.filter((account) => granted.includes(parseAccount(account.id))) : all, accountsError: null }
  } catch (error) {
    kept.delete(scope.environment)
    const known = error instanceof AppError ? error : new AppError('service_failed', 'The accounts could not be read')
    return { accounts: [], accountsError: known.toWire() }
  }
}

function namedAccount(search: Search): string | null {
  const given = search.account
  if (typeof given !== 'string' || given === '') return null
  try {
    return parseAccount(given)
  } catch {
    return notFound()
  }
}

/** The account that was named, unless the person has no role there. */
function accountIn(actor: Actor, environment: Environment, named: string | null): { account: string | null; denied: string | null } {
  if (named === null || rolesIn(actor.grants, environment, named).length > 0) return { account: named, denied: null }
  return { account: null, denied: 'You have no role in the account of this link.' }
}

const grantedEnvironments = (actor: Actor): Environment[] =>
  configuredEnvironments().filter((name) => actor.grants.some((grant) => grant.environment === name))

/**
 * Opens the desk for a page: who, where, in which scope. Goes to sign-in (and back afterwards) when nobody is signed in; an unknown
 * environment or malformed account is not found. An account that was not granted is told in `denied`. Throws `forbidden` for an environment
 * that was not granted.
 */
export async function openDesk(environment: string, search: Search, path: string): Promise<Desk> {
  const actor = await currentActor()
  if (!actor) redirect(signInPath(path))
  const here = environments.find((name) => name === environment)
  if (!here || !configuredEnvironments().includes(here)) notFound()
  const mayEnter = grantedEnvironments(actor)
  if (!mayEnter.includes(here)) throw new AppError('forbidden', `You have no role in ${here}`)
  const limited = accountsGranted(actor.grants, here)
  const { account, denied } = accountIn(actor, here, namedAccount(search))
  const needsAccount = account === null && limited !== null
  const scope = scopeOf(actor.grants, here, account ?? limited?.[0] ?? null)
  return {
    environment: here,
    environments: mayEnter,
    account: account ? accountText(account) : null,
    needsAccount,
    denied,
    ...(await choicesFor(actor, scope)),
    person: { id: actor.id, name: actor.name, email: actor.email, roles: needsAccount ? [] : rolesIn(actor.grants, here, account) },
    amountUnit: env().amountUnit,
    embedded: env().embedded,
  }
}

/** The first environment a signed-in person may enter, for the way in; null when nobody is signed in or nothing is granted. */
export async function firstEnvironment(): Promise<Environment | null> {
  const actor = await currentActor()
  return actor ? (grantedEnvironments(actor)[0] ?? null) : null
}
