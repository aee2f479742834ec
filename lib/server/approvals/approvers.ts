import 'server-only'
import { and, eq, gt, inArray, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { rolesText } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { notSentStates } from '@/lib/operations/answer'
import { serviceOperation } from '@/lib/operations/service-operations'
import type { Action, NewAction } from '@/lib/server/actions/action-log'
import { idsIn } from '@/lib/server/actions/erase'
import { unexpired } from '@/lib/server/auth/people'
import { rolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { heldUntil } from '@/lib/server/auth/step-up/factors'
import { env } from '@/lib/server/config/env'
import { type AppliedRule, actions } from '@/lib/server/store/schema/actions'
import { approvalHolds, grants, people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'

/** The fields of a request that decide who can approve it. Recent editors of the `concerned` objects cannot. */
export type Request = Pick<Action, 'environment' | 'accountId' | 'actorId'> & { rule: AppliedRule; concerned: readonly string[] }

/** The paykeys and customers in the action's object, and the target if it is one. Their recent editors cannot approve. */
export function concernedBy(target: string | null, object: unknown): string[] {
  const ids = idsIn(JSON.stringify(object ?? null))
  const ownTargets = target && /^(paykeys|customers)\//.test(target) ? [target] : []
  return [...new Set([...ownTargets, ...ids.flatMap((id) => [`paykeys/${id}`, `customers/${id}`])])]
}

/** Subquery: edits of these objects by the person within the last day, except refused and unsent ones. */
const editorOf = (db: Db, concerned: readonly string[]) => {
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

/** Subquery: people whose second factor was recently removed. */
const heldOf = (db: Db) =>
  db
    .select({ personId: approvalHolds.personId })
    .from(approvalHolds)
    .where(and(eq(approvalHolds.personId, people.id), gt(approvalHolds.until, sql`now()`)))

/** A requester could create a second identity and approve with it. People and roles the requester added are excluded for this time. */
const lately = sql`now() - interval '7 days'`

/** SQL condition: the requester, or a person who recently got a role from the requester, made the grant within this time. */
function isOfRequester(grant: { createdAt: AnyPgColumn; grantedBy: AnyPgColumn }, requester: string) {
  const circle = sql`select c.person_id from ${grants} c where c.granted_by = ${requester}::uuid and c.created_at > ${lately}`
  return sql`coalesce(${grant.createdAt} > ${lately} and (${grant.grantedBy} = ${requester}::uuid or ${grant.grantedBy} in (${circle})), false)`
}

/** SQL condition: the same for the person's invitation. */
const isInvitedBy = (requester: string) => isOfRequester({ createdAt: people.invitedAt, grantedBy: people.invitedBy }, requester)

/**
 * Returns the ids of the people who can approve a request now. They hold a required role. Excluded are the requester, people the requester
 * invited or granted the role within seven days, and people who changed a concerned paykey or customer within a day.
 */
export async function approversOf(db: Db, request: Request): Promise<ReadonlySet<string>> {
  const { environment, accountId, actorId, rule, concerned } = request
  const rows = await db
    .selectDistinct({ id: people.id })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        inArray(grants.role, [...rule.second]),
        eq(grants.environment, environment),
        accountId ? or(isNull(grants.accountId), eq(grants.accountId, accountId)) : isNull(grants.accountId),
        ne(people.id, actorId),
        sql`not ${isOfRequester(grants, actorId)}`,
        sql`not ${isInvitedBy(actorId)}`,
        unexpired(),
        isNull(people.disabledAt),
        env().embedded ? undefined : eq(people.demo, false),
        notExists(heldOf(db)),
        concerned.length > 0 ? notExists(editorOf(db, concerned)) : undefined,
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

/** True if the person's role or invitation recently came from the requester; see `isOfRequester`. */
async function owesRole(db: Db, { actorId }: Request, personId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: grants.id })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(and(eq(people.id, personId), or(isOfRequester(grants, actorId), isInvitedBy(actorId))))
    .limit(1)
  return row !== undefined
}

/** Returns why a person cannot approve or reject a request, as a sentence, or null. */
export async function whyNotApprove(db: Db, request: Request, actor: Actor): Promise<string | null> {
  const { environment, accountId, actorId, rule } = request
  if (actorId === actor.id) return 'You requested this: another person must approve it.'
  const roles = rolesIn(actor.grants, environment, accountId)
  if (!rule.second.some((role) => roles.includes(role))) return `Only ${rolesText(rule.second)} can approve this.`
  if ((await approversOf(db, request)).has(actor.id)) return null
  const holdEnd = await heldUntil(db, actor.id)
  if (holdEnd)
    return `One of your second factors was removed, so you cannot approve until ${holdEnd.toISOString().slice(0, 16).replace('T', ' ')} UTC. Another person must approve this.`
  if (await owesRole(db, request, actor.id))
    return 'Within the last 7 days you were invited, or given your role, by the requester or by someone they granted a role: another person must approve this.'
  return 'You changed the bank account (paykey) or the customer within the last 24 hours: another person must approve this.'
}

/**
 * Checks a request before it is recorded. Throws `forbidden` if the policy does not let the requester ask, and `no_approver` if no person
 * can approve it.
 */
export async function requireApprover(db: Db, newAction: NewAction, rule: AppliedRule, concerned: readonly string[]): Promise<void> {
  const { environment, accountId, roles } = newAction.scope
  const { verbPhrase } = serviceOperation(newAction.operation)
  if (!rule.ask.some((role) => roles.includes(role))) {
    throw new AppError('forbidden', `Under the approval policy, only ${rolesText(rule.ask)} can ask to ${verbPhrase}.`)
  }
  const request = { environment, accountId, actorId: newAction.actor.id, rule, concerned }
  if ((await approversOf(db, request)).size > 0) return
  const detail = `A second person (${rolesText(rule.second)}) must approve this, and nobody else can. Nothing was sent: an admin can grant the role to another person`
  throw new AppError('no_approver', detail)
}
