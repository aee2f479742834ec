import type { ErrorCode, ErrorItem, WireError } from '@/lib/errors'
import type { Environment } from './define'
import type { Proof } from './payment-input.schema'
import type { ServiceOperationId } from './service-operations'

/**
 * A part of an object that could not be read and was left out. `field` is its dotted path as the service names it. `raw` is its value as
 * short text, with the masks of an ordinary read. An empty `raw` means that there was no value to read: see `isUnlisted`.
 */
export type Unreadable = { field: string; raw: string }

/** True if a part is missing because no list contains it: the object is from the mirror and was not yet read alone. */
export const isUnlisted = ({ raw }: Unreadable): boolean => raw === ''

/** Text for values that could not be read, on screens and in files. */
export const notReadable = 'Not readable'

/** A row of a list that could not be read at all; `id` is null if it has none. */
export type UnreadableRow = { id: string | null; raw: string }

/** Returns the parts of an object that could not be read; empty if all were readable. */
export function unreadableIn(object: unknown): readonly Unreadable[] {
  const found = typeof object === 'object' && object !== null && 'unreadable' in object ? object.unreadable : undefined
  return Array.isArray(found) ? (found as Unreadable[]) : []
}

/** Page figures of a list response (interface document, "Response envelope"). */
export type PageMeta = { page_number: number; page_size: number; total_items: number; sort_by?: string; sort_order?: 'asc' | 'desc' }

/**
 * The state of an action. Only `unknown` is ever replayed; two people decide `needs_human`. An action that needs a second person waits in
 * `awaiting_approval`. It is then sent, or ends in one of `notSentStates`.
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
 * Final states of an action without approval: nothing was sent. `void`: its object, or the permission for it, changed before the approval.
 */
export const notSentStates = ['rejected', 'withdrawn', 'expired', 'void'] as const

/** States of an action whose outcome is open. */
export const openStates: readonly ActionState[] = ['sending', 'unknown', 'needs_human']

/**
 * Hours after the first attempt in which the same bytes may be sent again. The service keeps keys for about 24 hours, and a later send
 * could be a second run.
 */
export const fuseHours = 20

/** One attempt to send the action's bytes. `fault` is the word of the fault matrix; null if a response was read. */
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

/** A webhook about the object of an action; `status` is the object's, null if it has none. */
export type EvidenceView = { webhook_id: string; event_type: string; status: string | null; received_at: string }

/**
 * The answer to a request for approval. `by` is a name, null if the request expired or is void. `own` is true for the reader's own answer.
 * `reason` is why it was rejected or is void.
 */
export type ApprovalView = {
  outcome: 'approved' | (typeof notSentStates)[number]
  by: string | null
  own: boolean
  at: string
  reason: string | null
}

/**
 * The outcome that a first person states for an action that cannot be confirmed. A second one must state the same. `own`: the reader stated
 * it.
 */
export type ProposalView = { outcome: 'applied' | 'refused'; by: string; own: boolean; at: string; evidence: string }

/** A warning as the action log stores it: its code with its value (`limit_single_warn:8700`) and the sentence that was ticked. */
export type TickedWarning = { code: string; sentence: string }

/** An action as a screen shows it. Its only personal data is the name of the person who acted and the authorization proof. */
export type ActionView = {
  id: string
  operation: ServiceOperationId
  environment: Environment
  account: string | null
  target: string | null
  state: ActionState
  actor: string
  /** True if the reader is the person who acted. */
  own: boolean
  reason: string | null
  warnings: readonly TickedWarning[]
  file: { name: string; size: number; sha256: string } | null
  /** The authorization proof of that file; `unreadable` if its encryption key is lost. */
  proof: Proof | 'unreadable' | null
  idempotency_key: string
  correlation_id: string
  created_at: string
  settled_at: string | null
  next_check_at: string | null
  /** True if the object in the response shows our reason as its newest history entry; null if that cannot be determined. */
  effect_verified: boolean | null
  /** True if the service responded from its own record of an earlier attempt. */
  replayed: boolean
  error: (WireError & { items?: ErrorItem[] }) | null
  attempts: AttemptView[]
  /** Webhooks about its object, newest first, while its outcome is open. They do not settle it. */
  evidence: EvidenceView[]
  /** The outcome that people stated because the service could no longer be queried; null for every other action. `by` is a name. */
  decided: { outcome: 'applied' | 'refused'; by: string; at: string; evidence: string } | null
  /** The outcome that a first person stated, until a second one agrees. */
  proposal: ProposalView | null
  /** In `needs_human`: true if two people besides the sender may decide it. Null in every other state. */
  others_can_decide: boolean | null
  /** End of the time in which a second person may approve it; null if it needed no approval. */
  expires_at: string | null
  /** The answer to its request for approval; null if none was needed or given. */
  approval: ApprovalView | null
}

/**
 * State of an environment's mirror if lists may be out of date. `importing`: rows read, rows in all, and the seconds left (null if
 * unknown). `checked_at` is when payments were last known to be current. `paused` is why nothing is read now.
 */
export type MirrorState = {
  importing: { done: number; total: number; seconds_left: number | null } | null
  checked_at: string | null
  paused: { reason: ErrorCode; since: string } | null
}

/**
 * A response of our API: the service's envelope, with our request id in `meta` and the action beside the data of a write.
 * - `reveals_left`: reveals that the person has left in this hour.
 * - `unreadable_rows`: rows of a list that are missing in `data`.
 * - `left_out`: number of payments dropped because they contradict the search.
 * - `attempts`: times that a read was sent to the service, if not once.
 * - `accounts`: for a list from the mirror, the account of each row (`acct_…`), null if unknown.
 * - `read_at`: for a list from the mirror, when it was last known to be current; missing before the first check.
 * - `kept_since`: closed rows are kept from this time on.
 * - `account`: the account of a single object that does not name it, if the read had no account scope.
 * - `mirror`: the known fields of a single object from the mirror. Its `read_at` is when the service last showed it so. It has no
 *   `snapshot`, because decisions must not use it.
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
