import 'server-only'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import { type Environment, environments } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { signInPath } from '@/lib/routes'
import { recordRefusal } from '@/lib/server/audit/refusals'
import { accountsGranted, accountText, parseAccount, rolesIn } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { configuredEnvironments, env, ssoName } from '@/lib/server/config/env'
import { accountOf } from '@/lib/server/mirror/account-of'
import { accountChoices, choicesAmong, fewChoices } from './account-choices'

type Search = Record<string, string | string[] | undefined>

function namedAccount(given: Search[string]): string | null {
  if (typeof given !== 'string' || given === '') return null
  try {
    return parseAccount(given)
  } catch {
    return notFound()
  }
}

/** Records a refusal in the audit log and returns its error. */
async function refused(actor: Actor, environment: Environment, detail: string, account: string | null = null): Promise<AppError> {
  const error = new AppError('forbidden', detail)
  await recordRefusal(error, { name: 'page.open', actor, environment, account })
  return error
}

/** The account of a link (a bare UUID), or the reason why the person may not use it. */
type Named = { account: string | null; denied: string | null }

const textOf = (account: string | null): string | null => (account ? accountText(account) : null)

/** Returns the named account, or a recorded refusal if the person has no role there. */
async function accountIn(actor: Actor, environment: Environment, named: string | null): Promise<Named> {
  if (named === null || rolesIn(actor.grants, environment, named).length > 0) return { account: named, denied: null }
  return { account: null, denied: (await refused(actor, environment, 'You have no role in the account of this link.', named)).message }
}

const grantedEnvironments = (actor: Actor): Environment[] =>
  configuredEnvironments().filter((name) => actor.grants.some((grant) => grant.environment === name))

/** Returns the account of an object whose link does not name it. Null if it is unknown or the person has no role in it. */
async function accountOfTarget(actor: Actor, environment: Environment, target: string | null): Promise<string | null> {
  if (target === null) return null
  const [resource, id = ''] = target.split('/')
  const targetAccount = resource === 'accounts' ? id : await accountOf(environment, target)
  return targetAccount && rolesIn(actor.grants, environment, targetAccount).length > 0 ? targetAccount : null
}

/**
 * Returns the account of a page about one object: the account in its link (`of`), else the known account of the object, else the scope. A
 * person with a platform-wide role and no chosen account stays in the platform scope.
 */
async function ownAccount(actor: Actor, environment: Environment, scope: Named, about: About): Promise<Named> {
  const named = await accountIn(actor, environment, namedAccount(about.of))
  if (named.account !== null || named.denied !== null) return named
  const limited = accountsGranted(actor.grants, environment) !== null
  if (scope.account === null && !limited) return scope
  return { account: (await accountOfTarget(actor, environment, about.target)) ?? scope.account, denied: null }
}

/** The subject of a page besides the scope: the unparsed account of its link, and the object (`<resource>/<id>`). */
type About = { of: Search[string]; target: string | null }

/**
 * Loads the context of a page: person, environment and scope. Redirects to sign-in (and back afterwards) if there is no session. Calls
 * `notFound` for an unknown environment or a malformed account. `denied` is set for an account that was not granted. Throws `forbidden` for
 * an environment that was not granted.
 */
export const loadPageContext = (environment: string, search: Search, path: string): Promise<PageContext> =>
  pageContextFor(environment, search, path, null)

/**
 * Loads the context of the frame around all pages (see `loadPageContext`), outside any account. It only adds the account named in `path`.
 */
export async function loadFrameContext(environment: string, path: string): Promise<PageContext> {
  const named = new URL(path, 'http://desk').searchParams.get('account')
  return pageContextFor(environment, {}, path, null, { named })
}

/**
 * Loads the context of a page about one account, or about one object (`target`, if it has an id). The page reads and writes in the object's
 * own account, and the scope stays as the person chose it. See `loadPageContext` for the rest.
 */
export const loadOwnPageContext = (environment: string, search: Search, path: string, target: string | null = null): Promise<PageContext> =>
  pageContextFor(environment, search, path, { of: search.of, target })

/** Returns the environment of a page. Calls `notFound` if it is unknown, and throws a recorded `forbidden` if it was not granted. */
async function entered(actor: Actor, name: string): Promise<Environment> {
  const validEnvironment = environments.find((each) => each === name)
  if (!validEnvironment || !configuredEnvironments().includes(validEnvironment)) notFound()
  if (!grantedEnvironments(actor).includes(validEnvironment))
    throw await refused(actor, validEnvironment, `You have no role in ${validEnvironment}`)
  return validEnvironment
}

/** Cached per request: the frame and its page share one result. */
const fewChoicesOf = cache(fewChoices)

type Choices = Pick<PageContext, 'accounts' | 'accountsError' | 'hasAllAccounts'>

/** Returns the accounts to send with a page: all if they are few or the page lets the person choose one, else the named ones (bare ids). */
async function choicesOf(actor: Actor, environment: Environment, named: readonly (string | null)[] | 'all'): Promise<Choices> {
  const few = await fewChoicesOf(actor, environment)
  if (few || named === 'all') return { ...(few ?? (await accountChoices(actor, { environment }))), hasAllAccounts: true }
  return { accounts: await choicesAmong(actor, environment, named), accountsError: null, hasAllAccounts: false }
}

async function pageContextFor(
  environment: string,
  search: Search,
  path: string,
  about: About | null,
  frame: { named: string | null } | null = null,
): Promise<PageContext> {
  const actor = await currentActor()
  if (!actor) redirect(signInPath(path))
  const validEnvironment = await entered(actor, environment)
  const limited = accountsGranted(actor.grants, validEnvironment)
  const scope = await accountIn(actor, validEnvironment, namedAccount(search.account))
  const { account, denied } = about && scope.denied === null ? await ownAccount(actor, validEnvironment, scope, about) : scope
  const needsAccount = account === null && limited !== null
  const isToChoose = frame === null && (needsAccount || denied !== null)
  const named = frame ? [frame.named] : [scope.account, account, about && (await accountOfTarget(actor, validEnvironment, about.target))]
  return {
    environment: validEnvironment,
    environments: grantedEnvironments(actor),
    scope: textOf(scope.account),
    account: textOf(account),
    needsAccount,
    isLimited: limited !== null,
    denied,
    ...(await choicesOf(actor, validEnvironment, isToChoose ? 'all' : named)),
    person: {
      id: actor.id,
      name: actor.name,
      email: actor.email,
      roles: needsAccount ? [] : rolesIn(actor.grants, validEnvironment, account),
    },
    amountUnit: env().amountUnit,
    embedded: env().embedded,
    sso: ssoName(),
  }
}

/** Returns the first environment granted to the signed-in person. Null if there is no session or no grant. */
export async function firstEnvironment(): Promise<Environment | null> {
  const actor = await currentActor()
  return actor ? (grantedEnvironments(actor)[0] ?? null) : null
}
