import type { z } from 'zod'
import type { EventResource } from '@/sandbox/events/event-store'
import type { AccountHeader, AccountHeaderPolicy } from '@/sandbox/http/api-keys'
import type { Problem } from '@/sandbox/http/problem'
import { errorEnvelopeSchema } from '@/sandbox/openapi/envelope-schemas'
import { uuidPattern } from '@/sandbox/store/store'

export type ResponseInfo = { operation: string; answers: 'object' | 'array' }

/** A missing field means that the operation is as in the interface document. */
export type OperationOverrides = {
  account?: AccountHeaderPolicy
  input?: z.ZodType
  output?: z.ZodType
}

/**
 * A wire format of the service: that of the interface document (the API specification) or a variant
 * of it. The sandbox stores objects as the document describes them. A dialect defines how requests
 * are read, and converts each response and event. Responses and events are stored after the
 * conversion, so that a replay or redelivery sends the same bytes.
 */
export type Dialect = {
  name: string
  /** Seed of the random changes; null if the dialect makes none. */
  seed: number | null
  /** One sentence for the home page, the reference and the OpenAPI document. */
  summary: string
  account: AccountHeader
  /** Undefined means that the dialect has no such operation: the path then does not exist. */
  changesOf(operation: { id: string; output: z.ZodType }): OperationOverrides | undefined
  data(data: object, about: ResponseInfo): unknown
  meta(meta: object, about: ResponseInfo): unknown
  envelope(body: object, about: ResponseInfo): object
  /** Returns undefined if the error has no body in this dialect. */
  refusal(body: object, problem: Problem): object | undefined
  event(data: object, resource: EventResource): object
  /** Content types that the service can send, default first. */
  answerTypes: readonly string[]
  /** Null sends no content type. `about` is missing for an error response. */
  contentType(accept: string | undefined, about?: ResponseInfo): string | null
  errorEnvelope: z.ZodType
  /** Changes one JSON Schema of the OpenAPI document in place. */
  describe(jsonSchema: Record<string, unknown>): void
}

/** Format of the interface document. docs/sandbox-differences.md lists what fills its gaps. */
export const documentedDialect: Dialect = {
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
  errorEnvelope: errorEnvelopeSchema,
  describe: () => undefined,
}
