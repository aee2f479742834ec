import { z } from 'zod'
import type { Dialect } from '@/sandbox/dialects/dialect'
import type { AccountHeaderRule } from '@/sandbox/http/api-keys'
import { makeUnauthorizedProblem } from '@/sandbox/http/problem'
import type { Operation } from '@/sandbox/operation'
import { uuidPattern } from '@/sandbox/store/store'
import {
  authenticationErrorSchema,
  idempotencyErrorSchema,
  listMetaSchema,
  requestMetaSchema,
} from './envelope-schemas'

/** A JSON Schema (draft 2020-12), or any other object of the OpenAPI document. */
export type Json = Record<string, unknown>

/** OpenAPI tools know these formats, so Zod's long regular expressions for them are removed. */
const knownFormats = new Set(['date-time', 'date', 'email', 'ipv4', 'uuid', 'uri'])

const definitionPrefix = '#/$defs/'

function simplifySchema({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.pattern === uuidPattern.source) jsonSchema.format = 'uuid'
  if (knownFormats.has(String(jsonSchema.format))) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/**
 * Collects the schemas of the OpenAPI document. A schema with an id in its `meta` is written once
 * and then referred to. Its input and output forms are separate schemas, because a field can be
 * optional in only one of them.
 */
export class SchemaRegistry {
  readonly #components = new Map<string, string>()
  readonly #describe: Dialect['describe']

  constructor({ describe }: Pick<Dialect, 'describe'>) {
    this.#describe = describe
  }

  /** Throws Error if JSON Schema cannot express `schema`, or another schema has the same id. */
  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, {
      io,
      override: io === 'output' ? this.#tellAnswer : simplifySchema,
    }) as Json & {
      $defs?: Record<string, Json>
    }
    const toComponentName = (id: string) =>
      io === 'output' || id.endsWith('Input') ? id : `${id}Input`
    const rewriteRefs = (part: Json): Json =>
      JSON.parse(JSON.stringify(part), (key, value) =>
        key === '$ref' && typeof value === 'string' && value.startsWith(definitionPrefix)
          ? `#/components/schemas/${toComponentName(value.slice(definitionPrefix.length))}`
          : value,
      )
    for (const [id, part] of Object.entries($defs))
      this.name(toComponentName(id), rewriteRefs(part))
    return rewriteRefs(own)
  }

  name(name: string, schema: Json): Json {
    const schemaText = JSON.stringify(schema)
    const existingSchemaText = this.#components.get(name)
    if (existingSchemaText !== undefined && existingSchemaText !== schemaText)
      throw new Error(`two different schemas are called ${name}`)
    this.#components.set(name, schemaText)
    return { $ref: `#/components/schemas/${name}` }
  }

  #tellAnswer = (context: { jsonSchema: Json }): void => {
    simplifySchema(context)
    this.#describe(context.jsonSchema)
  }

  components(): Record<string, Json> {
    const sortedComponents = [...this.#components].toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    )
    return Object.fromEntries(
      sortedComponents.map(([name, text]) => [name, JSON.parse(text) as Json]),
    )
  }
}

const makeResponseContent = ({ answerTypes }: Dialect, schema: Json): Json =>
  Object.fromEntries(answerTypes.map((type) => [type, { schema }]))

const makeResponseHeaderRefs = (isReplayable: boolean): Json =>
  Object.fromEntries(
    [
      ['Request-Id', 'RequestId'],
      ['Correlation-Id', 'CorrelationId'],
      ...(isReplayable ? [['Idempotent-Replayed', 'IdempotentReplayed']] : []),
    ].map(([header, name]) => [header, { $ref: `#/components/headers/${name}` }]),
  )

function makeUnauthorizedResponse(registry: SchemaRegistry, dialect: Dialect): Json {
  const unauthorizedDescription =
    'No usable API key: none, an invalid one, an expired one, or one of the other environment.'
  const responseWithoutBody = {
    description: unauthorizedDescription,
    headers: makeResponseHeaderRefs(false),
  }
  if (dialect.refusal({}, makeUnauthorizedProblem('')) === undefined) return responseWithoutBody
  return {
    ...responseWithoutBody,
    content: makeResponseContent(dialect, registry.add(authenticationErrorSchema, 'output')),
  }
}

/**
 * Returns the error responses by name. Only those for writes include the errors of an
 * Idempotency-Key.
 */
