import type { Machine } from '@/sandbox/machine'
import type { Answer, SandboxClient } from '@/tests/sandbox/sandbox-client'
import type { Tally } from './tally'

export type Whole = Record<string, unknown> & { id: string; status: string; updated_at: string }

/** Sends one write; `headers` contains its Idempotency-Key. */
export type Send = (headers: Record<string, string>) => Promise<Answer>

export type Ask = {
  move: string
  /** Operation in the journal; compliance decisions have none. */
  operation?: string
  send: Send
  /** Expected text of a refusal for a reason other than the state. */
  veto?: RegExp | undefined
  /** True if a request for the current state still changes other fields. */
  alreadyWrites?: boolean
  /** True if the response is the object before the change. */
  answersBefore?: boolean
  /** Final state, if more specific than the table's. */
  lands?: string | undefined
  /** True if the requested work already runs, so nothing changes. */
  idle?: boolean
  /** Set if the effect is another object's; `changes` is true if this object changes too. */
  elsewhere?: { changes: boolean }
}

/** Configuration of a model: the table of moves, the path to read the object, and how to derive its state. */
export type Subject = {
  client: SandboxClient
  table: Machine
  path: string
  /** Resource name in event types. */
  resource: string
  noun?: string
  stateOf?: (whole: Whole) => string
  tally: Tally
}
