import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { objectOperation } from '@/sandbox/operation'
import { operations } from '@/sandbox/operations'
import { openapiDocument } from './openapi-document'
import { pathOf } from './parameters'
import { SchemaBook } from './schema-book'

type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean; description?: string; schema?: Record<string, unknown> }
type Described = {
  operationId: string
  'x-environment'?: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, unknown> }
  responses: Record<string, { $ref?: string }>
}
type Document = {
  info: { title: string }
  paths: Record<string, Record<string, Described>>
  components: Record<string, Record<string, unknown>>
}

const documentOf = (...args: Parameters<typeof openapiDocument>) => openapiDocument(...args) as Document
const whole = documentOf(operations, 'sandbox')

/** A small operation of the test's own, so that what is expected does not depend on which operations there are. */
const thing = objectOperation({
  id: 'lost_things.find',
  method: 'POST',
  path: '/v1/lost_things/:id/find',
  summary: 'Find a thing',
  account: 'required',
  status: 201,
  only: 'sandbox',
  query: z.strictObject({ deep: z.enum(['true', 'false']).optional().meta({ description: 'Looks under things too.' }) }),
  input: z.strictObject({ note: z.string().max(5), size: z.int().default(1) }),
  output: z.strictObject({ id: z.uuid(), at: z.iso.datetime() }).meta({ id: 'Thing' }),
  handle: () => ({ id: '', at: '' }),
})

const reads = ['400', '401', '429', '500', '503']

describe('the document of all operations', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const verdict = await validator.validate(structuredClone(whole))
    expect([verdict.errors, verdict.valid, validator.version]).toEqual([undefined, true, '3.1'])
  })

  test('has every operation, once, with an id of its own', () => {
    const listed = Object.entries(whole.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(listed.toSorted()).toEqual(operations.map((operation) => `${operation.id} ${operation.method} ${pathOf(operation)}`).toSorted())
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })

  test.each(operations.map((operation) => [operation.id, operation] as const))('%s says how it can end', (_id, operation) => {
    const { responses = {} } = whole.paths[pathOf(operation)]?.[operation.method.toLowerCase()] ?? {}
    const refusals = operation.method === 'GET' ? reads : [...reads, '403', '404', '409', '422']
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([String(operation.status ?? 200), ...refusals]))
  })

  test('says of every field what it is', () => {
    const holes: string[] = []
    JSON.stringify(whole, (key, value: unknown) => {
      const fields = key === 'properties' ? Object.entries(value as object) : []
      holes.push(...fields.filter(([, schema]) => Object.keys(schema as object).length === 0).map(([name]) => name))
      return value
    })
    expect(holes).toEqual([])
  })

  test('says of every parameter what it asks', () => {
    const all = Object.values(whole.paths).flatMap((methods) => Object.values(methods).flatMap(({ parameters }) => parameters))
    const silent = all.filter((parameter) => parameter.in === 'query' && parameter.description === '')
    expect([all.length > 300, silent.map(({ name }) => name)]).toEqual([true, []])
  })

  test('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(whole).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    for (const [, group = '', name] of references) expect(Object.keys(whole.components[group] ?? {})).toContain(name)
  })
})

describe('one operation', () => {
  const document = documentOf([thing], 'production')
  const found = document.paths['/v1/lost_things/{id}/find']?.post

  test('has its path, query and headers as parameters', () => {
    expect(found?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      {
        name: 'deep',
        in: 'query',
        required: false,
        description: 'Looks under things too.',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
      ...['AccountOwner', 'IdempotencyKey', 'RequestId', 'CorrelationId'].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ])
    expect(document.components.parameters).toMatchObject({
      AccountOwner: { name: 'Service-Account-Id', required: true },
      IdempotencyKey: { schema: { minLength: 10, maxLength: 40 } },
    })
  })

  test('has its body in three content types, what may be left out marked so', () => {
    expect(Object.keys(found?.requestBody?.content ?? {})).toEqual(['application/json', 'text/json', 'application/*+json'])
    expect(found?.requestBody?.required).toBe(true)
    expect(document.components.schemas?.LostThingsFindRequest).toMatchObject({
      properties: { note: { type: 'string', maxLength: 5 }, size: { type: 'integer', default: 1 } },
      required: ['note'],
      additionalProperties: false,
    })
  })

  test('has its answer in the envelope, closed, and the resource under its name', () => {
    expect(found?.responses[201]).toMatchObject({
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
      properties: { id: { type: 'string', format: 'uuid' }, at: { type: 'string', format: 'date-time' } },
      required: ['id', 'at'],
      additionalProperties: false,
    })
  })

  test('says that it exists in the sandbox environment only', () => {
    expect(found).toMatchObject({ 'x-environment': 'sandbox', description: expect.stringContaining('403') })
    expect(document.info.title).toContain('production')
  })
})

describe('schemas', () => {
  test('of the same name must be the same', () => {
    const book = new SchemaBook()
    book.add(z.array(z.strictObject({ a: z.string() }).meta({ id: 'Twice' })), 'output')
    expect(() => book.add(z.array(z.strictObject({ b: z.string() }).meta({ id: 'Twice' })), 'output')).toThrow('Twice')
  })

  test('that JSON Schema cannot say are refused', () => {
    expect(() => new SchemaBook().add(z.strictObject({ a: z.custom<string>() }), 'output')).toThrow()
  })
})
