import 'server-only'
import { createFieldError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import type { AccountSource, Environment, Resource } from '@/lib/operations/define'
import type { OperationId } from '@/lib/operations/operations'
import { getOwnerRule } from '@/lib/operations/ownership'
import {
  getServiceOperation,
  type ServiceOperationId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { HiddenObjectError } from '@/lib/server/audit/refusals'
import { getGrantedAccounts, parseAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import { findLimitAccountId, lookUpAccount } from '@/lib/server/mirror/object-accounts'
import { findPaidIds } from '@/lib/server/mirror/paid-accounts'
import type { FieldsReader } from './input'
import { readTargetAccount } from './target'

/**
 * `account` is the requested scope, `target` is `<resource>/<id>`. `fields` reads the fields other
 * than path fields.
 */
export type AccessRequest<Id extends OperationId = ServiceOperationId> = {
  environment: Environment
  operation: Id
  account: string | null
  target: string | null
  fields?: FieldsReader
}

export const parseRequestedAccount = ({ account }: AccessRequest): string | null =>
  account ? parseAccountId(account) : null

/** Null if a grant covers the whole platform. */
export const listGrantedAccounts = (
  actor: Actor,
  { environment }: AccessRequest,
): string[] | null => getGrantedAccounts(actor.grants, environment)

/**
 * Returns the account of a call that has no account header. Null for the platform. Also throws
 * errors of reading the object.
 */
export function findAccountWithoutHeader(
  actor: Actor,
  access: AccessRequest,
): Promise<string | null> | string | null {
  const { accountFrom } = getServiceOperation(access.operation)
  return accountFrom
    ? accountFinderBySource[accountFrom](actor, access)
    : findAccountOfPlatformObject(actor, access)
}

const accountFinderBySource: Readonly<
  Record<
    AccountSource,
    (actor: Actor, access: AccessRequest) => Promise<string | null> | string | null
  >
> = {
  answer: (actor, access) =>
    parseRequestedAccount(access) ?? listGrantedAccounts(actor, access)?.[0] ?? null,
  path: (actor, access) =>
    access.target?.split('/')[1] ?? listGrantedAccounts(actor, access)?.[0] ?? null,
  query: (actor, access) => {
    const grantedAccounts = listGrantedAccounts(actor, access)
    return readAccountField(
      actor,
      access,
      parseRequestedAccount(access) ??
        (grantedAccounts?.length === 1 ? (grantedAccounts[0] ?? null) : null),
    )
  },
  body: (actor, access) => readAccountField(actor, access, null),
  object: findObjectAccount,
  platform: () => null,
}

/**
 * For an operation on objects of the platform, such as a marketplace's customers. A write has no
 * account. A read keeps the account that the request names: a person of single accounts may read
 * objects with a payment of this account, but no protected data.
 */
async function findAccountOfPlatformObject(
  actor: Actor,
  access: AccessRequest,
): Promise<string | null> {
  const { environment, operation, target } = access
  const { effect, sensitive } = getServiceOperation(operation)
  const namedAccount = parseRequestedAccount(access)
  const ownerRule = getOwnerRule(toServiceResource(operation), getIntegration(environment))
  if (ownerRule === 'stated') return namedAccount ?? requireOnlyAccount(environment)
  if (effect !== 'read' || sensitive || namedAccount === null) return null
  if (target) await requireVisibleObject(actor, { environment, target, account: namedAccount })
  return namedAccount
}

/** The account of a direct account. Throws `invalid_input` until it was read once. */
async function requireOnlyAccount(environment: Environment): Promise<string> {
  const accountId = await findLimitAccountId({ environment, accountId: null })
  if (accountId) return accountId
  throw createFieldError('account', 'Name the account that this is about.')
}

/**
 * Throws the error of a missing object if it belongs to the platform, and a person of single
 * accounts has no payment with it in the account.
 */
export async function requireVisibleObject(
  { grants }: Actor,
  { environment, target, account }: { environment: Environment; target: string; account: string },
): Promise<void> {
  const [resource = '', id = ''] = target.split('/')
  const grantedAccounts = getGrantedAccounts(grants, environment)
  if (
    !grantedAccounts ||
    getOwnerRule(resource as Resource, getIntegration(environment)) !== 'platform'
  )
    return
  const accounts = grantedAccounts.filter((granted) => granted === account)
  const paidIds = await findPaidIds(environment, resource as Resource, [id], accounts)
  if (!paidIds.has(id)) throw new HiddenObjectError()
}

/**
 * Returns the fallback if `account_id` is missing or invalid: the operation's schema rejects it
 * later. For a person who is limited to some accounts, throws `invalid_input` if the field is
 * invalid, or if field and fallback are missing.
 */
async function readAccountField(
  actor: Actor,
  access: AccessRequest,
  fallbackAccount: string | null,
): Promise<string | null> {
  const accountId = (await access.fields?.())?.account_id
  if (typeof accountId === 'string' && isUuid(accountId.toLowerCase()))
    return accountId.toLowerCase()
  if (listGrantedAccounts(actor, access) && (accountId !== undefined || !fallbackAccount)) {
    throw createFieldError(
      'account_id',
      'Name one of your accounts. You have no role for the whole platform.',
    )
  }
  return fallbackAccount
}

/**
 * Null if the object belongs to the platform, or if the account is not needed. Throws the same
 * error for a missing object and for one in an account without a role of the person.
 */
async function findObjectAccount(actor: Actor, access: AccessRequest): Promise<string | null> {
  const { environment, operation, target } = access
  const grantedAccountIds = listGrantedAccounts(actor, access)
  if (!target) return grantedAccountIds?.[0] ?? null
  const { effect, sensitive } = getServiceOperation(operation)
  if (!grantedAccountIds && effect === 'read' && !sensitive) return null
  const storedObjectAccount = await lookUpAccount(environment, target)
  if (
    storedObjectAccount &&
    (!grantedAccountIds || grantedAccountIds.includes(storedObjectAccount))
  )
    return storedObjectAccount
  // Read the object even if its account is stored: an object that the person may not see and a
  // missing one must fail in the same way.
  const account = await readTargetAccount(actor, { environment, operation, target })
  if (grantedAccountIds && !grantedAccountIds.includes(account ?? '')) throw new HiddenObjectError()
  return account
}
