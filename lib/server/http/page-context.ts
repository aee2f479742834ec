import 'server-only'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import { type Environment, environments } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { signInPath } from '@/lib/routes'
import { recordRefusal } from '@/lib/server/audit/refusals'
import { accountText, getGrantedAccounts, getRolesIn, parseAccount } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env, getSsoName, listConfiguredEnvironments } from '@/lib/server/config/env'
import { lookUpAccount } from '@/lib/server/mirror/object-accounts'
import { loadAccountChoices, loadFewChoices, loadNamedChoices } from './account-choices'

type SearchParams = Record<string, string | string[] | undefined>

function parseNamedAccount(given: SearchParams[string]): string | null {
  if (typeof given !== 'string' || given === '') return null
  try {
    return parseAccount(given)
  } catch {
    return notFound()
  }
}

/** Records a refusal in the audit log. Returns its error, for the caller to throw. */
async function recordPageRefusal(actor: Actor, environment: Environment, detail: string, account: string | null = null): Promise<AppError> {
  const error = new AppError('forbidden', detail)
  await recordRefusal(error, { name: 'page.open', actor, environment, account })
  return error
}

/** The account that a link names (a bare UUID), or the reason why the person may not use it. */
type NamedAccount = { account: string | null; denied: string | null }

const toAccountText = (account: string | null): string | null => (account ? accountText(account) : null)

/** Returns the named account. If the person has no role there, records the refusal and returns its reason. */
async function checkNamedAccount(actor: Actor, environment: Environment, named: string | null): Promise<NamedAccount> {
  if (named === null || getRolesIn(actor.grants, environment, named).length > 0) return { account: named, denied: null }
  return {
    account: null,
    denied: (await recordPageRefusal(actor, environment, 'You have no role in the account of this link.', named)).message,
  }
}

const listGrantedEnvironments = (actor: Actor): Environment[] =>
  listConfiguredEnvironments().filter((name) => actor.grants.some((grant) => grant.environment === name))

/** Returns the known account of an object. Null if it is unknown or the person has no role in it. */
async function findTargetAccount(actor: Actor, environment: Environment, target: string | null): Promise<string | null> {
  if (target === null) return null
  const [resource, id = ''] = target.split('/')
  const targetAccount = resource === 'accounts' ? id : await lookUpAccount(environment, target)
  return targetAccount && getRolesIn(actor.grants, environment, targetAccount).length > 0 ? targetAccount : null
}

/**
 * Returns the account of a page about one object: the account in its link (`of`), else the known account of the object, else the scope. A
 * person with a role for the whole platform who chose no account stays in the platform scope.
 */
async function findPageAccount(actor: Actor, environment: Environment, scope: NamedAccount, about: PageSubject): Promise<NamedAccount> {
  const named = await checkNamedAccount(actor, environment, parseNamedAccount(about.of))
  if (named.account !== null || named.denied !== null) return named
  const isLimited = getGrantedAccounts(actor.grants, environment) !== null
  if (scope.account === null && !isLimited) return scope
  return { account: (await findTargetAccount(actor, environment, about.target)) ?? scope.account, denied: null }
}

/** The subject of a page: the account in its link, not yet parsed, and its object (`<resource>/<id>`). */
type PageSubject = { of: SearchParams[string]; target: string | null }

/**
 * Returns the context of a page: person, environment and scope. Without a session, redirects to sign-in, which returns to `path`
 * afterwards. Calls `notFound` for an unknown environment or a malformed account. `denied` is set if the account was not granted. Throws
 * `forbidden` if the environment was not granted.
 */
export const loadPageContext = (environment: string, search: SearchParams, path: string): Promise<PageContext> =>
  buildPageContext(environment, search, path, null)

/** Returns the context of the frame around all pages, in no account. Its accounts include the one in `path`. See `loadPageContext`. */
export async function loadFrameContext(environment: string, path: string): Promise<PageContext> {
  const named = new URL(path, 'http://desk').searchParams.get('account')
  return buildPageContext(environment, {}, path, null, { named })
}

/**
 * Returns the context of a page about one account, or about one object (`target`, if the page has one). The page reads and writes in the
 * object's own account, while the scope stays as the person chose it. See `loadPageContext`.
 */
export const loadOwnPageContext = (
  environment: string,
  search: SearchParams,
  path: string,
  target: string | null = null,
): Promise<PageContext> => buildPageContext(environment, search, path, { of: search.of, target })

/** Returns the environment of a page. Calls `notFound` if it is unknown. Throws `forbidden`, audited, if it was not granted. */
async function requireGrantedEnvironment(actor: Actor, name: string): Promise<Environment> {
  const validEnvironment = environments.find((each) => each === name)
  if (!validEnvironment || !listConfiguredEnvironments().includes(validEnvironment)) notFound()
  if (!listGrantedEnvironments(actor).includes(validEnvironment))
    throw await recordPageRefusal(actor, validEnvironment, `You have no role in ${validEnvironment}`)
  return validEnvironment
}

/** Cached per request, so that the frame and its page share one result. */
const loadCachedFewChoices = cache(loadFewChoices)

type PageChoices = Pick<PageContext, 'accounts' | 'accountsError' | 'hasAllAccounts'>

/** Returns the accounts to send with a page: all if there are few or the page lets the person choose one, else the named (bare ids). */
async function readPageChoices(actor: Actor, environment: Environment, named: readonly (string | null)[] | 'all'): Promise<PageChoices> {
  const fewAccounts = await loadCachedFewChoices(actor, environment)
  if (fewAccounts || named === 'all')
    return { ...(fewAccounts ?? (await loadAccountChoices(actor, { environment }))), hasAllAccounts: true }
  return { accounts: await loadNamedChoices(actor, environment, named), accountsError: null, hasAllAccounts: false }
}

async function buildPageContext(
  environment: string,
  search: SearchParams,
  path: string,
  about: PageSubject | null,
  frame: { named: string | null } | null = null,
): Promise<PageContext> {
  const actor = await currentActor()
  if (!actor) redirect(signInPath(path))
  const validEnvironment = await requireGrantedEnvironment(actor, environment)
  const grantedAccounts = getGrantedAccounts(actor.grants, validEnvironment)
  const scope = await checkNamedAccount(actor, validEnvironment, parseNamedAccount(search.account))
  const { account, denied } = about && scope.denied === null ? await findPageAccount(actor, validEnvironment, scope, about) : scope
  const needsAccount = account === null && grantedAccounts !== null
  const shouldChooseAccount = frame === null && (needsAccount || denied !== null)
  const named = frame ? [frame.named] : [scope.account, account, about && (await findTargetAccount(actor, validEnvironment, about.target))]
  return {
    environment: validEnvironment,
    environments: listGrantedEnvironments(actor),
    scope: toAccountText(scope.account),
    account: toAccountText(account),
    needsAccount,
    isLimited: grantedAccounts !== null,
    denied,
    ...(await readPageChoices(actor, validEnvironment, shouldChooseAccount ? 'all' : named)),
    person: {
      id: actor.id,
      name: actor.name,
      email: actor.email,
      roles: needsAccount ? [] : getRolesIn(actor.grants, validEnvironment, account),
    },
    amountUnit: env().amountUnit,
    embedded: env().embedded,
    sso: getSsoName(),
  }
}

/** Returns the first environment in which the signed-in person has a role. Null if there is no session or no role. */
export async function findFirstEnvironment(): Promise<Environment | null> {
  const actor = await currentActor()
  return actor ? (listGrantedEnvironments(actor)[0] ?? null) : null
}
