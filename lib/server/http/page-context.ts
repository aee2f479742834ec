import 'server-only'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import { type Environment, environments } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { signInPath } from '@/lib/routes'
import { recordRefusal } from '@/lib/server/audit/refusals'
import {
  formatAccountId,
  getAllRoles,
  getGrantedAccounts,
  getRolesIn,
  parseAccountId,
} from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env, getSsoName, listConfiguredEnvironments } from '@/lib/server/config/env'
import { getIntegration } from '@/lib/server/config/integration'
import { lookUpAccount } from '@/lib/server/mirror/object-accounts'
import {
  loadAccountChoices,
  loadAccountChoicesByIds,
  loadAccountChoicesIfFew,
} from './account-choices'

type SearchParams = Record<string, string | string[] | undefined>

function parseNamedAccount(given: SearchParams[string]): string | null {
  if (typeof given !== 'string' || given === '') return null
  try {
    return parseAccountId(given)
  } catch {
    return notFound()
  }
}

/** Returns the error, for the caller to throw. */
async function recordPageRefusal(
  actor: Actor,
  environment: Environment,
  detail: string,
  account: string | null = null,
): Promise<AppError> {
  const error = new AppError('forbidden', detail)
  await recordRefusal(error, { name: 'page.open', actor, environment, account })
  return error
}

/** `account` is a bare UUID. `denied` is the reason why the person may not use it. */
type AccountOrDenial = { account: string | null; denied: string | null }

/** If the person has no role in the account, audits that and returns the reason (`denied`). */
async function checkNamedAccount(
  actor: Actor,
  environment: Environment,
  accountId: string | null,
): Promise<AccountOrDenial> {
  if (accountId === null || getRolesIn(actor.grants, environment, accountId).length > 0)
    return { account: accountId, denied: null }
  return {
    account: null,
    denied: (
      await recordPageRefusal(
        actor,
        environment,
        'You have no role in the account of this link.',
        accountId,
      )
    ).message,
  }
}

const listGrantedEnvironments = (actor: Actor): Environment[] =>
  listConfiguredEnvironments().filter((name) =>
    actor.grants.some((grant) => grant.environment === name),
  )

/** Makes no call to the service. Null also if the person has no role in the account. */
async function findTargetAccount(
  actor: Actor,
  environment: Environment,
  target: string | null,
): Promise<string | null> {
  if (target === null) return null
  const [resource, id = ''] = target.split('/')
  const targetAccount = resource === 'accounts' ? id : await lookUpAccount(environment, target)
  return targetAccount && getRolesIn(actor.grants, environment, targetAccount).length > 0
    ? targetAccount
    : null
}

/**
 * Returns the account in the URL (`of`), otherwise the object's account if it is known, otherwise
 * the account that the person chose. A person with a role for the whole platform who chose no
 * account gets only the account in the URL.
 */
async function findPageAccount(
  actor: Actor,
  environment: Environment,
  scope: AccountOrDenial,
  pageSubject: PageAccountInput,
): Promise<AccountOrDenial> {
  const namedAccount = await checkNamedAccount(
    actor,
    environment,
    parseNamedAccount(pageSubject.of),
  )
  if (namedAccount.account !== null || namedAccount.denied !== null) return namedAccount
  const isLimitedToAccounts = getGrantedAccounts(actor.grants, environment) !== null
  if (scope.account === null && !isLimitedToAccounts) return scope
  return {
    account: (await findTargetAccount(actor, environment, pageSubject.target)) ?? scope.account,
    denied: null,
  }
}

/** `of` is the account that the URL names, not yet parsed. `target` is `<resource>/<id>`. */
type PageAccountInput = { of: SearchParams[string]; target: string | null }

/**
 * Without a session, redirects to sign-in and then back to `path`. Sets `denied` if the person has
 * no role in the account. Throws `forbidden` if they have none in the environment.
 */
export const loadPageContext = (
  environment: string,
  search: SearchParams,
  path: string,
): Promise<PageContext> => buildPageContext(environment, search, path, null)

/** The frame (the shell around all pages) belongs to no account. See `loadPageContext`. */
export async function loadShellContext(environment: string, path: string): Promise<PageContext> {
  const accountParam = new URL(path, 'http://desk').searchParams.get('account')
  return buildPageContext(environment, {}, path, null, { named: accountParam })
}

/**
 * A page about one account or object (`target`) reads and writes in that account. The account that
 * the person chose (`scope`) does not change. See `loadPageContext`.
 */
