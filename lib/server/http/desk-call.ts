import 'server-only'
import type * as z from 'zod'
import type { Answer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { DeskOperationId, deskOperations } from '@/lib/operations/desk-operations'
import type { Output, schemas } from '@/lib/operations/registry'
import type { Asking } from '@/lib/server/audit/refusals'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { Named } from '@/lib/server/auth/step-up/challenges'

/** A request of a signed-in person for one of Paydesk's own operations, permitted as its definition says and parsed. */
export type DeskCall<K extends DeskOperationId> = {
  request: Request
  requestId: string
  actor: Actor
  environment: Environment
  /** The account scope as it was named (`acct_…`); the operation's `scope` says whether it was checked. */
  account: string | null
  /** The checked scope of an operation that is about one account; null for every other. */
  scope: (typeof deskOperations)[K]['scope'] extends 'account' ? ScopedAccount : null
  input: z.output<(typeof schemas)[K]['input']>
  /** Notes what the request turns out to be about, in case it is refused after all. */
  about: (what: Pick<Asking, 'account' | 'target'>) => void
}

/** What a run gives: the data of an envelope with the figures that belong to it, or an answer of another kind. */
export type DeskAnswer<K extends DeskOperationId> = { data: Output<K>; meta?: Partial<Answer<unknown>['meta']> } | Response

/** How a feature serves one of its operations. Throws `AppError`. */
export type Run<K extends DeskOperationId> = (call: DeskCall<K>) => Promise<DeskAnswer<K>>

/** A run with what the question for a proof of the person names; see `StepUpSubject`. Throws `AppError`. */
type NamedRun<K extends DeskOperationId> = { subject: (call: DeskCall<K>) => Promise<Named>; run: Run<K> }

/** How some operations are served, by their ids. */
export type Runs<K extends DeskOperationId = DeskOperationId> = { readonly [Id in K]: Run<Id> | NamedRun<Id> }
