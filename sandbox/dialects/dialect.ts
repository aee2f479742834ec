import type { z } from 'zod'
import type { EventResource } from '@/sandbox/events/event-store'
import type { AccountHeader, AccountPolicy } from '@/sandbox/http/api-keys'
import type { Problem } from '@/sandbox/http/problem'
import { errorEnvelope } from '@/sandbox/openapi/envelope-schemas'
import { uuidPattern } from '@/sandbox/store/store'

export type About = { operation: string; answers: 'object' | 'array' }

/** Overrides of one operation; a missing field keeps the interface document's definition. */
export type Changes = { account?: AccountPolicy; input?: z.ZodType; output?: z.ZodType }

/**
 * Wire format of the service: as in the interface document, or different from it. Inside the sandbox (store, control plane) objects keep
 * the document's shapes. A dialect converts requests when they arrive and responses when they leave. Responses and events are converted
 * before they are stored, so a replay or a redelivery has the same bytes.
 */
export type Dialect = {
  name: string
  /** Random seed; null if the dialect is deterministic. */
  seed: number | null
  /** One sentence for the home page, the reference and the OpenAPI document. */
  summary: string
  account: AccountHeader
  /** Overrides for an operation. Returns undefined if the dialect lacks the operation; its path is then unknown. */
  changesOf(operation: { id: string; output: z.ZodType }): Changes | undefined
  data(data: object, about: About): unknown
  meta(meta: object, about: About): unknown
  envelope(body: object, about: About): object
  /** Converts an error body; undefined for an error without a body. */
  refusal(body: object, problem: Problem): object | undefined
  event(data: object, resource: EventResource): object
  /** Content types the service offers, default first. */
  answerTypes: readonly string[]
  /** Content type for a client's `Accept` header; null for none. Without `about` the response is an error. */
  contentType(accept: string | undefined, about?: About): string | null
  errorEnvelope: z.ZodType
  /** Changes one JSON Schema of the OpenAPI document in place. */
  describe(jsonSchema: Record<string, unknown>): void
}

/** The interface document's dialect; docs/sandbox-differences.md lists how its gaps are filled. */
export const documentDialect: Dialect = {
  name: 'document',
  seed: null,
  summary: 'It speaks as the interface document has it.',
  account: {
    name: 'Service-Account-Id',
    form: 'acct_ and a UUID',
    described: 'acct_ and its UUID, or the bare UUID',
    read: (value) => {
      const id = value.replace(/^acct_/, '')
      return uuidPattern.test(id) ? id.toLowerCase() : undefined
    },
  },
  changesOf: () => ({}),
  data: (data) => data,
  meta: (meta) => meta,
  envelope: (body) => body,
  refusal: (body) => body,
  event: (data) => data,
  answerTypes: ['application/json'],
  contentType: () => 'application/json; charset=utf-8',
  errorEnvelope,
  describe: () => undefined,
}
