import type { z } from 'zod'
import type { AccountPolicy } from '@/sandbox/http/api-keys'
import type { Effect } from '@/sandbox/http/journal'
import type { Upload } from '@/sandbox/http/read-body'
import { type Paged, toListResult, toRequestedPage } from '@/sandbox/http/read-query'
import type { ListResult } from '@/sandbox/http/send-response'
import type { Sandbox } from './sandbox'

/** A parsed request. `account` is the row number of the account in its header; null for the whole platform. */
export type Call<Query = unknown, Input = unknown> = {
  sandbox: Sandbox
  params: Record<string, string>
  query: Query
  input: Input
  account: number | null
  upload: Upload | undefined
  now: number
  /** Reports a change. The journal row is written in the same transaction. */
  effect: (effect: Effect) => void
}

/** Description of an operation, used by the router, faults, journal, log and OpenAPI document. */
export type Traits = {
  /** `resource.verb`: the operation's name in faults, journal and log. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/v1/${string}`
  /** One sentence for the OpenAPI document. */
  summary: string
  account: AccountPolicy
  /** 200 by default. */
  status?: 200 | 201 | 202
  /** `sandbox` if production does not allow the operation. */
  only?: 'sandbox'
  takesFile?: true
}

export type Schemas<Query extends z.ZodObject, Input extends z.ZodType, Output extends z.ZodType> = {
  /** Strict schema of the query. Without it, the operation accepts no parameter. */
  query?: Query
  /** Schema of the JSON body; without it the body is ignored. */
  input?: Input
  output: Output
}

/**
 * One operation of the service. `handle` is synchronous; for a write, it runs in a transaction. It must throw any Problem before it changes
 * anything.
 */
export type Operation = Traits & {
  query?: z.ZodObject
  input?: z.ZodType
  output: z.ZodType
  answers: 'object' | 'array'
  handle(call: Call): unknown
}

export const objectOperation = <Query extends z.ZodObject, Input extends z.ZodType, Output extends z.ZodType>(
  spec: Traits & Schemas<Query, Input, Output> & { handle(call: Call<z.infer<Query>, z.infer<Input>>): z.infer<Output> },
): Operation => ({ ...spec, answers: 'object' })

export const listOperation = <Query extends z.ZodObject, Input extends z.ZodType, Output extends z.ZodType>(
  spec: Traits & Schemas<Query, Input, Output> & { handle(call: Call<z.infer<Query>, z.infer<Input>>): ListResult<z.infer<Output>> },
): Operation => ({ ...spec, answers: 'array' })

export type SearchableQuery = Paged & { search_text?: string | undefined }

export type List<Query extends z.ZodObject, Output extends z.ZodType> = Pick<Traits, 'id' | 'path' | 'summary' | 'account'> & {
  query: Query & z.ZodType<SearchableQuery>
  output: Output
  /** Default sort key; `id` if missing. */
  sort?: string
}

/** Defines a list operation. `readPage` returns one page and the number of all matches. */
export const pagedList = <Query extends z.ZodObject, Output extends z.ZodType>(
  { sort = 'id', ...spec }: List<Query, Output>,
  readPage: (call: Call<z.infer<Query>>, page: ReturnType<typeof toRequestedPage>) => { total: number; items: z.infer<Output>[] },
): Operation =>
  listOperation({
    ...spec,
    method: 'GET',
    handle: (call: Call<z.infer<Query>>) => {
      const query = call.query as SearchableQuery
      const { total, items } = readPage(call, toRequestedPage(query, sort))
      return toListResult(query, sort, total, items)
    },
  })
