import 'server-only'
import { rolesText, whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import type { AccountFrom, DeskOperation, Environment } from '@/lib/operations/define'
import { type DeskOperationId, deskOperations } from '@/lib/operations/desk-operations'
import { operation as definitionOf, isDeskOperation, type OperationId } from '@/lib/operations/operations'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { HiddenObjectError, recordRefusal, toRefusal } from '@/lib/server/audit/refusals'
import {
  accountText,
  getGrantedAccounts,
  getRolesIn,
  parseAccount,
  requireRole,
  requireScope,
  type ScopedAccount,
  tryParseAccount,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { lookUpAccount } from '@/lib/server/mirror/object-accounts'
import type { FieldsReader } from './input'
import { readServiceAccount, readTargetInScope, toPriority } from './target'

/** A request to authorize. `account`: the requested scope. `target`: `<resource>/<id>`. `fields`: returns the fields besides the path. */
export type AccessRequest<Id extends OperationId = ServiceOperationId> = {
  environment: Environment
  operation: Id
  account: string | null
  target: string | null
  fields?: FieldsReader
}

/**
 * Decides whether a person may run an operation, and in which account. It is the only place that does, for every request. Returns the
 * scope; null for a Paydesk operation that is not about a named account. Throws `forbidden` or `invalid_input`; a refusal is audited first.
 */
export async function authorize(actor: Actor, access: AccessRequest<OperationId>): Promise<ScopedAccount | null> {
  const { operation } = access
  return isDeskOperation(operation) ? requireDeskScope(actor, access, operation) : authorizeCall(actor, { ...access, operation })
}

/** Authorizes a call to the service and returns its scope. Throws the same errors as `authorize`. */
export const authorizeCall = (actor: Actor, access: AccessRequest): Promise<ScopedAccount> =>
  auditRefusals(actor, access, () => findCallScope(actor, access))

type AuditedAccess = Omit<AccessRequest, 'account' | 'fields'> & { account?: string | null }

/** Runs a check. Audits a refusal that it throws, with the details of the request, and rethrows it. */
export async function auditRefusals<T>(actor: Actor, access: AuditedAccess, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!toRefusal(error)) throw error
    const { environment, operation, target } = access
    const account = tryParseAccount(access.account) ?? (target && (await lookUpAccount(environment, target).catch(() => null)))
    await recordRefusal(error, { name: operation, actor, environment, target, account })
    throw error
  }
}

const listGrantsIn = (actor: Actor, environment: Environment) => actor.grants.filter((grant) => grant.environment === environment)

/**
 * Returns the scope of a Paydesk operation, null unless it is about one account. First checks the role that its definition requires: in the
 * account, in the whole platform, or in any account. Throws `forbidden`.
 */
export function requireDeskScope(
  actor: Actor,
  { environment, account }: Pick<AccessRequest, 'environment' | 'account'>,
  id: DeskOperationId,
): ScopedAccount | null {
  const { scope: scopeKind, allow, verbPhrase }: DeskOperation = deskOperations[id]
  const environmentRoles = listGrantsIn(actor, environment).map(({ role }) => role)
  if (environmentRoles.length === 0) throw new AppError('forbidden', `You have no role in ${environment}`)
  if (scopeKind === 'object') return null
  if (scopeKind === 'account') return requireDeskAccount(actor, { environment, account }, id)
  const actorRoles = scopeKind === 'platform' ? getRolesIn(actor.grants, environment, null) : environmentRoles
  if (allow.some((role) => actorRoles.includes(role))) return null
  throw new AppError('forbidden', `Only ${rolesText(allow)}${scopeKind === 'platform' ? ' of the whole platform' : ''} can ${verbPhrase}.`)
}

function requireDeskAccount(actor: Actor, { environment, account }: Pick<AccessRequest, 'environment' | 'account'>, id: DeskOperationId) {
  const scope = requireScope(actor, environment, account ? parseAccount(account) : null)
  requireRole(scope, id)
  if (scope.accountId) return scope
  throw createFieldError('account', 'name the account this is about')
}

const createFieldError = (field: string, detail: string) =>
  new AppError('invalid_input', `${field}: ${detail}`, { items: [{ reference: field, detail }] })

/** Returns the scope of a call to the service, as its account header requires. Reads nothing if the request names no object. */
export async function findCallScope(actor: Actor, access: AccessRequest): Promise<ScopedAccount> {
  const { only, verbPhrase, scope: header } = serviceOperation(access.operation)
  if (only && only !== access.environment) throw new AppError('forbidden', `It is possible only in the ${only} to ${verbPhrase}`)
  if (header === 'forbidden') return findScopeWithoutHeader(actor, access)
  const priority = toPriority(access.operation)
  const namedAccount = parseRequestedAccount(access)
  // Check the roles first, in the widest scope that the request can have. A person who may not run the operation gets this error before any
  // error about the object.
  const namedScope = requireScope(actor, access.environment, namedAccount, priority)
  requireRole(namedScope, access.operation)
  if (header === 'optional') return namedScope
  const scope = requireScope(actor, access.environment, await findHeaderAccount(actor, access, namedAccount), priority)
  requireRole(scope, access.operation)
  return scope
}

