import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { documentedDialect } from '@/sandbox/dialects/dialect'
import { createDialect } from '@/sandbox/dialects/dialects'
import { defineObjectOperation } from '@/sandbox/operation'
import { operations } from '@/sandbox/operations'
import { makeOpenapiDocument, toOpenapiPath } from './openapi-document'
import { SchemaRegistry } from './responses'

type Parameter = {
  $ref?: string
  name?: string
  in?: string
  required?: boolean
  description?: string
  schema?: Record<string, unknown>
}
type OperationObject = {
  operationId: string
  'x-environment'?: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, unknown> }
  responses: Record<string, { $ref?: string }>
}
type OpenapiDocument = {
  info: { title: string }
  paths: Record<string, Record<string, OperationObject>>
  components: Record<string, Record<string, unknown>>
}

const makeDocument = (...args: Parameters<typeof makeOpenapiDocument>) =>
  makeOpenapiDocument(...args) as OpenapiDocument
const fullDocument = makeDocument(operations, 'sandbox')
const providerDocument = makeDocument(operations, 'sandbox', createDialect('provider', 0))

/**
 * An operation made for this test, so that expected values do not change with the real operations.
 */
const testOperation = defineObjectOperation({
  id: 'lost_things.find',
  method: 'POST',
  path: '/v1/lost_things/:id/find',
  summary: 'Find a thing',
  account: { saas: 'required', marketplace: 'required' },
  status: 201,
  only: 'sandbox',
  query: z.strictObject({
    deep: z.enum(['true', 'false']).optional().meta({ description: 'Looks under things too.' }),
  }),
  input: z.strictObject({ note: z.string().max(5), size: z.int().default(1) }),
  output: z.strictObject({ id: z.uuid(), at: z.iso.datetime() }).meta({ id: 'Thing' }),
  handle: () => ({ id: '', at: '' }),
})

const commonErrorStatuses = ['400', '401', '429', '500', '503']

describe('the document of all operations', () => {
  test.each([
    ['document', fullDocument],
    ['provider', providerDocument],
  ])('is valid OpenAPI 3.1 in the %s dialect', async (_, document) => {
    const validator = new Validator()
    const validationResult = await validator.validate(structuredClone(document))
    expect([validationResult.errors, validationResult.valid, validator.version]).toEqual([
      undefined,
      true,
      '3.1',
    ])
  })

  test('has every operation once, with a unique ID', () => {
    const documentedRoutes = Object.entries(fullDocument.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    )
    expect(documentedRoutes.toSorted()).toEqual(
      operations
        .map((operation) => `${operation.id} ${operation.method} ${toOpenapiPath(operation)}`)
        .toSorted(),
    )
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s lists its possible responses',
    (_id, operation) => {
      const { responses = {} } =
        fullDocument.paths[toOpenapiPath(operation)]?.[operation.method.toLowerCase()] ?? {}
      const errorStatuses =
        operation.method === 'GET'
          ? commonErrorStatuses
          : [...commonErrorStatuses, '403', '404', '409', '422']
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining([String(operation.status ?? 200), ...errorStatuses]),
      )
    },
  )

  test('has a schema for every field', () => {
    const undescribedFields: string[] = []
    JSON.stringify(fullDocument, (key, value: unknown) => {
      const schemaProperties = key === 'properties' ? Object.entries(value as object) : []
      undescribedFields.push(
        ...schemaProperties
          .filter(([, schema]) => Object.keys(schema as object).length === 0)
          .map(([name]) => name),
      )
      return value
    })
    expect(undescribedFields).toEqual([])
  })

  test('describes every query parameter', () => {
    const allParameters = Object.values(fullDocument.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters }) => parameters),
    )
    const undescribedParameters = allParameters.filter(
      (parameter) => parameter.in === 'query' && parameter.description === '',
    )
    expect([allParameters.length > 300, undescribedParameters.map(({ name }) => name)]).toEqual([
      true,
      [],
    ])
  })

  test.each([
    ['document', fullDocument],
    ['provider', providerDocument],
  ])('has no broken reference in the %s dialect', (_, document) => {
    const componentReferences = [
      ...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g),
    ]
    expect(componentReferences.length).toBeGreaterThan(100)
    for (const [, group = '', name] of componentReferences)
      expect(Object.keys(document.components[group] ?? {})).toContain(name)
  })
})

