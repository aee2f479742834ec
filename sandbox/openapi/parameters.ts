import type { AccountHeader } from '@/sandbox/http/account-header'
import type { Operation } from '@/sandbox/operation'
import { queryWords } from './query-words'
import type { Json, SchemaRegistry } from './schema-registry'

const text = { type: 'string' }

/** Request headers, each once in the document; the dialect names the account header. */
export const headerParametersOf = ({ name, described }: AccountHeader): Record<string, Json> => ({
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
    name,
    in: 'header',
    schema: text,
    description: `Narrows the request to one account: ${described}. Without it the whole platform is meant.`,
  },
  AccountOwner: {
    name,
    in: 'header',
    required: true,
    schema: text,
    description: `The account the object belongs to: ${described}.`,
  },
})

/** Response headers, each once in the document. */
export const responseHeaders: Record<string, Json> = {
  RequestId: { schema: text, description: 'As it was sent; absent when none was.' },
  CorrelationId: { schema: text, description: 'As it was sent; absent when none was.' },
  IdempotentReplayed: { schema: { type: 'string', const: 'true' }, description: 'Present when this is the answer kept for the key.' },
}

const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

const scopes = { required: ['AccountOwner'], optional: ['AccountScope'], forbidden: [] } as const

export const pathOf = ({ path }: Operation): string => path.replace(/:(\w+)/g, '{$1}')

const pathParameters = ({ path }: Operation): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }))

const commas = 'Several values with commas between them; repeating the parameter works too.'

function queryParameters({ query }: Operation, registry: SchemaRegistry): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = registry.add(query, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
    ...(deprecated ? { deprecated } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    description: [description ?? queryWords[name], ...(schema.type === 'array' ? [commas] : [])].join(' ').trim(),
  }))
}

/** Returns all parameters of an operation: path, query and headers. */
export function parametersOf(operation: Operation, registry: SchemaRegistry): Json[] {
  const headers = [...scopes[operation.account], ...(operation.method === 'GET' ? [] : ['IdempotencyKey']), 'RequestId', 'CorrelationId']
  return [...pathParameters(operation), ...queryParameters(operation, registry), ...headers.map(parameter)]
}
