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
 * Priority of a call to the service: a write and the reads it needs, a read that a person waits
 * for, or background work.
 */
export type CallPriority = 'write' | 'read' | 'background'

/**
 * Who calls the service: the person whose quota the call counts against (null if Paydesk itself
 * calls), and the priority of the call.
 */
export type Caller = { readonly person: string | null; readonly priority: CallPriority }

/**
 * The scope of a call to the service: one account, or the whole platform (`accountId: null`), with
 * its caller. Only this module creates scopes. It first checks the grants of the person, unless the
 * function that creates the scope says otherwise. The service client requires a scope. Therefore,
 * the account header never comes unchecked from a browser, and every call is counted.
 */
export type ScopedAccount = {
  readonly environment: Environment
  readonly accountId: string | null
  readonly roles: readonly Role[]
  readonly caller: Caller
} & { readonly [scopeBrand]: true }

/** Returns the UUID in `acct_<uuid>` or in a bare UUID; null for any other text. */
export function tryParseAccountId(text: string | null | undefined): string | null {
  const bareId = text?.toLowerCase().replace(/^acct_/, '') ?? ''
  return isUuid(bareId) ? bareId : null
}

/**
 * Parses `acct_<uuid>` or a bare UUID. Returns the bare UUID. Throws `invalid_input` for the field
 * `account`.
 */
export function parseAccountId(text: string): string {
  const bare = tryParseAccountId(text)
  if (bare) return bare
  throw createFieldError('account', 'Must be acct_ and a UUID.')
}

/** Returns an account id with the configured prefix, as the service's header requires it. */
export const toAccountHeaderValue = (accountId: string): string =>
  `${env().accountPrefix}${accountId}`

export const formatAccountId = (accountId: string): string => `acct_${accountId}`

/**
 * Returns the roles that the grants give in an environment, for an account or for the whole
 * platform (null). A grant for one account gives no role for the whole platform.
 */
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

/**
 * Returns the ids of the accounts to which the grants are limited in an environment; null if a
 * grant covers the whole platform.
 */
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

/**
 * Returns the scope of a person's request after checking the person's grants. Its calls count
 * against the person's quota. Throws `forbidden` if no grant covers the account; the error text
 * names what is missing.
 */
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
 * Returns a scope of the whole platform without checking grants. It is for commands, and for the
 * read that finds the account of an object before permissions can be checked. Do not use it for
 * anything else that a person requests.
 */
export const createPlatformScope = (environment: Environment, caller: Caller): ScopedAccount =>
  createUncheckedScope(environment, null, caller)

/**
 * Returns the scope for sending an action of the action log. Grants were checked when it was
 * stored, and every replay uses the same scope.
 */
export const createRecordedScope = (
  environment: Environment,
  accountId: string | null,
): ScopedAccount =>
  createUncheckedScope(environment, accountId, { person: null, priority: 'write' })

/**
 * Returns a scope for reads of the mirror (the local copy of the service's records). Checks no
 * grants: never use it for a person's request.
 */
export const createMirrorScope = (
  environment: Environment,
  accountId: string | null,
): ScopedAccount =>
  createUncheckedScope(environment, accountId, { person: null, priority: 'background' })

/**
 * Returns the same scope for background work: its calls count against no person's quota, and calls
 * for people have priority over them.
 */
export const toBackgroundScope = (scope: ScopedAccount): ScopedAccount => ({
  ...scope,
  caller: { person: null, priority: 'background' },
})

/**
 * Returns the same scope for a read whose response several people share. The read counts against no
 * person's quota: otherwise, the others could get an error about that quota.
 */
export const toSharedScope = (scope: ScopedAccount): ScopedAccount => ({
  ...scope,
  caller: { ...scope.caller, person: null },
})

/**
 * Throws `forbidden` if no role of the scope allows the operation. The error text names the roles
 * that do.
 */
export function requireRole(scope: ScopedAccount, operation: OperationId): void {
  const why = whyNotAllowed(scope.roles, definitionOf(operation))
  if (why) throw new AppError('forbidden', why)
}
