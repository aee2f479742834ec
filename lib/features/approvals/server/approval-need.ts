import 'server-only'
import type { ApprovalNeed } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { Input } from '@/lib/operations/registry'
import { isRecordGet } from '@/lib/operations/service-operations'
import { findApprovers, listConcernedTargets } from '@/lib/server/approvals/approvers'
import { findApprovalRule } from '@/lib/server/approvals/policy'
import { parseAccount, requireScope } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readMirrorObject } from '@/lib/server/mirror/query'
import { database } from '@/lib/server/store/store'

/**
 * Returns the roles that must approve a write on an object, and if a person who may approve exists. The form shows this before a person
 * fills it in, so it uses the object in the mirror. The rule is evaluated again when the write is requested.
 */
export async function findApprovalNeed(
  actor: Actor,
  environment: Environment,
  account: string | null,
  { operation, target }: Input<'approvals.needed'>,
): Promise<ApprovalNeed> {
  const accountId = account === null ? null : parseAccount(account)
  const scope = requireScope(actor, environment, accountId)
  const [resource = '', id = ''] = target.split('/')
  const singleReadId = `${resource}.get`
  const mirroredRecord = isRecordGet(singleReadId) ? await readMirrorObject(actor, singleReadId, id, { environment, accountId }) : null
  const db = await database()
  const rule = await findApprovalRule(db, { operation, scope, actor, target, body: Buffer.alloc(0) }, mirroredRecord?.data ?? null)
  if (!rule) return { second: [], possible: true }
  if (rule.control === 'block') return { second: [], possible: false }
  if (rule.second.length === 0) return { second: [], possible: true }
  const affectedTargets = listConcernedTargets(target, mirroredRecord?.data ?? null)
  const approvers = await findApprovers(db, { environment, accountId, actorId: actor.id, rule, concerned: affectedTargets })
  return { second: rule.second, possible: approvers.size > 0 }
}