export const loadObjectPageContext = (
  environment: string,
  search: SearchParams,
  path: string,
  target: string | null = null,
): Promise<PageContext> => buildPageContext(environment, search, path, { of: search.of, target })

async function requireGrantedEnvironment(actor: Actor, name: string): Promise<Environment> {
  const validEnvironment = environments.find((each) => each === name)
  if (!validEnvironment || !listConfiguredEnvironments().includes(validEnvironment)) notFound()
  if (!listGrantedEnvironments(actor).includes(validEnvironment))
    throw await recordPageRefusal(
      actor,
      validEnvironment,
      `You have no role in ${validEnvironment}`,
    )
  return validEnvironment
}

/** Cached per request, so that the frame and the page inside it read the accounts only once. */
const loadCachedAccountsIfFew = cache(loadAccountChoicesIfFew)

type PageAccountChoices = Pick<PageContext, 'accounts' | 'accountsError' | 'hasAllAccounts'>

/** Returns all accounts if few, or if the person can choose one (`all`), else only `named`. */
async function readPageChoices(
  actor: Actor,
  environment: Environment,
  named: readonly (string | null)[] | 'all',
): Promise<PageAccountChoices> {
  const fewAccounts = await loadCachedAccountsIfFew(actor, environment)
  if (fewAccounts || named === 'all')
    return {
      ...(fewAccounts ?? (await loadAccountChoices(actor, { environment }))),
      hasAllAccounts: true,
    }
  return {
    accounts: await loadAccountChoicesByIds(actor, environment, named),
    accountsError: null,
    hasAllAccounts: false,
  }
}

/** Without any other account, returns the only one in which the person has roles. */
async function findContextAccount(
  actor: Actor,
  environment: Environment,
  scope: AccountOrDenial,
  pageSubject: PageAccountInput | null,
): Promise<AccountOrDenial> {
  const pageAccount = pageSubject
    ? await findPageAccount(actor, environment, scope, pageSubject)
    : scope
  const [onlyAccount = null, ...otherAccounts] = getGrantedAccounts(actor.grants, environment) ?? []
  return pageAccount.account === null && pageAccount.denied === null && otherAccounts.length === 0
    ? { account: onlyAccount, denied: null }
    : pageAccount
}

async function buildPageContext(
  environment: string,
  search: SearchParams,
  path: string,
  pageSubject: PageAccountInput | null,
  frame: { named: string | null } | null = null,
): Promise<PageContext> {
  const actor = await getCurrentActor()
  if (!actor) redirect(signInPath(path))
  const validEnvironment = await requireGrantedEnvironment(actor, environment)
  const grantedAccounts = getGrantedAccounts(actor.grants, validEnvironment)
  const checkedAccount = await checkNamedAccount(
    actor,
    validEnvironment,
    parseNamedAccount(search.account),
  )
  const { account, denied } =
    checkedAccount.denied === null
      ? await findContextAccount(actor, validEnvironment, checkedAccount, pageSubject)
      : checkedAccount
  const needsAccount = account === null && grantedAccounts !== null
  const shouldChooseAccount = frame === null && (needsAccount || denied !== null)
  const accountIds = frame
    ? [frame.named]
    : [
        checkedAccount.account,
        account,
        pageSubject && (await findTargetAccount(actor, validEnvironment, pageSubject.target)),
      ]
  return {
    environment: validEnvironment,
    environments: listGrantedEnvironments(actor),
    scope: formatAccountId(checkedAccount.account),
    account: formatAccountId(account),
    needsAccount,
    isLimited: grantedAccounts !== null,
    denied,
    ...(await readPageChoices(actor, validEnvironment, shouldChooseAccount ? 'all' : accountIds)),
    person: {
      id: actor.id,
      name: actor.name,
      email: actor.email,
      roles: needsAccount ? [] : getRolesIn(actor.grants, validEnvironment, account),
      platformRoles: getRolesIn(actor.grants, validEnvironment, null),
      allRoles: getAllRoles(actor.grants, validEnvironment),
    },
    amountUnit: env().amountUnit,
    integration: getIntegration(validEnvironment),
    embedded: env().embedded,
    sso: getSsoName(),
  }
}

export async function findFirstEnvironment(): Promise<Environment | null> {
  const actor = await getCurrentActor()
  return actor ? (listGrantedEnvironments(actor)[0] ?? null) : null
}
