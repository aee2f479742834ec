import 'server-only'
import { formatRoles, whyNotAllowed } from '@/lib/domain/permissions'
import { AppError, createFieldError } from '@/lib/errors'
import type { DeskOperation, Environment } from '@/lib/operations/define'
import { type DeskOperationId, deskOperations } from '@/lib/operations/desk-operations'
import {
  getOperation as definitionOf,
  isDeskOperation,
  type OperationId,
} from '@/lib/operations/operations'
import {
  getAccountHeaderRule,
  getServiceOperation,
  isOperationOf,
} from '@/lib/operations/service-operations'
import { recordRefusal, toRefusalCode } from '@/lib/server/audit/refusals'
import {
  formatAccountId,
  getRolesIn,
  parseAccountId,
  requireRole,
  requireScope,
  type ScopedAccount,
  tryParseAccountId,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import { lookUpAccount } from '@/lib/server/mirror/object-accounts'
import {
  type AccessRequest,
  findAccountWithoutHeader,
  listGrantedAccounts,
  parseRequestedAccount,
} from './find-account'
import { readTargetInScope, toCallPriority } from './target'

/**
 * Returns the scope in which the person may run the operation; null for an operation of Paydesk
 * itself that is not about one account. Throws `forbidden` or `invalid_input`.
 */
export async function authorizeOperation(
  actor: Actor,
  access: AccessRequest<OperationId>,
): Promise<ScopedAccount | null> {
  const { operation } = access
  return isDeskOperation(operation)
    ? requireDeskScope(actor, access, operation)
    : authorizeCall(actor, { ...access, operation })
}

/** Throws the same errors as `authorizeOperation`. Audits a refusal first. */
export const authorizeCall = (actor: Actor, access: AccessRequest): Promise<ScopedAccount> =>
  auditRefusals(actor, access, () => findCallScope(actor, access))

type AuditedAccessRequest = Omit<AccessRequest, 'account' | 'fields'> & { account?: string | null }

/** Writes an audit row for a refusal. Rethrows every error. */
export async function auditRefusals<T>(
  actor: Actor,
  access: AuditedAccessRequest,
  check: () => Promise<T> | T,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!toRefusalCode(error)) throw error
    const { environment, operation, target } = access
    const auditedAccount =
      tryParseAccountId(access.account) ??
      (target && (await lookUpAccount(environment, target).catch(() => null)))
    await recordRefusal(error, {
      name: operation,
      actor,
      environment,
      target,
      account: auditedAccount,
    })
    throw error
  }
}

const listEnvironmentGrants = (actor: Actor, environment: Environment) =>
  actor.grants.filter((grant) => grant.environment === environment)

/**
 * Requires a role that the operation allows: in the account, for the whole platform, or in any
 * account. Returns null if the operation is not about one account. Throws `forbidden`.
 */
export function requireDeskScope(
  actor: Actor,
  { environment, account }: Pick<AccessRequest, 'environment' | 'account'>,
  id: DeskOperationId,
): ScopedAccount | null {
  const { scope: scopeKind, allow, verbPhrase }: DeskOperation = deskOperations[id]
  const environmentRoles = listEnvironmentGrants(actor, environment).map(({ role }) => role)
  if (environmentRoles.length === 0)
    throw new AppError('forbidden', `You have no role in ${environment}`)
  if (scopeKind === 'object') return null
  if (scopeKind === 'account') return requireDeskAccount(actor, { environment, account }, id)
  const actorRoles =
    scopeKind === 'platform' ? getRolesIn(actor.grants, environment, null) : environmentRoles
  if (allow.some((role) => actorRoles.includes(role))) return null
  throw new AppError(
    'forbidden',
    `Only ${formatRoles(allow)}${scopeKind === 'platform' ? ' of the whole platform' : ''} can ${verbPhrase}.`,
  )
}

function requireDeskAccount(
  actor: Actor,
  { environment, account }: Pick<AccessRequest, 'environment' | 'account'>,
  id: DeskOperationId,
) {
  const scope = requireScope(actor, environment, account ? parseAccountId(account) : null)
  requireRole(scope, id)
  if (scope.accountId) return scope
  throw createFieldError('account', 'Name the account this is about.')
}

