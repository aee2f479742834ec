import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import type { Environment, Role } from '@/lib/operations/define'
import { operation as definitionOf, type OperationId } from '@/lib/operations/operations'
import { env } from '@/lib/server/config/env'
import type { Grant } from './people'
import type { Actor } from './session-rows'

declare const scopeBrand: unique symbol

/** Priority of a call to the service: a write and the reads it needs, a read that a person waits for, or background work. */
export type CallPriority = 'write' | 'read' | 'background'

/** The person for whom a call is made, and its priority. A person's calls count against their quota. null: Paydesk calls for itself. */
export type Caller = { readonly person: string | null; readonly priority: CallPriority }

/**
 * A scope that was checked against the actor's grants: one account, or the whole platform (`accountId: null`), with its caller. Only this
 * module creates scopes, and the service client requires one. So an account header never comes from a browser, and every call is counted.
 */
export type ScopedAccount = {
  readonly environment: Environment
  readonly accountId: string | null
  readonly roles: readonly Role[]
  readonly caller: Caller
} & { readonly [scopeBrand]: true }

/** Returns the bare account id in a text, or null. Unlike `parseAccount`, it never throws. */
export function tryParseAccount(text: string | null | undefined): string | null {
  const bareId = text?.toLowerCase().replace(/^acct_/, '') ?? ''
  return isUuid(bareId) ? bareId : null
}

/** Parses `acct_<uuid>` or a bare UUID. Returns the bare UUID. Throws `invalid_input` for the field `account`. */
export function parseAccount(text: string): string {
  const bare = tryParseAccount(text)
  if (bare) return bare
  const detail = 'must be acct_ and a UUID'
  throw new AppError('invalid_input', `account: ${detail}`, { items: [{ reference: 'account', detail }] })
}

/** Returns an account id with the configured prefix, as the service's header requires it. */
export const toAccountHeaderValue = (accountId: string): string => `${env().accountPrefix}${accountId}`

export const accountText = (accountId: string): string => `acct_${accountId}`

/**
 * Returns the roles that grants give in an environment, for an account or (null) the whole platform. A grant for one account does not apply
 * to the whole platform.
 */
export function getRolesIn(grants: readonly Grant[], environment: Environment, accountId: string | null): Role[] {
  const matchingGrants = grants.filter(
    (grant) => grant.environment === environment && (grant.accountId === null || grant.accountId === accountId),
  )
  return [...new Set(matchingGrants.map((grant) => grant.role))]
}

/** Returns the accounts to which a person is limited, or null if a grant covers the whole platform. */
export function getGrantedAccounts(grants: readonly Grant[], environment: Environment): string[] | null {
  const environmentGrants = grants.filter((grant) => grant.environment === environment)
  if (environmentGrants.some((grant) => grant.accountId === null)) return null
  return [...new Set(environmentGrants.flatMap((grant) => (grant.accountId ? [grant.accountId] : [])))]
}

/**
 * Returns the scope of a request after checking the actor's grants. By default its calls are reads of that person. Throws `forbidden` if no
 * grant covers the account; the text names what is missing.
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
  return { environment, accountId, roles, caller: { person: actor.id, priority } } as unknown as ScopedAccount
}

const createUncheckedScope = (environment: Environment, accountId: string | null, caller: Caller): ScopedAccount =>
  ({ environment, accountId, roles: [], caller }) as unknown as ScopedAccount

/**
 * Returns an unchecked scope: for a command, or for the read that finds an object's account before permissions can be checked. Never use it
 * for a person's own request.
 */
export const createPlatformScope = (environment: Environment, caller: Caller): ScopedAccount =>
  createUncheckedScope(environment, null, caller)

/** Returns the scope of a recorded action. It was checked when the action was recorded, and a replay must use the same scope. */
export const createRecordedScope = (environment: Environment, accountId: string | null): ScopedAccount =>
  createUncheckedScope(environment, accountId, { person: null, priority: 'write' })

/** Returns the scope of the mirror's own reads, without a permission check. Never use it for a person's own request. */
export const createMirrorScope = (environment: Environment, accountId: string | null): ScopedAccount =>
  createUncheckedScope(environment, accountId, { person: null, priority: 'background' })

/** Returns the scope for background work: its calls count against no quota, and calls for people go first. */
export const toBackgroundScope = (scope: ScopedAccount): ScopedAccount => ({ ...scope, caller: { person: null, priority: 'background' } })

/** Returns the scope for a read whose response is shared. It counts against no person's quota, so no error about one is shared. */
export const toSharedScope = (scope: ScopedAccount): ScopedAccount => ({ ...scope, caller: { ...scope.caller, person: null } })

/** Throws `forbidden`, with the roles that are allowed, if the scope has no role for the operation. */
export function requireRole(scope: ScopedAccount, operation: OperationId): void {
  const why = whyNotAllowed(scope.roles, definitionOf(operation))
  if (why) throw new AppError('forbidden', why)
}
