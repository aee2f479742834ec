import type { ErrorItem, WireError } from '@/lib/errors'
import type { Environment } from './define'
import type { OperationId } from './rows'

/** Page figures of a list answer (interface document, "Response envelope"). */
export type PageMeta = { page_number: number; page_size: number; total_items: number; sort_by?: string; sort_order?: 'asc' | 'desc' }

/** Where an action stands. Only `unknown` is ever replayed; `needs_human` is decided by a person. */
export type ActionState = 'sending' | 'applied' | 'refused' | 'unknown' | 'needs_human'

/** The action book's states that still wait for an outcome. */
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

/** An action as a screen shows it. Holds no personal data but the acting person's name. */
export type ActionView = {
  id: string
  operation: OperationId
  environment: Environment
  account: string | null
  target: string | null
  state: ActionState
  actor: string
  /** Whether the reader is the one who acted. */
  own: boolean
  reason: string | null
  file: { name: string; size: number; sha256: string } | null
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
  /** Who said what became of it, where the service could not be asked any more; null for every other action. `by` is a name. */
  decided: { outcome: 'applied' | 'refused'; by: string; at: string; evidence: string } | null
  /** For its sender while a person has to decide it: whether there is another who may. Null everywhere else. */
  others_can_decide: boolean | null
}

/**
 * What our API answers: the service's envelope, with our request id in `meta` and the action beside the data of a write. `reveals_left` stands on a
 * reveal: how many the person has left within this hour.
 */
export type Answer<T> = {
  response_type: 'object' | 'array' | 'error'
  meta: { request_id: string; api_request_id?: string; read_at?: string; reveals_left?: number } & Partial<PageMeta>
  data?: T
  error?: WireError
  action?: ActionView
}
