import type { ErrorCode, ErrorItem, WireError } from '@/lib/errors'
import type { Environment } from './define'
import type { DecisionDocument, DocumentCopy } from './documents'
import type { AuthorizationDetails } from './payment-input.schema'
import type { ServiceOperationId } from './service-operations'

/**
 * A field that is missing in its object, because it could not be read. `field`: the dotted path in
 * the service's response. `raw`: masked short text of the value; empty if there was no value to
 * parse (see `isAbsentFromLists`).
 */
export type UnreadableField = { field: string; raw: string }

/** True if the service's lists do not contain the field; the object comes from our copy of them. */
export const isAbsentFromLists = ({ raw }: UnreadableField): boolean => raw === ''

export const notReadableText = 'Not readable'

/** A row of a list that could not be parsed at all. */
export type UnreadableRow = { id: string | null; raw: string }

export function getUnreadableFields(object: unknown): readonly UnreadableField[] {
  const unreadableFields =
    typeof object === 'object' && object !== null && 'unreadable' in object
      ? object.unreadable
      : undefined
  return Array.isArray(unreadableFields) ? (unreadableFields as UnreadableField[]) : []
}

/**
 * The fields of `meta` that describe one page of a list (interface document, "Response envelope").
 */
export type PageMeta = {
  page_number: number
  page_size: number
  total_items: number
  sort_by?: string
  sort_order?: 'asc' | 'desc'
}

/**
 * Paydesk sends only an `unknown` action again. Two people decide the outcome of a `needs_human`
 * one. After `awaiting_approval`, an action is sent or ends in one of `notSentStates`.
 */
export type ActionState =
  | 'awaiting_approval'
  | 'sending'
  | 'applied'
  | 'refused'
  | 'unknown'
  | 'needs_human'
  | (typeof notSentStates)[number]

/**
 * States of an action that was not approved, so it was never sent. `void`: the object, or a
 * permission for it, had changed before an approval.
 */
export const notSentStates = ['rejected', 'withdrawn', 'expired', 'void'] as const

/** States of an action whose outcome is open. */
export const openActionStates: readonly ActionState[] = ['sending', 'unknown', 'needs_human']

/**
 * An action is sent again only within this time after its first send. The service forgets
 * idempotency keys after about 24 hours, so a later resend could write twice.
 */
export const resendWindowHours = 20

/** `fault`: error code (`classify-answer.ts`); null while it runs, or if the write was applied. */
export type AttemptView = {
  number: number
  request_id: string
  started_at: string
  ended_at: string | null
  status: number | null
  fault: string | null
  api_request_id: string | null
  replayed: boolean
}

/** `status`: the status of the action's object in the webhook; null if there is none. */
export type EvidenceView = {
  webhook_id: string
  event_type: string
  status: string | null
  received_at: string
}

/**
 * `by`: null if the request expired or is void. `own`: the signed-in person decided. `reason`: why
 * the request was rejected or is void. `documents`: the authorization proofs of the payment at the
 * decision; empty if it had none, or if no person decided.
 */
export type ApprovalView = {
  outcome: 'approved' | (typeof notSentStates)[number]
  by: string | null
  own: boolean
  at: string
  reason: string | null
  documents: readonly DecisionDocument[]
}

/**
 * The outcome that one person stated. It takes effect when a second person states the same one.
 * `own`: the signed-in person stated it.
 */
export type ProposalView = {
  outcome: 'applied' | 'refused'
  by: string
  own: boolean
  at: string
  evidence: string
}

/** `code` includes its value (`limit_single_warn:8700`). `sentence` is what the person read. */
export type ConfirmedWarning = { code: string; sentence: string }

/** Its only personal data are the name of the person who acted and the authorization proof. */
export type ActionView = {
  id: string
  operation: ServiceOperationId
  environment: Environment
  account: string | null
  target: string | null
  state: ActionState
  actor: string
  /** True if the signed-in person acted. */
  own: boolean
  reason: string | null
  warnings: readonly ConfirmedWarning[]
  file: { name: string; size: number; sha256: string; copy: DocumentCopy } | null
  /** Statements about the uploaded proof, `file`; `unreadable` if their encryption key is lost. */
  proof: AuthorizationDetails | 'unreadable' | null
  idempotency_key: string
  correlation_id: string
  created_at: string
  settled_at: string | null
  next_check_at: string | null
  /** True if our reason is the object's newest history entry; null if that is unknown. */
  effect_verified: boolean | null
  /** True if the service returned its stored response to an earlier attempt. */
  replayed: boolean
  error: (WireError & { items?: ErrorItem[] }) | null
  attempts: AttemptView[]
  /**
   * Webhook events about the object, newest first; empty unless the outcome is open. They do not
   * decide the outcome.
   */
  evidence: EvidenceView[]
  /**
   * The outcome that people stated, because the service could no longer confirm it; otherwise null.
   */
  decided: { outcome: 'applied' | 'refused'; by: string; at: string; evidence: string } | null
  proposal: ProposalView | null
  /** True if at least two people besides the sender may decide; null unless `needs_human`. */
  others_can_decide: boolean | null
  /** Until this time, a second person may approve the action. Null if it needed no approval. */
  expires_at: string | null
  /** Null if no approval was needed, or until an approver has decided. */
  approval: ApprovalView | null
}

/**
 * The mirror, our copy of the service's lists, may be out of date. `importing`: rows of the first
 * import; `seconds_left` null if unknown. `checked_at`: when payments were last known to be
 * current. `paused`: why nothing is read from the service now.
 */
export type MirrorState = {
  importing: { done: number; total: number; seconds_left: number | null } | null
  checked_at: string | null
  paused: { reason: ErrorCode; since: string } | null
}

/**
 * Has the form of the service's responses, with our request id. A write also has its `action`.
 * - `reveals_left`: how often the person may still reveal masked data in this hour.
 * - `unreadable_rows`: rows of a list that could not be parsed and are missing in `data`.
 * - `left_out`: number of payments that were dropped because they do not match the filter.
 * - `attempts`: number of requests that a read sent to the service; missing if it was one.
 * - `accounts`: for a list from the mirror, the account of each row (`acct_…`), null if unknown.
 * - `read_at`: when a mirror list was last known to be current; missing before the first check.
 * - `kept_since`: the mirror has payments in a final state only from this time on.
 * - `account`: the account of a single object, if neither the object nor the request names it.
 * - `mirror`: the known fields of a single object from the mirror, which the service last returned
 *   at `read_at`. There is no `snapshot`, because decisions must not use mirrored data.
 */
export type ApiAnswer<T> = {
  response_type: 'object' | 'array' | 'error'
  meta: {
    request_id: string
    api_request_id?: string
    read_at?: string
    reveals_left?: number
    unreadable_rows?: UnreadableRow[]
    left_out?: number
    attempts?: number
    accounts?: (string | null)[]
    account?: string | null
    kept_since?: string
    mirror?: readonly string[]
  } & Partial<PageMeta>
  data?: T
  error?: WireError
  action?: ActionView
}
