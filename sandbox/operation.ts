import type { z } from 'zod'
import type { AccountPolicy } from './http/account-header'
import type { Effect } from './http/journal'
import type { Upload } from './http/read-upload'
import type { ListResult } from './http/wire-answer'
import type { Sandbox } from './sandbox'

/** One request as an operation sees it, everything parsed. `account` is the number of the account it is scoped to, null for the whole platform. */
export type Call<Query = unknown, Input = unknown> = {
  sandbox: Sandbox
  params: Record<string, string>
  query: Query
  input: Input
  account: number | null
  /** The multipart body of an operation that takes a file. */
  upload: Upload | undefined
  now: number
  /** Says what was changed; written to the journal in the same transaction. */
  effect: (effect: Effect) => void
}

/** What every operation says about itself; router, faults, journal, log and the OpenAPI document are made from it. */
type Traits = {
  /** `resource.verb`: the word faults, journal and log use. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/v1/${string}`
  /** One sentence for the OpenAPI document. */
  summary: string
  account: AccountPolicy
  /** 200 unless said otherwise. */
  status?: 200 | 201 | 202
  /** `sandbox` for what production refuses. */
  only?: 'sandbox'
  /** Takes a multipart body with a file instead of JSON. */
  takesFile?: true
}

type Schemas<Query extends z.ZodObject, Input extends z.ZodType, Output extends z.ZodType> = {
  /** The query, strict; without one any parameter is refused. */
  query?: Query
  /** The JSON body; without one the body is not looked at. */
  input?: Input
  /** The resource as it is answered, or one item of the list. */
  output: Output
}

/**
 * One operation of the service. `handle` runs synchronously, inside the transaction when it is a write, and throws a Problem before it
 * changes anything.
 */
export type Operation = Traits & {
  query?: z.ZodObject
  input?: z.ZodType
  output: z.ZodType
  answers: 'object' | 'array'
  handle(call: Call): unknown
}

/** An operation that answers one resource; `handle` gives it. */
export const objectOperation = <Query extends z.ZodObject, Input extends z.ZodType, Output extends z.ZodType>(
  spec: Traits & Schemas<Query, Input, Output> & { handle(call: Call<z.infer<Query>, z.infer<Input>>): z.infer<Output> },
): Operation => ({ ...spec, answers: 'object' })

export const listOperation = <Query extends z.ZodObject, Input extends z.ZodType, Output extends z.ZodType>(
  spec: Traits & Schemas<Query, Input, Output> & { handle(call: Call<z.infer<Query>, z.infer<Input>>): ListResult<z.infer<Output>> },
): Operation => ({ ...spec, answers: 'array' })
