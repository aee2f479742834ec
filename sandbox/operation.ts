import type { Effect } from './http/journal'
import type { RawBody } from './http/read-body'
import type { Upload } from './http/read-upload'
import type { ListResult } from './http/wire-answer'
import type { Sandbox } from './sandbox'

/** One request as an operation sees it. `account` is the number of the account it is scoped to, null for the whole platform. */
export type Call = {
  sandbox: Sandbox
  params: Record<string, string>
  query: URLSearchParams
  account: number | null
  contentType: string
  body: RawBody | undefined
  upload: Upload | undefined
  now: number
  /** Says what was changed; written to the journal in the same transaction. */
  effect: (effect: Effect) => void
}

/** What an operation gives: one resource, or a page of a list. */
export type Result = { status: 200 | 201; data: unknown } | { list: ListResult }

/**
 * One operation of the service. `id` is the word faults, journal and log use. `account` says whether Service-Account-Id scopes it or,
 * as on accounts and their settings, is not looked at. `handle` runs synchronously, inside the transaction when it is a write, and throws
 * a Problem before it changes anything.
 */
export type Operation = {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/v1/${string}`
  account: 'scoped' | 'ignored'
  body: 'none' | 'json' | 'file'
  handle: (call: Call) => Result
}
