import 'server-only'
import type { Answer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import type { Asking } from '@/lib/server/audit/refusals'
import { type Call, noteCall } from '@/lib/server/request-log'
import { accountNamed, type ScopedAccount } from '@/lib/server/scoped-account'
import type { Actor } from '@/lib/server/session-rows'
import { plainWords } from './plain-words'
import { answerIn } from './respond'

/** What has become known of a call on its way: who asked for what, and once it was permitted, in which scope. */
export type Known = {
  /** By the clock of `performance`, in milliseconds. */
  startedAt: number
  asked?: { environment: Environment; operation: OperationId; account: string | null; target: string | null }
  actor?: Actor
  scope?: ScopedAccount
}

/** The account of a call: the one it was permitted for, else the one that was named. */
const accountOf = ({ asked, scope }: Known): string | null => scope?.accountId ?? accountNamed(asked?.account)

/** What is known of a call, for the record of its refusal; null as long as it is no operation of ours. */
export const askingOf = (known: Known): Asking | null =>
  known.asked
    ? {
        name: known.asked.operation,
        actor: known.actor ?? null,
        environment: known.asked.environment,
        account: accountOf(known),
        target: known.asked.target,
      }
    : null

/** The action this call was about. The one that stands in its way is another's. */
const actionIn = ({ action, error }: Answer<unknown>) => (error?.code === 'action_open' ? undefined : action)

/** How often bytes went to the service: as the action says, and for a read once, if it came so far. */
function attemptsIn(operation: OperationId, answer: Answer<unknown>): number {
  if (rowOf(operation).effect !== 'read') return actionIn(answer)?.attempts.length ?? 0
  const { meta, error } = answer
  return meta.read_at || error?.code.startsWith('service_') ? 1 : 0
}

/** The service's own words, without what somebody typed; our words can be told from the code. */
const detailIn = ({ error }: Answer<unknown>): string | null => (error?.code.startsWith('service_') ? plainWords(error.detail) : null)

/**
 * Leaves a row of a call in the request log, if a person was behind it. What it gives is settled when the row is written; the answer does not
 * wait for that.
 */
export function keepCall(known: Known, response: Response): Promise<void> | null {
  const { startedAt, asked, actor } = known
  const answer = answerIn(response)
  if (!asked || !actor || !answer) return null
  const { environment, operation, target } = asked
  const call: Call = {
    environment,
    operation,
    accountId: accountOf(known),
    target: target ?? actionIn(answer)?.target ?? null,
    actorId: actor.id,
    requestId: answer.meta.request_id,
    apiRequestId: answer.meta.api_request_id ?? null,
    actionId: actionIn(answer)?.id ?? null,
    status: response.status,
    tookMs: Math.round(performance.now() - startedAt),
    attempts: attemptsIn(operation, answer),
    replayed: response.headers.has('idempotent-replayed'),
    errorCode: answer.error?.code ?? null,
    errorDetail: detailIn(answer),
  }
  return noteCall(call)
}
