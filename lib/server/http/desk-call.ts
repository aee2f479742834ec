import 'server-only'
import type * as z from 'zod'
import type { ApiAnswer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { DeskOperationId, deskOperations } from '@/lib/operations/desk-operations'
import type { Output, schemasByOperation } from '@/lib/operations/registry'
import type { RefusalContext } from '@/lib/server/audit/refusals'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { ChallengeSubject } from '@/lib/server/auth/step-up/require-proof'

/** A request after session check, permission check and parsing. */
export type DeskCall<K extends DeskOperationId> = {
  request: Request
  requestId: string
  actor: Actor
  environment: Environment
  /** The requested account (`acct_…`), checked only if the definition's `scope` is `account`. */
  account: string | null
  /** The checked scope if the operation is about one account, otherwise null. */
  scope: (typeof deskOperations)[K]['scope'] extends 'account' ? ScopedAccount : null
  input: z.output<(typeof schemasByOperation)[K]['input']>
  /** Sets the account or target that the audit row names if the request is refused. */
  about: (what: Pick<RefusalContext, 'account' | 'target'>) => void
}

export type DeskOperationResult<K extends DeskOperationId> =
  | { data: Output<K>; meta?: Partial<ApiAnswer<unknown>['meta']> }
  | Response

/** Throws `AppError`. */
export type DeskOperationHandler<K extends DeskOperationId> = (
  call: DeskCall<K>,
) => Promise<DeskOperationResult<K>>

/** `subject` returns the content of the step-up dialog. Both functions throw `AppError`. */
type DeskOperationHandlerWithSubject<K extends DeskOperationId> = {
  subject: (call: DeskCall<K>) => Promise<ChallengeSubject>
  run: DeskOperationHandler<K>
}

export type DeskOperationHandlers<K extends DeskOperationId = DeskOperationId> = {
  readonly [Id in K]: DeskOperationHandler<Id> | DeskOperationHandlerWithSubject<Id>
}