describe('the provider’s dialect', () => {
  const componentSchemas = providerDocument.components.schemas as Record<
    string,
    { properties: Record<string, unknown>; required: string[] }
  >

  test('has its own account header and path of capability requests', () => {
    expect(providerDocument.components.parameters).toMatchObject({
      AccountScope: { name: 'Provider-Account-Id' },
      AccountOwner: { name: 'Provider-Account-Id', required: true },
    })
    const capabilityRequestCreation =
      providerDocument.paths['/v1/accounts/{account_id}/capability_requests']?.post
    expect(
      capabilityRequestCreation?.parameters.filter(({ $ref }) => $ref?.includes('Account')),
    ).toEqual([])
    expect(
      Object.keys(providerDocument.paths).filter((path) => path.endsWith('/capability_requests')),
    ).toHaveLength(1)
  })

  test('has integer amounts, a map of related payments and its own consent values', () => {
    for (const name of ['Charge', 'Payout', 'PaymentSummary', 'UnmaskedCharge']) {
      expect(componentSchemas[name]?.properties).toMatchObject({
        amount: { type: 'integer' },
        related_payments: { $ref: '#/components/schemas/RelatedPayments' },
      })
    }
    expect(componentSchemas.PaymentPaykeyDetails).toMatchObject({
      properties: { balance: { type: 'integer' } },
    })
    expect(componentSchemas.PaymentPaykeyDetails?.required).not.toContain('balance')
    expect(componentSchemas.Charge?.properties).toMatchObject({
      consent_type: { enum: ['internet', 'signed'] },
    })
    expect(componentSchemas.ChargesCreateRequest?.properties).toMatchObject({
      consent_type: { enum: ['internet', 'signed'] },
    })
  })

  test('has three content types, and no body for a 401', () => {
    const [, listed] =
      Object.entries(providerDocument.paths['/v1/payments']?.get?.responses ?? {}).find(
        ([status]) => status === '200',
      ) ?? []
    expect(Object.keys((listed as { content: object }).content)).toEqual([
      'application/json',
      'text/plain',
      'text/json',
    ])
    expect(providerDocument.components.responses?.Unauthorized).not.toHaveProperty('content')
  })

  test('allows additional fields in responses, but not in requests', () => {
    const closedSchemas = Object.entries(componentSchemas).filter(
      ([, schema]) => (schema as { additionalProperties?: unknown }).additionalProperties === false,
    )
    expect(
      closedSchemas.map(([name]) => name).filter((name) => !/(Request|Input)$/.test(name)),
    ).toEqual([])
    expect(componentSchemas.PayoutsCreateRequest).toMatchObject({ additionalProperties: false })
  })
})

describe('an operation', () => {
  const document = makeDocument([testOperation], 'production')
  const documentedOperation = document.paths['/v1/lost_things/{id}/find']?.post

  test('has its path, query and headers as parameters', () => {
    expect(documentedOperation?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      {
        name: 'deep',
        in: 'query',
        required: false,
        description: 'Looks under things too.',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
      ...['AccountOwner', 'IdempotencyKey', 'RequestId', 'CorrelationId'].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
    ])
    expect(document.components.parameters).toMatchObject({
      AccountOwner: { name: 'Service-Account-Id', required: true },
      IdempotencyKey: { schema: { minLength: 10, maxLength: 40 } },
    })
  })

  test('has its body in three content types, with optional fields marked', () => {
    expect(Object.keys(documentedOperation?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'text/json',
      'application/*+json',
    ])
    expect(documentedOperation?.requestBody?.required).toBe(true)
    expect(document.components.schemas?.LostThingsFindRequest).toMatchObject({
      properties: { note: { type: 'string', maxLength: 5 }, size: { type: 'integer', default: 1 } },
      required: ['note'],
      additionalProperties: false,
    })
  })

  test('has its response in the closed envelope, with the resource as a named schema', () => {
    expect(documentedOperation?.responses[201]).toMatchObject({
      headers: { 'Request-Id': {}, 'Correlation-Id': {}, 'Idempotent-Replayed': {} },
      content: {
        'application/json': {
          schema: {
            properties: {
              meta: { $ref: '#/components/schemas/RequestMeta' },
              response_type: { const: 'object' },
              data: { $ref: '#/components/schemas/Thing' },
            },
            required: ['meta', 'response_type', 'data'],
            additionalProperties: false,
          },
        },
      },
    })
    expect(document.components.schemas?.Thing).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        at: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'at'],
      additionalProperties: false,
    })
  })

  test('states that it exists in the sandbox environment only', () => {
    expect(documentedOperation).toMatchObject({
      'x-environment': 'sandbox',
      description: expect.stringContaining('403'),
    })
    expect(document.info.title).toContain('production')
  })
})

describe('schemas', () => {
  test('of the same name must be equal', () => {
    const registry = new SchemaRegistry(documentedDialect)
    registry.add(z.array(z.strictObject({ a: z.string() }).meta({ id: 'Twice' })), 'output')
    expect(() =>
      registry.add(z.array(z.strictObject({ b: z.string() }).meta({ id: 'Twice' })), 'output'),
    ).toThrow('Twice')
  })

  test('that JSON Schema cannot express are rejected', () => {
    expect(() =>
      new SchemaRegistry(documentedDialect).add(
        z.strictObject({ a: z.custom<string>() }),
        'output',
      ),
    ).toThrow()
  })
})
