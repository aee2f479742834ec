import 'server-only'
import { notFound, redirect } from 'next/navigation'
import { AppError } from '@/lib/errors'
import { type Environment, environments } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { signInPath } from '@/lib/routes'
import { accountChoices } from './account-choices'
import { recordRefusal } from './audit/refusals'
import { configuredEnvironments, env } from './env'
import { accountsGranted, accountText, parseAccount, rolesIn, scopeOf } from './scoped-account'
import { currentActor } from './session'
import type { Actor } from './session-rows'

type Search = Record<string, string | string[] | undefined>

function namedAccount(search: Search): string | null {
  const given = search.account
  if (typeof given !== 'string' || given === '') return null
  try {
    return parseAccount(given)
  } catch {
    return notFound()
  }
}

/** A refusal that is on record before the page tells it. */
async function refused(actor: Actor, environment: Environment, detail: string, account: string | null = null): Promise<AppError> {
  const error = new AppError('forbidden', detail)
  await recordRefusal(error, { name: 'page.open', actor, environment, account })
  return error
}

/** The account that was named, unless the person has no role there. */
async function accountIn(
  actor: Actor,
  environment: Environment,
  named: string | null,
): Promise<{ account: string | null; denied: string | null }> {
  if (named === null || rolesIn(actor.grants, environment, named).length > 0) return { account: named, denied: null }
  return { account: null, denied: (await refused(actor, environment, 'You have no role in the account of this link.', named)).message }
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
  if (!mayEnter.includes(here)) throw await refused(actor, here, `You have no role in ${here}`)
  const limited = accountsGranted(actor.grants, here)
  const { account, denied } = await accountIn(actor, here, namedAccount(search))
  const needsAccount = account === null && limited !== null
  const scope = scopeOf(actor, here, account ?? limited?.[0] ?? null)
  return {
    environment: here,
    environments: mayEnter,
    account: account ? accountText(account) : null,
    needsAccount,
    isLimited: limited !== null,
    denied,
    ...(await accountChoices(actor, scope)),
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
