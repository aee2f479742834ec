import 'server-only'
import type { ApprovalNeed } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { Input } from '@/lib/operations/registry'
import { isRecordGet } from '@/lib/operations/service-operations'
import { findApprovers, listConcernedTargets } from '@/lib/server/approvals/approvers'
import { findApprovalRule } from '@/lib/server/approvals/policy'
import { parseAccountId, requireScope } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readMirrorObject } from '@/lib/server/mirror/query'
import { getDatabase } from '@/lib/server/store/store'

/**
 * The form shows the result when it opens, so the object is read from the mirror (Paydesk's copy).
 * When the write is requested, the rule is evaluated again.
 */
export async function findApprovalNeed(
  actor: Actor,
  environment: Environment,
  account: string | null,
  { operation, target }: Input<'approvals.needed'>,
): Promise<ApprovalNeed> {
  const accountId = account === null ? null : parseAccountId(account)
  const scope = requireScope(actor, environment, accountId)
  const [resource = '', id = ''] = target.split('/')
  const recordGetId = `${resource}.get`
  const mirroredRecord = isRecordGet(recordGetId)
    ? await readMirrorObject(actor, recordGetId, id, { environment, accountId })
    : null
  const db = await getDatabase()
  const approvalRule = await findApprovalRule(
    db,
    { operation, scope, actor, target, body: Buffer.alloc(0) },
    mirroredRecord?.data ?? null,
  )
  if (!approvalRule) return { second: [], possible: true }
  if (approvalRule.control === 'block') return { second: [], possible: false }
  if (approvalRule.second.length === 0) return { second: [], possible: true }
  const concernedTargets = listConcernedTargets(target, mirroredRecord?.data ?? null)
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
