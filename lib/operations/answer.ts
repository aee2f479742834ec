import type { ErrorCode, ErrorItem, WireError } from '@/lib/errors'
import type { Environment } from './define'
import type { Proof } from './payment-input.schema'
import type { ServiceOperationId } from './service-operations'

/**
 * A part of an object that could not be read and was left out: `field` is its dotted path as the service names it, `raw` what was there, as short
 * text with everything masked that an ordinary read masks. An empty one says that nothing was there to read: see `isUnlisted`.
 */
export type Unreadable = { field: string; raw: string }

/** Whether a part is missing because no list shows it: the object is from the mirror, and was not read alone yet. */
export const isUnlisted = ({ raw }: Unreadable): boolean => raw === ''

/** The one word for what could not be read, on screens and in files. */
export const notReadable = 'Not readable'

/** A row of a list that could not be read at all; `id` is null where it bears none. */
export type UnreadableRow = { id: string | null; raw: string }

/** The parts of an object as the service answered it that could not be read; none for an object that was read whole. */
export function unreadableIn(object: unknown): readonly Unreadable[] {
  const found = typeof object === 'object' && object !== null && 'unreadable' in object ? object.unreadable : undefined
  return Array.isArray(found) ? (found as Unreadable[]) : []
}

/** Page figures of a list answer (interface document, "Response envelope"). */
export type PageMeta = { page_number: number; page_size: number; total_items: number; sort_by?: string; sort_order?: 'asc' | 'desc' }

/**
 * The state of an action. Only `unknown` is ever replayed; `needs_human` is decided by two people. What needs a second person waits in
 * `awaiting_approval` and ends in one of `notSentStates`, or is sent.
 */
export type ActionState =
  | 'awaiting_approval'
  | 'sending'
  | 'applied'
  | 'refused'
  | 'unknown'
  | 'needs_human'
  | (typeof notSentStates)[number]

/** How a request for approval ends that nobody approved: nothing was sent. `void`: what it was about, or who may do it, changed meanwhile. */
export const notSentStates = ['rejected', 'withdrawn', 'expired', 'void'] as const

/** The action log's states that still wait for an outcome. */
export const openStates: readonly ActionState[] = ['sending', 'unknown', 'needs_human']

/** The service keeps keys for about 24 hours; bytes sent later than this after the first attempt could be a second run. */
export const fuseHours = 20

/** One time the action's bytes were sent (or tried to be). `fault` is the word of the fault matrix; null where an answer was read. */
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

/** A webhook about the object of an action; `status` is the object's, where it has one. */
export type EvidenceView = { webhook_id: string; event_type: string; status: string | null; received_at: string }

/** The answer to a request for approval. `by` is a name, null if the request expired or is void; `own` is true for the reader's own answer; `reason` is why it was rejected or is void. */
export type ApprovalView = {
  outcome: 'approved' | (typeof notSentStates)[number]
  by: string | null
  own: boolean
  at: string
  reason: string | null
}

/** What a first person says became of an action nobody can confirm; a second one has to say the same. `own`: the reader said it. */
export type ProposalView = { outcome: 'applied' | 'refused'; by: string; own: boolean; at: string; evidence: string }

/** A warning as the action log keeps it: its code with what it names (`limit_single_warn:8700`) and the sentence that was ticked. */
export type TickedWarning = { code: string; sentence: string }

/** An action as a screen shows it. Holds no personal data but the acting person's name, and what was said of an authorization proof. */
export type ActionView = {
  id: string
  operation: ServiceOperationId
  environment: Environment
  account: string | null
  target: string | null
  state: ActionState
  actor: string
  /** Whether the reader is the one who acted. */
  own: boolean
  reason: string | null
  /** What was ticked before it was sent. */
  warnings: readonly TickedWarning[]
  file: { name: string; size: number; sha256: string } | null
  /** What was said of that file; `unreadable` where the key it is encrypted under is lost. */
  proof: Proof | 'unreadable' | null
  idempotency_key: string
  correlation_id: string
  created_at: string
  settled_at: string | null
  next_check_at: string | null
  /** Whether the answered object shows our reason as its newest history entry; null where that cannot be told. */
  effect_verified: boolean | null
  /** The service answered from its own record of an earlier attempt. */
  replayed: boolean
  error: (WireError & { items?: ErrorItem[] }) | null
  attempts: AttemptView[]
  /** What the service delivered about its object since, while its outcome is open; newest first. It settles nothing. */
  evidence: EvidenceView[]
  /** Who stated its outcome, where the service could not be asked any more; null for every other action. `by` is a name. */
  decided: { outcome: 'applied' | 'refused'; by: string; at: string; evidence: string } | null
  /** What a first person says became of it, while a second one has not agreed. */
  proposal: ProposalView | null
  /** While people have to decide it: whether there are two besides its sender who may. Null everywhere else. */
  others_can_decide: boolean | null
  /** Until when a second person may approve it; null for what needed none. */
  expires_at: string | null
  /** What a second person said of it; null where none was needed or none did yet. */
  approval: ApprovalView | null
}

/**
 * Why lists may not show the newest: how far the mirror of an environment is. `importing`: what was read of all there is, and how long the rest may take (seconds; null where that cannot be
 * told). `checked_at` is since when nothing newer is known of payments, `paused` why nothing is read at present.
 */
export type MirrorState = {
  importing: { done: number; total: number; seconds_left: number | null } | null
  checked_at: string | null
  paused: { reason: ErrorCode; since: string } | null
}

/**
 * What our API answers: the service's envelope, with our request id in `meta` and the action beside the data of a write. `reveals_left` is on a
 * reveal: how many the person has left within this hour. `unreadable_rows` are those of a list that are missing in `data`.
 * `left_out` counts payments that contradict the search they answer.
 * `attempts` is how often the service was asked for a read, where that was not once. `accounts` are those of the rows of a list from the mirror, as
 * `acct_…`, null where nobody knows; its `read_at` is since when nothing newer is known, and is missing as long as nobody has looked. `kept_since`: rows
 * that wait for nothing are kept from then on. `account` is that of a
 * single object which does not name it, where it was read in no account's scope. `mirror`: what is known of a single object that the mirror has, by field; `read_at`
 * is when the service last showed it so, and there is no `snapshot`, because nobody decides by it.
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
