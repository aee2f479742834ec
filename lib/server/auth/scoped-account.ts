import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError, createFieldError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import type { Environment, Role } from '@/lib/operations/define'
import { getOperation as definitionOf, type OperationId } from '@/lib/operations/operations'
import { env } from '@/lib/server/config/env'
import type { Grant } from './people'
import type { Actor } from './session-rows'

declare const scopeBrand: unique symbol

/**
 * Urgency of a call: `write` includes the reads that a write needs. `read` is a read for which a
 * person waits. `background` is work of Paydesk itself, such as the sync.
 */
export type CallPriority = 'write' | 'read' | 'background'

/** `person` is the one whose quota the call counts against; null if Paydesk itself calls. */
export type Caller = { readonly person: string | null; readonly priority: CallPriority }

/**
 * The scope of a call to the service: one account, or the whole platform (`accountId: null`). Only
 * this module creates scopes. It first checks the grants of the person, unless the function that
 * creates the scope says otherwise. The service client requires a scope. Therefore, the account
 * header never comes unchecked from a browser, and every call is counted.
 */
export type ScopedAccount = {
  readonly environment: Environment
  readonly accountId: string | null
  readonly roles: readonly Role[]
  readonly caller: Caller
} & { readonly [scopeBrand]: true }

/** Accepts `acct_<uuid>` and a bare UUID, and returns the bare UUID. */
export function tryParseAccountId(text: string | null | undefined): string | null {
  const bareId = text?.toLowerCase().replace(/^acct_/, '') ?? ''
  return isUuid(bareId) ? bareId : null
}

/** Returns the bare UUID. Throws `invalid_input` for the field `account`. */
export function parseAccountId(text: string): string {
  const bareAccountId = tryParseAccountId(text)
  if (bareAccountId) return bareAccountId
  throw createFieldError('account', 'Must be acct_ and a UUID.')
}

/** The service's header requires the configured prefix. */
export const toAccountHeaderValue = (accountId: string): string =>
  `${env().accountPrefix}${accountId}`

export function formatAccountId(accountId: string): string
export function formatAccountId(accountId: string | null): string | null
export function formatAccountId(accountId: string | null): string | null {
  return accountId === null ? null : `acct_${accountId}`
}

/** A grant for one account gives no role for the whole platform (null). */
export function getRolesIn(
  grants: readonly Grant[],
  environment: Environment,
  accountId: string | null,
): Role[] {
  const matchingGrants = grants.filter(
    (grant) =>
      grant.environment === environment &&
      (grant.accountId === null || grant.accountId === accountId),
  )
  return [...new Set(matchingGrants.map((grant) => grant.role))]
}

/** The roles in any account of the environment, and for its whole platform. */
export const getAllRoles = (grants: readonly Grant[], environment: Environment): Role[] => [
  ...new Set(grants.flatMap((grant) => (grant.environment === environment ? [grant.role] : []))),
]

/** Null if a grant covers the whole platform. */
export function getGrantedAccounts(
  grants: readonly Grant[],
  environment: Environment,
): string[] | null {
  const environmentGrants = grants.filter((grant) => grant.environment === environment)
  if (environmentGrants.some((grant) => grant.accountId === null)) return null
  return [
    ...new Set(environmentGrants.flatMap((grant) => (grant.accountId ? [grant.accountId] : []))),
  ]
}

/** Throws `forbidden` if no grant covers the account. Calls count against the quota of `actor`. */
export function requireScope(
  actor: Pick<Actor, 'id' | 'grants'>,
  environment: Environment,
  accountId: string | null,
  priority: CallPriority = 'read',
): ScopedAccount {
  const roles = getRolesIn(actor.grants, environment, accountId)
  if (roles.length === 0) {
    const scopeText = accountId ? 'this account' : 'the whole platform; choose one of your accounts'
    throw new AppError('forbidden', `You have no role in ${environment} for ${scopeText}`)
  }
  return {
    environment,
    accountId,
    roles,
    caller: { person: actor.id, priority },
  } as unknown as ScopedAccount
}

const createUncheckedScope = (
  environment: Environment,
  accountId: string | null,
  caller: Caller,
): ScopedAccount => ({ environment, accountId, roles: [], caller }) as unknown as ScopedAccount

/**
 * Checks no grants. It is for commands, and for the read that finds the account of an object before
 * permissions can be checked. Do not use it for anything else that a person requests.
 */
export const createPlatformScope = (environment: Environment, caller: Caller): ScopedAccount =>
  createUncheckedScope(environment, null, caller)

/**
 * Returns the scope in which a stored action is sent. It checks no grants: they were checked when
 * the action was stored, and every replay uses the same scope.
 */
export const createRecordedScope = (
  environment: Environment,
  accountId: string | null,
): ScopedAccount =>
  createUncheckedScope(environment, accountId, { person: null, priority: 'write' })

/**
 * Returns the scope for keeping the mirror (our copy of the service's records) in sync. It checks
 * no grants, so never use it for a person's request.
 */
export const createMirrorScope = (
  environment: Environment,
  accountId: string | null,
): ScopedAccount =>
  createUncheckedScope(environment, accountId, { person: null, priority: 'background' })

/** The calls count against no person's quota, and calls for people have priority over them. */
export const toBackgroundScope = (scope: ScopedAccount): ScopedAccount => ({
  ...scope,
  caller: { person: null, priority: 'background' },
})

/**
 * For a read whose response several people share. The read counts against no person's quota:
 * otherwise, all of them would get an error when one person's quota is used up.
 */
export const toScopeWithoutPerson = (scope: ScopedAccount): ScopedAccount => ({
  ...scope,
  caller: { ...scope.caller, person: null },
})

/** Throws `forbidden` with the roles that are allowed. */
export function requireRole(scope: ScopedAccount, operation: OperationId): void {
  const whyForbidden = whyNotAllowed(scope.roles, definitionOf(operation))
  if (whyForbidden) throw new AppError('forbidden', whyForbidden)
}
