import 'server-only'
import { and, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import { toExclusiveEnd } from '@/lib/dates'
import { formatRoles } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { type CallFilter, type CallResult, parseCallFilter } from '@/lib/operations/activity'
import { type Environment, requestLogRoles } from '@/lib/operations/define'
import { recordRefusal } from '@/lib/server/audit/refusals'
import type { Actor } from '@/lib/server/auth/session-rows'
import { requestLog } from '@/lib/server/store/schema/audit'

/**
 * Throws `invalid_input` for an invalid field. If the field were ignored, the result would contain
 * too many calls.
 */
export function requireCallFilter(fields: Readonly<Record<string, unknown>>): CallFilter {
  const filter = parseCallFilter(fields)
  const parsedFields = new Map(Object.entries(filter))
  const filterErrors = Object.keys(fields)
    .filter((name) => fields[name] !== '' && parsedFields.get(name) === undefined)
    .map((reference) => ({
      reference,
      detail: 'Not a filter of this list, or not in a valid format.',
    }))
  if (filterErrors.length === 0) return filter
  throw new AppError(
    'invalid_input',
    filterErrors.map(({ reference, detail }) => `${reference}: ${detail}`).join(' '),
    {
      items: filterErrors,
    },
  )
}

/** Null means all accounts, an empty list means none. */
function listReadableAccounts(actor: Actor, environment: Environment): string[] | null {
  const logReaderGrants = actor.grants.filter(
    (grant) => grant.environment === environment && requestLogRoles.includes(grant.role),
  )
  if (logReaderGrants.some((grant) => grant.accountId === null)) return null
  return logReaderGrants.flatMap((grant) => (grant.accountId ? [grant.accountId] : []))
}

/** Throws `forbidden` if the person may not read the log (product 4.7). */
export function requireLogReader(actor: Actor, environment: Environment): void {
  if (listReadableAccounts(actor, environment)?.length !== 0) return
  throw new AppError('forbidden', `Only ${formatRoles(requestLogRoles)} can read the request log.`)
}

/** If false, the refusal was recorded in the audit log. */
export async function isLogAccessAllowed(actor: Actor, environment: Environment): Promise<boolean> {
  try {
    requireLogReader(actor, environment)
    return true
  } catch (error) {
    await recordRefusal(error, { name: 'activity.open', actor, environment })
    return false
  }
}

/** `account` is an id without `acct_`. `before` is inclusive. */
export type CallRange = { account?: string; after?: Date; before?: Date }

const conditionByCallResult: Record<CallResult, SQL | undefined> = {
  answered: and(lt(requestLog.status, 400), isNull(requestLog.errorCode)),
  refused: and(gte(requestLog.status, 400), lt(requestLog.status, 500)),
  failed: or(
    gte(requestLog.status, 500),
    and(lt(requestLog.status, 400), isNotNull(requestLog.errorCode)),
  ),
}

const toConditionIfSet = <T>(
  value: T | undefined,
  condition: (value: T) => SQL | undefined,
): SQL | undefined => (value === undefined ? undefined : condition(value))

const toAnyRequestIdCondition = (id: string) =>
  or(
    eq(requestLog.requestId, id),
    eq(requestLog.apiRequestId, id),
    isUuid(id) ? eq(requestLog.actionId, id) : undefined,
  )

export function toCallConditions(
  actor: Actor,
  environment: Environment,
  filter: CallFilter,
  { account, after, before }: CallRange,
): SQL | undefined {
  // A search for one object or request covers all accounts, not only the account of the page.
  const accountFilter = filter.target || filter.request ? undefined : account
  return and(
    eq(requestLog.environment, environment),
    toConditionIfSet(listReadableAccounts(actor, environment) ?? undefined, (accounts) =>
      inArray(requestLog.accountId, accounts),
    ),
    toConditionIfSet(accountFilter, (id) => eq(requestLog.accountId, id)),
    toConditionIfSet(after, (at) => gt(requestLog.at, at)),
    toConditionIfSet(before, (at) => lte(requestLog.at, at)),
    toConditionIfSet(filter.operation, (operation) => eq(requestLog.operation, operation)),
    toConditionIfSet(filter.result, (result) => conditionByCallResult[result]),
    toConditionIfSet(filter.error, (code) => eq(requestLog.errorCode, code)),
    toConditionIfSet(filter.detail, (words) => eq(requestLog.errorDetail, words)),
    toConditionIfSet(filter.target, (target) => eq(requestLog.target, target)),
    toConditionIfSet(filter.request, toAnyRequestIdCondition),
    toConditionIfSet(filter.person, (id) => eq(requestLog.actorId, id === 'me' ? actor.id : id)),
    toConditionIfSet(filter.from, (at) => gte(requestLog.at, new Date(at))),
    toConditionIfSet(filter.to, (at) => lt(requestLog.at, toExclusiveEnd(at))),
  )
}
