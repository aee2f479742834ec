import type { Operation } from '@/sandbox/operation'
import { queryWords } from './query-words'
import type { Json, SchemaBook } from './schema-book'

const text = { type: 'string' }

/** The headers of requests, each once in the document. */
export const headerParameters: Record<string, Json> = {
  RequestId: { name: 'Request-Id', in: 'header', schema: text, description: 'Traces one request; comes back with the answer.' },
  CorrelationId: {
    name: 'Correlation-Id',
    in: 'header',
    schema: text,
    description: 'Traces a series of requests; comes back with the answer.',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 10, maxLength: 40 },
    description: 'The same key with the same request gives the first answer again, for about 24 hours, and has no second effect.',
  },
  AccountScope: {
    name: 'Service-Account-Id',
    in: 'header',
    schema: text,
    description: 'Narrows the request to one account: acct_ and its UUID, or the bare UUID. Without it the whole platform is meant.',
  },
  AccountOwner: {
    name: 'Service-Account-Id',
    in: 'header',
    required: true,
    schema: text,
    description: 'The account the object belongs to: acct_ and its UUID, or the bare UUID.',
  },
}

/** The headers of answers, each once in the document. */
export const responseHeaders: Record<string, Json> = {
  RequestId: { schema: text, description: 'As it was sent; absent when none was.' },
  CorrelationId: { schema: text, description: 'As it was sent; absent when none was.' },
  IdempotentReplayed: { schema: { type: 'string', const: 'true' }, description: 'Present when this is the answer kept for the key.' },
}

const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

const scopes = { required: ['AccountOwner'], optional: ['AccountScope'], forbidden: [] } as const

/** The path in OpenAPI's notation. */
export const pathOf = ({ path }: Operation): string => path.replace(/:(\w+)/g, '{$1}')

const pathParameters = ({ path }: Operation): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }))

const commas = 'Several values with commas between them; repeating the parameter works too.'

function queryParameters({ query }: Operation, book: SchemaBook): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = book.add(query, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
    ...(deprecated ? { deprecated } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    description: [description ?? queryWords[name], ...(schema.type === 'array' ? [commas] : [])].join(' ').trim(),
  }))
}

/** All parameters of an operation: path, query, and the headers it takes. */
export function parametersOf(operation: Operation, book: SchemaBook): Json[] {
  const headers = [...scopes[operation.account], ...(operation.method === 'GET' ? [] : ['IdempotencyKey']), 'RequestId', 'CorrelationId']
  return [...pathParameters(operation), ...queryParameters(operation, book), ...headers.map(parameter)]
}
