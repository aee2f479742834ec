import type { ErrorCode, ErrorItem, WireError } from '@/lib/errors'
import type { Environment } from './define'
import type { AuthorizationDetails } from './payment-input.schema'
import type { ServiceOperationId } from './service-operations'

/**
 * A field that could not be parsed and was left out of its object. `field` is its dotted path in
 * the service's response. `raw` is its value as short text, masked as in every other read. `raw` is
 * empty if there was no value to parse: see `isUnlisted`.
 */
export type UnreadableField = { field: string; raw: string }

/**
 * True if the field is missing because the service's lists do not contain it. The object then comes
 * from the mirror, our stored copy of these lists, and was not read on its own yet.
 */
export const isUnlisted = ({ raw }: UnreadableField): boolean => raw === ''

/** Text in place of a value that could not be parsed, on screens and in files. */
export const notReadableText = 'Not readable'

/** A row of a list that could not be parsed at all. `id` is null if the row has none. */
export type UnreadableRow = { id: string | null; raw: string }

/** Returns the fields of an object that could not be parsed; empty if there are none. */
export function getUnreadableFields(object: unknown): readonly UnreadableField[] {
  const unreadableFields =
    typeof object === 'object' && object !== null && 'unreadable' in object
      ? object.unreadable
      : undefined
  return Array.isArray(unreadableFields) ? (unreadableFields as UnreadableField[]) : []
}

/** The paging data of a list response (interface document, "Response envelope"). */
export type PageMeta = {
  page_number: number
  page_size: number
  total_items: number
  sort_by?: string
  sort_order?: 'asc' | 'desc'
}

/**
 * The state of an action, which is a write and its outcome. Paydesk sends only an `unknown` action
 * again. Two people decide the outcome of a `needs_human` action. An action that needs a second
 * person's approval waits in `awaiting_approval`. After that, the action is sent, or ends in one of
 * `notSentStates`.
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
 * Final states of an action that was never sent, because it was not approved. `void`: its object,
 * or a permission for it, changed before the approval.
 */
export const notSentStates = ['rejected', 'withdrawn', 'expired', 'void'] as const

/** States of an action whose outcome is open. */
export const openActionStates: readonly ActionState[] = ['sending', 'unknown', 'needs_human']

/**
 * Hours after the first attempt during which Paydesk may send the same request again. The service
 * remembers an idempotency key for about 24 hours. After that, the write could run twice.
 */
export const resendHours = 20

/**
 * One attempt to send an action to the service. `fault` is the error code of the attempt
 * (`classify-answer.ts`); null while the attempt runs, or if the write was applied.
 */
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

/**
 * A webhook about the object of an action. `status` is the object's status in the webhook, null if
 * there is none.
 */
export type EvidenceView = {
  webhook_id: string
  event_type: string
  status: string | null
  received_at: string
}

/**
 * The decision on a request for approval. `by` is the name of the person who decided, null if the
 * request expired or is void. `own` is true if that is the signed-in person. `reason` is why the
 * request was rejected or is void.
 */
export type ApprovalView = {
  outcome: 'approved' | (typeof notSentStates)[number]
  by: string | null
  own: boolean
  at: string
  reason: string | null
}

/**
 * The outcome that one person stated for an action that the service cannot confirm. It takes effect
 * when a second person states the same outcome. `own` is true if the signed-in person stated it.
 */
export type ProposalView = {
  outcome: 'applied' | 'refused'
  by: string
  own: boolean
  at: string
  evidence: string
}

/**
 * A confirmed warning in the action log: its code with its value (`limit_single_warn:8700`), and
 * the sentence that the person read.
 */
export type ConfirmedWarning = { code: string; sentence: string }

/**
 * An action as screens show it. Its only personal data are the name of the person who acted and the
 * authorization proof.
 */
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
  file: { name: string; size: number; sha256: string } | null
  /**
   * The statements about the uploaded authorization proof, `file`; `unreadable` if their encryption
   * key is lost.
   */
  proof: AuthorizationDetails | 'unreadable' | null
  idempotency_key: string
  correlation_id: string
  created_at: string
  settled_at: string | null
  next_check_at: string | null
  /**
   * True if the object in the response shows our reason as its newest history entry; null if that
   * cannot be determined.
   */
  effect_verified: boolean | null
  /** True if the service returned its stored response to an earlier attempt. */
  replayed: boolean
  error: (WireError & { items?: ErrorItem[] }) | null
  attempts: AttemptView[]
  /**
   * Webhooks about the action's object, newest first, while the outcome is open. They do not decide
   * the outcome.
   */
  evidence: EvidenceView[]
  /**
   * The outcome that people stated because the service could no longer be asked for it; null for
   * other actions. `by` is a name.
   */
  decided: { outcome: 'applied' | 'refused'; by: string; at: string; evidence: string } | null
  /** The outcome that one person stated, until a second person states the same outcome. */
  proposal: ProposalView | null
  /**
   * In the state `needs_human`: true if at least two people besides the sender may decide the
   * outcome. Null in every other state.
   */
  others_can_decide: boolean | null
  /** The time until which a second person may approve the action; null if it needed no approval. */
  expires_at: string | null
  /**
   * The decision on the request for approval; null if no approval was needed or nobody decided yet.
   */
  approval: ApprovalView | null
}

/**
 * State of an environment's mirror, our stored copy of the service's lists, if it may be out of
 * date. `importing` is the progress of the first import: rows read, all rows, and seconds left
 * (null if unknown). `checked_at` is when payments were last known to be current. `paused` is why
 * nothing is read from the service now.
 */
export type MirrorState = {
  importing: { done: number; total: number; seconds_left: number | null } | null
  checked_at: string | null
  paused: { reason: ErrorCode; since: string } | null
}

/**
 * A response of our API. It has the form of the service's responses, with our request id in `meta`.
 * A write also has its `action`. The other fields of `meta`:
 * - `reveals_left`: how often the person may still reveal masked data in this hour.
 * - `unreadable_rows`: rows of a list that could not be parsed and are missing in `data`.
 * - `left_out`: number of payments that were dropped because they do not match the filter.
 * - `attempts`: number of requests that a read sent to the service; missing if it was one.
 * - `accounts`: for a list from the mirror, the account of each row (`acct_…`), null if unknown.
 * - `read_at`: for a list from the mirror, when it was last known to be current; missing before the
 *   first check.
 * - `kept_since`: the mirror has payments in a final state only from this time on.
 * - `account`: the account of a single object, if neither the object nor the request names it.
 * - `mirror`: for a single object from the mirror, the names of its known fields. Then `read_at` is
 *   when the service last returned the object like this. There is no `snapshot`, because decisions
 *   must not use mirrored data.
 */
export type Answer<T> = {
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
