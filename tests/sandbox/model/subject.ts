import type { StateMachine } from '@/sandbox/machine'
import type { SandboxClient, SandboxResponse } from '@/tests/sandbox/sandbox-client'
import type { MoveTally } from './tally'

export type ServiceObject = Record<string, unknown> & {
  id: string
  status: string
  updated_at: string
}

/** Sends one write. `headers` contains its Idempotency-Key. */
export type SendWrite = (headers: Record<string, string>) => Promise<SandboxResponse>

export type MoveRequest = {
  move: string
  /** Operation id in the journal. Compliance decisions have none. */
  operation?: string
  send: SendWrite
  /** Expected error text if the request must fail for a reason other than the state. */
  veto?: RegExp | undefined
  /**
   * True if the request changes other fields even though the object is already in the requested
   * status.
   */
  alreadyWrites?: boolean
  /** True if the response contains the object as it was before the change. */
  answersBefore?: boolean
  /** Expected state after the move, if it is more specific than the target in the state machine. */
  lands?: string | undefined
  /** True if the requested work already runs, so that the request changes nothing. */
  idle?: boolean
  /** Set if the request creates another object. `changes` is true if this object changes too. */
  elsewhere?: { changes: boolean }
}

/**
 * Configuration of a model: the object's state machine (`table`), the path that reads the object,
 * and the function that derives its state.
 */
export type ModelSubject = {
  client: SandboxClient
  table: StateMachine
  path: string
  /** Name of the resource in event types. */
  resource: string
  noun?: string
  stateOf?: (whole: ServiceObject) => string
  tally: MoveTally
}
