import 'server-only'
import { and, eq, gt, inArray, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { formatRoles } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { notSentStates } from '@/lib/operations/answer'
import { getServiceOperation } from '@/lib/operations/service-operations'
import type { Action, NewAction } from '@/lib/server/actions/action-log'
import { extractIds } from '@/lib/server/actions/erase'
import { buildUsableGrantCondition } from '@/lib/server/auth/people'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readApprovalHoldEnd } from '@/lib/server/auth/step-up/factors'
import { type AppliedRule, actions } from '@/lib/server/store/schema/actions'
import { approvalHolds, grants, people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'

/** Recent editors of one of the `concerned` objects cannot approve. */
export type ApprovalCriteria = Pick<Action, 'environment' | 'accountId' | 'actorId'> & {
  rule: AppliedRule
  concerned: readonly string[]
  /** The person who gave the first of two approvals, and cannot give the second one. */
  firstApprover: string | null
}

/**
 * Recent editors of the returned paykeys and customers cannot approve. It is not known whether an
 * id in the object is a paykey or a customer, so it is listed as both.
 */
export function listConcernedTargets(target: string | null, object: unknown): string[] {
  const mentionedIds = extractIds(JSON.stringify(object ?? null))
  const ownTargets = target && /^(paykeys|customers)\//.test(target) ? [target] : []
  return [
    ...new Set([
      ...ownTargets,
      ...mentionedIds.flatMap((id) => [`paykeys/${id}`, `customers/${id}`]),
    ]),
  ]
}

/** Edits by the person of the outer query in the last day, except refused or unsent ones. */
const selectRecentEdits = (db: Db, concerned: readonly string[]) => {
  const edits = alias(actions, 'edits')
  return db
    .select({ id: edits.id })
    .from(edits)
    .where(
      and(
        eq(edits.actorId, people.id),
        // A deletion is not an edit.
        ne(edits.operation, 'customers.delete'),
        inArray(edits.target, [...concerned]),
        sql`${edits.state} not in (${sql.join(
          ['refused', 'awaiting_approval', ...notSentStates].map((state) => sql`${state}`),
          sql`, `,
        )})`,
        sql`${edits.createdAt} > now() - interval '24 hours'`,
      ),
    )
}

/** Subquery about the person of the outer query. A hold begins when a second factor is removed. */
const selectApprovalHold = (db: Db) =>
  db
    .select({ personId: approvalHolds.personId })
    .from(approvalHolds)
    .where(and(eq(approvalHolds.personId, people.id), gt(approvalHolds.until, sql`now()`)))

/**
 * People whom the requester invited since this time, and roles that the requester granted since
 * then, do not count for an approval: the other person may be a second identity of the requester.
 */
const recentGrantStart = sql`now() - interval '7 days'`

/** SQL condition: a recent grant by the requester, or by a person with a recent role from them. */
function buildRequesterGrantCondition(
  grant: { createdAt: AnyPgColumn; grantedBy: AnyPgColumn },
  requester: string,
) {
  const requesterGranteesQuery = sql`select c.person_id from ${grants} c where c.granted_by = ${requester}::uuid and c.created_at > ${recentGrantStart}`
  return sql`coalesce(${grant.createdAt} > ${recentGrantStart} and (${grant.grantedBy} = ${requester}::uuid or ${grant.grantedBy} in (${requesterGranteesQuery})), false)`
}

const buildInvitedByCondition = (requester: string) =>
  buildRequesterGrantCondition(
    { createdAt: people.invitedAt, grantedBy: people.invitedBy },
    requester,
  )

/**
 * Excludes the requester, people whose invitation or role came from the requester within seven
 * days, people who changed a concerned paykey or customer within a day, and people whose second
 * factor was recently removed.
 */
export async function findApprovers(
  db: Db,
  request: ApprovalCriteria,
): Promise<ReadonlySet<string>> {
  const { environment, accountId, actorId, rule, concerned, firstApprover } = request
  const approverRows = await db
    .selectDistinct({ id: people.id })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        inArray(grants.role, [...rule.second]),
        eq(grants.environment, environment),
        accountId
          ? or(isNull(grants.accountId), eq(grants.accountId, accountId))
          : isNull(grants.accountId),
        ne(people.id, actorId),
        firstApprover ? ne(people.id, firstApprover) : undefined,
        sql`not ${buildRequesterGrantCondition(grants, actorId)}`,
        sql`not ${buildInvitedByCondition(actorId)}`,
        buildUsableGrantCondition(),
        notExists(selectApprovalHold(db)),
        concerned.length > 0 ? notExists(selectRecentEdits(db, concerned)) : undefined,
      ),
    )
  return new Set(approverRows.map(({ id }) => id))
}

/**
 * True if a recent role or invitation of the person came from the requester, directly or through
 * one other person.
 */
async function hasRoleFromRequester(
  db: Db,
  { actorId }: ApprovalCriteria,
  personId: string,
): Promise<boolean> {
  const [row] = await db
    .select({ id: grants.id })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        eq(people.id, personId),
        or(buildRequesterGrantCondition(grants, actorId), buildInvitedByCondition(actorId)),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** Returns a sentence; null if the person can approve and reject the request. */
export async function whyNotApprove(
  db: Db,
  request: ApprovalCriteria,
  actor: Actor,
): Promise<string | null> {
  const { environment, accountId, actorId, rule } = request
  if (actorId === actor.id) return 'You requested this, so another person must decide.'
  if (request.firstApprover === actor.id)
    return 'You approved this. Another person must approve it too.'
  const roles = getRolesIn(actor.grants, environment, accountId)
  if (!rule.second.some((role) => roles.includes(role)))
    return `Only ${formatRoles(rule.second)} can approve this.`
  if ((await findApprovers(db, request)).has(actor.id)) return null
  const holdEnd = await readApprovalHoldEnd(db, actor.id)
  if (holdEnd)
    return `One of your second factors was removed, so you cannot approve until ${holdEnd.toISOString().slice(0, 16).replace('T', ' ')} UTC. Another person must approve this.`
  if (await hasRoleFromRequester(db, request, actor.id))
    return 'Within the last 7 days you were invited, or given your role, by the requester or by someone they granted a role, so another person must decide.'
  return 'You changed the bank account (paykey) or the customer within the last 24 hours, so another person must decide.'
}

/**
 * Throws `forbidden` if the policy does not allow the requester to ask for this approval, and
 * `no_approver` if no other person can approve. Must be called before the request is recorded.
 */
export async function requireApprover(
  db: Db,
  newAction: NewAction,
  rule: AppliedRule,
  concerned: readonly string[],
): Promise<void> {
  const { environment, accountId, roles } = newAction.scope
  const { verbPhrase } = getServiceOperation(newAction.operation)
  if (!rule.ask.some((role) => roles.includes(role))) {
    throw new AppError(
      'forbidden',
      `Under the approval policy, only ${formatRoles(rule.ask)} can ask to ${verbPhrase}.`,
    )
  }
  const actorId = newAction.actor.id
  const approvalCriteria = {
    environment,
    accountId,
    actorId,
    rule,
    concerned,
    firstApprover: null,
  }
  const { approvers: neededCount = 1 } = rule
  if ((await findApprovers(db, approvalCriteria)).size >= neededCount) return
  const neededText =
    neededCount === 1
      ? `A second person (${formatRoles(rule.second)}) must approve this, and nobody else can`
      : `Two other people (${formatRoles(rule.second)}) must approve this, and fewer can`
  const noApproverText = `${neededText}. Nothing was sent: an admin can grant the role to another person`
  throw new AppError('no_approver', noApproverText)
}
