import type { Machine } from '@/sandbox/machine'
import type { Answer, SandboxClient } from '@/sandbox/testing/sandbox-client'
import type { Tally } from './tally'

export type Whole = Record<string, unknown> & { id: string; status: string; updated_at: string }

/** One write; the headers hold its Idempotency-Key. */
export type Send = (headers: Record<string, string>) => Promise<Answer>

export type Ask = {
  move: string
  /** The word of the journal; a decision of the service's compliance has none. */
  operation?: string
  send: Send
  /** The words of a refusal for another reason than the state. */
  veto?: RegExp | undefined
  /** Asking for a state that is there already is a change all the same, of other fields. */
  alreadyWrites?: boolean
  /** The answer is this object as it was before. */
  answersBefore?: boolean
  /** The state it ends in where the table knows only a wider one. */
  lands?: string | undefined
  /** What is asked for runs already, so that nothing changes. */
  idle?: boolean
  /** The effect is another object's; whether this one changes as well. */
  elsewhere?: { changes: boolean }
}

/** What a model is about: the table that says what may happen, where the object is read, and what tells its states apart. */
export type Subject = {
  client: SandboxClient
  table: Machine
  path: string
  /** The resource's word in event types. */
  resource: string
  noun?: string
  stateOf?: (whole: Whole) => string
  tally: Tally
}