const parseRequestedAccount = ({ account }: AccessRequest): string | null => (account ? parseAccount(account) : null)

/**
 * Returns the account for a required account header: the named one, else the known account of the object. Throws `invalid_input` if they
 * differ or both are missing; the error names the known account only to a person with a role there.
 * If the person is limited to some accounts and the object is not known to be in the named account, the object is first read there. That
 * throws `service_not_found` if the object is not in that account.
 */
async function findHeaderAccount(actor: Actor, access: AccessRequest, named: string | null): Promise<string> {
  const { environment, operation, target } = access
  const storedAccount = target ? await lookUpAccount(environment, target) : null
  const canSeeAccount = storedAccount !== null && getRolesIn(actor.grants, environment, storedAccount).length > 0
  if (target && named && storedAccount !== named && !canSeeAccount && listLimitedAccounts(actor, access)) {
    // Read the object even if another account is known to have it, so that both cases fail in the same way.
    await readTargetInScope(operation, target, requireScope(actor, environment, named, toPriority(operation)))
    return named
  }
  if (storedAccount && named && storedAccount !== named) {
    throw createFieldError('account', `is not the account of this object, which belongs to ${accountText(storedAccount)}`)
  }
  const account = named ?? storedAccount
  if (account) return account
  throw createFieldError('account', 'name the account; without one this would act for the whole platform')
}

/** Returns the accounts to which the person is limited in this environment; null if a grant covers the whole platform. */
const listLimitedAccounts = (actor: Actor, { environment }: AccessRequest): string[] | null => getGrantedAccounts(actor.grants, environment)

/**
 * Returns the scope of a call without an account header: the account that the call is about, checked against the person's grants. The
 * client does not send this account. It is recorded, and decides who can see the record. Also throws the errors of reading the object.
 */
async function findScopeWithoutHeader(actor: Actor, access: AccessRequest): Promise<ScopedAccount> {
  const { environment, operation } = access
  const environmentRoles = listGrantsIn(actor, environment).map(({ role }) => role)
  if (environmentRoles.length === 0) throw new AppError('forbidden', `You have no role in ${environment}`)
  // Any read requires a role somewhere in the environment.
  const why = whyNotAllowed(environmentRoles, definitionOf(operation))
  if (why) throw new AppError('forbidden', why)
  const { accountFrom = 'platform', verbPhrase } = serviceOperation(operation)
  const account = await accountFinders[accountFrom](actor, access)
  if (account === null && listLimitedAccounts(actor, access)) {
    throw new AppError('forbidden', `You need a role for the whole platform to ${verbPhrase}`)
  }
  const scope = requireScope(actor, environment, account, toPriority(operation))
  requireRole(scope, operation)
  return scope
}

const accountFinders: Readonly<Record<AccountFrom, (actor: Actor, access: AccessRequest) => Promise<string | null> | string | null>> = {
  answer: (actor, access) => parseRequestedAccount(access) ?? listLimitedAccounts(actor, access)?.[0] ?? null,
  path: (actor, access) => access.target?.split('/')[1] ?? listLimitedAccounts(actor, access)?.[0] ?? null,
  query: (actor, access) => {
    const limitedAccounts = listLimitedAccounts(actor, access)
    return readAccountField(
      actor,
      access,
      parseRequestedAccount(access) ?? (limitedAccounts?.length === 1 ? (limitedAccounts[0] ?? null) : null),
    )
  },
  body: (actor, access) => readAccountField(actor, access, null),
  object: findObjectAccount,
  platform: () => null,
}

/**
 * Returns the account in the field `account_id`, else the fallback. An invalid id is left to the operation's schema. For a person limited
 * to some accounts, throws `invalid_input` for an invalid id, and for a missing one without a fallback.
 */
async function readAccountField(actor: Actor, access: AccessRequest, fallback: string | null): Promise<string | null> {
  const accountId = (await access.fields?.())?.account_id
  if (typeof accountId === 'string' && isUuid(accountId.toLowerCase())) return accountId.toLowerCase()
  if (listLimitedAccounts(actor, access) && (accountId !== undefined || !fallback)) {
    throw createFieldError('account_id', 'name one of your accounts; you have no role for the whole platform')
  }
  return fallback
}

/**
 * Returns the account that an object itself names. Null if the object belongs to the platform, or if the account is not needed. Throws the
 * same error for an object outside the person's roles and for a missing object.
 */
async function findObjectAccount(actor: Actor, access: AccessRequest): Promise<string | null> {
  const { environment, operation, target } = access
  const limitedAccounts = listLimitedAccounts(actor, access)
  if (!target) return limitedAccounts?.[0] ?? null
  const { effect, sensitive } = serviceOperation(operation)
  if (!limitedAccounts && effect === 'read' && !sensitive) return null
  const indexed = await lookUpAccount(environment, target)
  if (indexed && (!limitedAccounts || limitedAccounts.includes(indexed))) return indexed
  // Read the object even if its account is known: a hidden object and a missing one must fail in the same way.
  const account = await readServiceAccount(actor, { environment, operation, target })
  if (limitedAccounts && !limitedAccounts.includes(account ?? '')) throw new HiddenObjectError()
  return account
}
