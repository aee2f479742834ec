import 'server-only'
import type { ApprovalNeed } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { Input } from '@/lib/operations/registry'
import { isRecordGet } from '@/lib/operations/service-operations'
import { findApprovers, listConcernedTargets } from '@/lib/server/approvals/approvers'
import { findApprovalRule } from '@/lib/server/approvals/policy'
import { parseAccountId, requireScope, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readMirrorObject } from '@/lib/server/mirror/query'
import { getDatabase } from '@/lib/server/store/store'

/** Null if the write creates an object, and if Paydesk has no copy that the person may see. */
async function readMirroredTarget(
  actor: Actor,
  target: string | undefined,
  scope: ScopedAccount,
): Promise<unknown> {
  const [resource = '', id = ''] = target?.split('/') ?? []
  const recordGetId = `${resource}.get`
  if (!isRecordGet(recordGetId)) return null
  return (await readMirrorObject(actor, recordGetId, id, scope))?.data ?? null
}

/**
 * Contains only what the policy reads. A bank account that the person may not see is omitted, so
 * that the result says nothing about it.
 */
async function toPolicyBody(
  actor: Actor,
  { amount, paykey_id }: Pick<Input<'approvals.needed'>, 'amount' | 'paykey_id'>,
  scope: ScopedAccount,
): Promise<Buffer> {
  const visiblePaykey =
    paykey_id === undefined ? null : await readMirrorObject(actor, 'paykeys.get', paykey_id, scope)
  return Buffer.from(
    JSON.stringify({
      ...(amount === undefined ? {} : { amount }),
      ...(visiblePaykey ? { paykey_id } : {}),
    }),
  )
}

/**
 * The form shows the result before it is sent, so objects are read from the mirror (Paydesk's
 * copy). When the write is requested, the rule is evaluated again.
 */
export async function findApprovalNeed(
  actor: Actor,
  environment: Environment,
  account: string | null,
  { operation, target, ...typed }: Input<'approvals.needed'>,
): Promise<ApprovalNeed> {
  const accountId = account === null ? null : parseAccountId(account)
  const scope = requireScope(actor, environment, accountId)
  const mirroredObject = await readMirroredTarget(actor, target, scope)
  const db = await getDatabase()
  const approvalRule = await findApprovalRule(
    db,
    {
      operation,
      scope,
      actor,
      target: target ?? null,
      body: await toPolicyBody(actor, typed, scope),
    },
    mirroredObject,
  )
  if (!approvalRule) return { second: [], possible: true }
  if (approvalRule.control === 'block') return { second: [], possible: false }
  if (approvalRule.second.length === 0) return { second: [], possible: true }
  const concernedTargets = listConcernedTargets(target ?? null, mirroredObject)
  const approvers = await findApprovers(db, {
    environment,
    accountId,
    actorId: actor.id,
    rule: approvalRule,
    concerned: concernedTargets,
    firstApprover: null,
  })
  return {
    second: approvalRule.second,
    possible: approvers.size >= (approvalRule.approvers ?? 1),
  }
}