/**
 * Returns the scope in which the person may run the operation. Whether it needs an account depends
 * on the operation's rule for the account header. No object is read if `target` is null.
 */
export async function findCallScope(actor: Actor, access: AccessRequest): Promise<ScopedAccount> {
  const { only, verbPhrase } = getServiceOperation(access.operation)
  if (!isOperationOf(access.operation, getIntegration(access.environment)))
    throw new AppError('forbidden', `A direct account has no platform that could ${verbPhrase}`)
  if (only && only !== access.environment)
    throw new AppError('forbidden', `It is possible only in the ${only} to ${verbPhrase}`)
  const headerRule = getAccountHeaderRule(access.operation, getIntegration(access.environment))
  if (headerRule === 'forbidden') return findScopeWithoutHeader(actor, access)
  const priority = toCallPriority(access.operation)
  const namedAccount = parseRequestedAccount(access)
  // Check the roles first, in the widest scope that the request can have. A person who may not run
  // the operation gets this error before any error about the object.
  const namedScope = requireScope(actor, access.environment, namedAccount, priority)
  requireRole(namedScope, access.operation)
  if (headerRule === 'optional') return namedScope
  const scope = requireScope(
    actor,
    access.environment,
    await findHeaderAccount(actor, access, namedAccount),
    priority,
  )
  requireRole(scope, access.operation)
  return scope
}

/**
 * Returns the account that the request names, otherwise the one stored for the object. Throws
 * `invalid_input` if they differ or both are missing. The error names the stored account only to a
 * person with a role in it. A person who is limited to some accounts may name an account that is
 * not stored for the object. The object is then first read there, which throws `service_not_found`
 * if it is missing.
 */
async function findHeaderAccount(
  actor: Actor,
  access: AccessRequest,
  named: string | null,
): Promise<string> {
  const { environment, operation, target } = access
  const storedAccount = target ? await lookUpAccount(environment, target) : null
  const canSeeAccount =
    storedAccount !== null && getRolesIn(actor.grants, environment, storedAccount).length > 0
  if (
    target &&
    named &&
    storedAccount !== named &&
    !canSeeAccount &&
    listGrantedAccounts(actor, access)
  ) {
    // Read the object even if another account is stored for it: a missing object and one of another
    // account must fail in the same way.
    await readTargetInScope(
      operation,
      target,
      requireScope(actor, environment, named, toCallPriority(operation)),
    )
    return named
  }
  if (storedAccount && named && storedAccount !== named) {
    throw createFieldError(
      'account',
      `Not the account of this object, which belongs to ${formatAccountId(storedAccount)}.`,
    )
  }
  const account = named ?? storedAccount
  if (account) return account
  throw createFieldError(
    'account',
    'Name the account. Without one, this would act for the whole platform.',
  )
}

/**
 * For an operation whose call to the service has no account header. The account is then only stored
 * with the action and in the request log, and decides who can see them. Also throws errors of
 * reading the object.
 */
async function findScopeWithoutHeader(actor: Actor, access: AccessRequest): Promise<ScopedAccount> {
  const { environment, operation } = access
  const environmentRoles = listEnvironmentGrants(actor, environment).map(({ role }) => role)
  if (environmentRoles.length === 0)
    throw new AppError('forbidden', `You have no role in ${environment}`)
  // Check first that the person has an allowed role in any account, because finding the account may
  // read the object.
  const refusalReason = whyNotAllowed(environmentRoles, definitionOf(operation))
  if (refusalReason) throw new AppError('forbidden', refusalReason)
  const { verbPhrase } = getServiceOperation(operation)
  const account = await findAccountWithoutHeader(actor, access)
  if (account === null && listGrantedAccounts(actor, access)) {
    throw new AppError('forbidden', `You need a role for the whole platform to ${verbPhrase}`)
  }
  const scope = requireScope(actor, environment, account, toCallPriority(operation))
  requireRole(scope, operation)
  return scope
}
