import type { z } from 'zod'
import type { AccountHeaderPolicy } from '@/sandbox/http/api-keys'
import type { JournalEffect } from '@/sandbox/http/journal'
import type { Upload } from '@/sandbox/http/read-body'
import { type PagingQuery, toListResult, toRequestedPage } from '@/sandbox/http/read-query'
import type { ListResult } from '@/sandbox/http/send-response'
import type { Sandbox } from './sandbox'

/**
 * Input of an operation. `account` is the row number of the account in the header; null for the
 * whole platform. It is the only account if the integration is a direct account.
 */
export type OperationCall<Query = unknown, Input = unknown> = {
  sandbox: Sandbox
  params: Record<string, string>
  query: Query
  input: Input
  account: number | null
  upload: Upload | undefined
  now: number
  /** Writes the journal row of a change, in the same transaction as the change. */
  effect: (effect: JournalEffect) => void
}

export type OperationTraits = {
  /** The name of the operation in faults, journal and log: `resource.verb`. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/v1/${string}`
  /** One sentence for the OpenAPI document. */
  summary: string
  account: AccountHeaderPolicy
  /** HTTP status of a successful response, 200 by default. */
  status?: 200 | 201 | 202
  /** Set to `sandbox` if production does not allow the operation. */
  only?: 'sandbox'
  /** True if a direct account, which has no platform, must not call the operation. */
  needsPlatform?: true
  takesFile?: true
}

export type SandboxOperationSchemas<
  Query extends z.ZodObject,
  Input extends z.ZodType,
  Output extends z.ZodType,
> = {
  /** Strict schema of the query. Without it, the operation accepts no parameter. */
  query?: Query
  /** Schema of the JSON body; without it the body is ignored. */
  input?: Input
  output: Output
}

/**
 * `handle` is synchronous, and runs in a transaction for a write. It must throw any Problem before
 * it changes anything: the rollback restores the database, but not the data in memory.
 */
export type Operation = OperationTraits & {
  query?: z.ZodObject
  input?: z.ZodType
  output: z.ZodType
  answers: 'object' | 'array'
  handle(call: OperationCall): unknown
}

export const defineObjectOperation = <
  Query extends z.ZodObject,
  Input extends z.ZodType,
  Output extends z.ZodType,
>(
  spec: OperationTraits &
    SandboxOperationSchemas<Query, Input, Output> & {
      handle(call: OperationCall<z.infer<Query>, z.infer<Input>>): z.infer<Output>
    },
): Operation => ({ ...spec, answers: 'object' })

export const defineArrayOperation = <
  Query extends z.ZodObject,
  Input extends z.ZodType,
  Output extends z.ZodType,
>(
  spec: OperationTraits &
    SandboxOperationSchemas<Query, Input, Output> & {
      handle(call: OperationCall<z.infer<Query>, z.infer<Input>>): ListResult<z.infer<Output>>
    },
): Operation => ({ ...spec, answers: 'array' })

export type SearchableQuery = PagingQuery & { search_text?: string | undefined }

export type PagedListSpec<Query extends z.ZodObject, Output extends z.ZodType> = Pick<
  OperationTraits,
  'id' | 'path' | 'summary' | 'account' | 'needsPlatform'
> & {
  query: Query & z.ZodType<SearchableQuery>
  output: Output
  /** Default sort key; `id` if missing. */
  sort?: string
}

export const definePagedList = <Query extends z.ZodObject, Output extends z.ZodType>(
  { sort = 'id', ...spec }: PagedListSpec<Query, Output>,
  readPage: (
    call: OperationCall<z.infer<Query>>,
    page: ReturnType<typeof toRequestedPage>,
  ) => { total: number; items: z.infer<Output>[] },
): Operation =>
  defineArrayOperation({
    ...spec,
    method: 'GET',
    handle: (call: OperationCall<z.infer<Query>>) => {
      const query = call.query as SearchableQuery
      const { total, items } = readPage(call, toRequestedPage(query, sort))
      return toListResult(query, sort, total, items)
    },
  })
