import type { z } from 'zod'
import type { EventResource } from '@/sandbox/events/event-store'
import type { AccountHeader, AccountPolicy } from '@/sandbox/http/api-keys'
import type { Problem } from '@/sandbox/http/problem'
import { errorEnvelope } from '@/sandbox/openapi/envelope-schemas'
import { uuidPattern } from '@/sandbox/store/store'

export type ResponseInfo = { operation: string; answers: 'object' | 'array' }

/** Overrides of one operation in a dialect. A missing field means that the interface document's definition applies. */
export type OperationOverrides = { account?: AccountPolicy; input?: z.ZodType; output?: z.ZodType }

/**
 * A wire format of the service: the interface document's or a different one. The sandbox stores objects in the document's shapes. A dialect
 * converts each incoming request and each outgoing response and event. Responses and events are stored after the conversion, so that a
 * replay or redelivery has the same bytes.
 */
export type Dialect = {
  name: string
  /** Random seed; null if the dialect is not random. */
  seed: number | null
  /** One sentence for the home page, the reference and the OpenAPI document. */
  summary: string
  account: AccountHeader
  /** Returns the overrides of an operation. Returns undefined if the dialect has no such operation; its path is then unknown. */
  changesOf(operation: { id: string; output: z.ZodType }): OperationOverrides | undefined
  data(data: object, about: ResponseInfo): unknown
  meta(meta: object, about: ResponseInfo): unknown
  envelope(body: object, about: ResponseInfo): object
  /** Converts an error body. Returns undefined if the error has no body in this dialect. */
  refusal(body: object, problem: Problem): object | undefined
  event(data: object, resource: EventResource): object
  /** Content types that the service can send, default first. */
  answerTypes: readonly string[]
  /** Returns the content type for a client's `Accept` header, or null to send none. Without `about`, the response is an error. */
  contentType(accept: string | undefined, about?: ResponseInfo): string | null
  errorEnvelope: z.ZodType
  /** Changes one JSON Schema of the OpenAPI document in place. */
  describe(jsonSchema: Record<string, unknown>): void
}

/** The dialect of the interface document. Where the document has gaps, docs/sandbox-differences.md describes what the sandbox does. */
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