export function makeErrorResponses(
  registry: SchemaRegistry,
  dialect: Dialect,
): Record<string, Json> {
  const errorEnvelopeRef = registry.add(dialect.errorEnvelope, 'output')
  const idempotencyErrorRef = registry.add(idempotencyErrorSchema, 'output')
  const makeErrorResponse =
    (isReplayable: boolean) =>
    (description: string, schema = errorEnvelopeRef) => ({
      ...{
        description,
        headers: makeResponseHeaderRefs(isReplayable),
        content: makeResponseContent(dialect, schema),
      },
    })
  const [plainResponse, replayableResponse] = [makeErrorResponse(false), makeErrorResponse(true)]
  return {
    BadRead: plainResponse('The request is malformed: a path, a parameter or a header.'),
    BadWrite: replayableResponse('The request is malformed, or the Idempotency-Key is.', {
      anyOf: [errorEnvelopeRef, idempotencyErrorRef],
    }),
    Unauthorized: makeUnauthorizedResponse(registry, dialect),
    Forbidden: plainResponse(
      'The key, environment, integration or a setting of the account does not allow this.',
    ),
    NoObject: plainResponse('There is no such object, or it belongs to another account.'),
    NoTarget: replayableResponse('There is no such object, or it belongs to another account.'),
    Conflict: plainResponse(
      'The Idempotency-Key was used for a different request, or its first request still runs.',
      idempotencyErrorRef,
    ),
    Unprocessable: replayableResponse(
      'The request is well-formed and cannot be done; items name the fields to blame.',
    ),
    TooMany: plainResponse(
      'More requests a second than the platform may send. Back off and try again.',
    ),
    Broken: plainResponse('Something went wrong on the side of the service.'),
    Unready: plainResponse('The service is being filled and cannot answer yet.'),
  }
}

/**
 * An operation as the running sandbox offers it. `isRefused` is true if its kind of integration
 * always responds with a 403.
 */
export type DocumentedOperation = Operation & {
  accountHeader: AccountHeaderRule
  isRefused: boolean
}

const unmaskPathPattern = /\/(unmask|unmasked|reveal)$/

function listErrorResponseNames({
  method,
  path,
  only,
  accountHeader,
  isRefused,
}: DocumentedOperation): Record<string, string> {
  const isWrite = method !== 'GET'
  const responseNameByStatus: Record<string, string | false> = {
    400: isWrite ? 'BadWrite' : 'BadRead',
    401: 'Unauthorized',
    403:
      (isWrite || only === 'sandbox' || isRefused || unmaskPathPattern.test(path)) && 'Forbidden',
    404:
      (isWrite && 'NoTarget') ||
      ((path.includes(':') || accountHeader !== 'forbidden') && 'NoObject'),
    409: isWrite && 'Conflict',
    422: isWrite && 'Unprocessable',
    429: 'TooMany',
    500: 'Broken',
    503: 'Unready',
  }
  return Object.fromEntries(
    Object.entries(responseNameByStatus).flatMap(([status, name]) =>
      name ? [[status, name]] : [],
    ),
  )
}

function makeEnvelopeSchema(operation: Operation, registry: SchemaRegistry): Json {
  const itemSchema = registry.add(operation.output, 'output')
  const isList = operation.answers === 'array'
  return {
    type: 'object',
    properties: {
      meta: registry.add(isList ? listMetaSchema : requestMetaSchema, 'output'),
      response_type: { type: 'string', const: operation.answers },
      data: isList ? { type: 'array', items: itemSchema } : itemSchema,
    },
    required: ['meta', 'response_type', 'data'],
    additionalProperties: false,
  }
}

export function makeResponses(
  operation: DocumentedOperation,
  registry: SchemaRegistry,
  dialect: Dialect,
): Json {
  const successResponse = {
    description: 'Done.',
    headers: makeResponseHeaderRefs(operation.method !== 'GET'),
    content: makeResponseContent(dialect, makeEnvelopeSchema(operation, registry)),
  }
  const errorResponseRefs = Object.entries(listErrorResponseNames(operation)).map(
    ([status, name]) => [status, { $ref: `#/components/responses/${name}` }],
  )
  return { [operation.status ?? 200]: successResponse, ...Object.fromEntries(errorResponseRefs) }
}
