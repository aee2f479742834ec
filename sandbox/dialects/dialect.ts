import type { z } from 'zod'
import type { EventResource } from '@/sandbox/events/event-store'
import type { AccountHeader, AccountPolicy } from '@/sandbox/http/account-header'
import type { Problem } from '@/sandbox/http/problem'

/** What an answer is about: its operation, and whether its data is one object or an item of a list. */
export type About = { operation: string; answers: 'object' | 'array' }

/** What a dialect has otherwise of an operation; what is not named stays as the interface document has it. */
export type Changes = { account?: AccountPolicy; input?: z.ZodType; output?: z.ZodType }

/**
 * How the service speaks on the wire: the interface document's way, or another one. Everything inside, the store and the control plane among it,
 * keeps the document's shapes; a dialect changes requests on their way in and answers on their way out. Answers and events are changed before
 * they are kept, so that a replay and a second delivery say what the first one said.
 */
export type Dialect = {
  /** Its name on the command line and the control plane. */
  name: string
  /** What its chance begins from; null where there is none in it. */
  seed: number | null
  /** One sentence for the home page, the reference and the OpenAPI document. */
  summary: string
  account: AccountHeader
  /** What is otherwise of an operation, or undefined where there is no such operation: its path is then an unknown one. */
  changesOf(operation: { id: string; output: z.ZodType }): Changes | undefined
  /** The data of an answer, given object by object: one that is answered, or each item of a list. */
  data(data: object, about: About): unknown
  /** The `meta` of an answer. */
  meta(meta: object, about: About): unknown
  /** The whole body of an answer, when its parts have been told. */
  envelope(body: object, about: About): object
  /** The body of a refusal; undefined for one without a body. */
  refusal(body: object, problem: Problem): object | undefined
  /** The data of an event. */
  event(data: object, resource: EventResource): object
  /** The content types that answers are offered in, the usual one first. */
  answerTypes: readonly string[]
  /** The content type of an answer, or of a refusal when `about` is missing, for the `Accept` header a client sent; null for none at all. */
  contentType(accept: string | undefined, about?: About): string | null
  /** What the OpenAPI document says of the envelope of an error. */
  errorEnvelope: z.ZodType
  /** Changes what the OpenAPI document says of a part of an answer, in place. */
  describe(jsonSchema: Record<string, unknown>): void
}
