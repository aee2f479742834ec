import { type Dialect, documentedDialect } from '@/sandbox/dialects/dialect'
import { toDialectOperations } from '@/sandbox/dialects/dialect-operation'
import type { Environment } from '@/sandbox/environment'
import { type AccountHeader, getAccountHeaderRule } from '@/sandbox/http/api-keys'
import { type Integration, integrationTexts } from '@/sandbox/integration'
import type { Operation } from '@/sandbox/operation'
import {
  type DocumentedOperation,
  type Json,
  makeErrorResponses,
  makeResponses,
  SchemaRegistry,
} from './responses'

const booleanFilterText = 'Only those for which it is so, or is not.'

/**
 * Descriptions of query parameters whose schema has none. A parameter name has the same meaning in
 * all operations.
 */
const queryParameterTexts: Readonly<Record<string, string>> = {
  account_id: 'Only those of this account.',
  category: 'Only requests about this group of capabilities.',
  created_from: 'Not before this day in New York.',
  created_to: 'Not after this day in New York.',
  customer_id: 'Only those of this customer.',
  direction: 'From the linked bank account’s side: money into it or out of it.',
  email: 'The whole e-mail address, in any case.',
  event_type: 'Only this kind of money movement.',
  external_id: 'The client’s own reference, whole.',
  final_status: 'The stage to jump to; the next one unless asked.',
  funding_id: 'Only payments of this funding event.',
  has_refund: booleanFilterText,
  has_resubmit: booleanFilterText,
  include_metadata: 'Adds `metadata` to each item.',
  is_refund: booleanFilterText,
  is_resubmit: booleanFilterText,
  level: 'Those of accounts, or those of the platform itself.',
  max_amount: 'Cents, inclusive.',
  max_payment_date: 'Not after this day.',
  min_amount: 'Cents, inclusive.',
  min_payment_date: 'Not before this day.',
  name: 'A part of the name, in any case.',
  organization_id: 'Only those of this organization’s accounts.',
  paykey: 'The token, whole or as reads mask it.',
  paykey_id: 'Only payments of this paykey.',
  payment_id: 'Only this payment.',
  platform_id: 'Only those of this platform.',
  purpose: 'Only those that serve this purpose.',
  search_text: 'Words, all of which must be found.',
  sort_by: 'What to sort by.',
  sort_order: 'Ascending unless asked.',
  status: 'Only those in this state.',
  trace_id: 'Only the event with this trace.',
  trace_number: 'Only the event with this trace number.',
  type: 'Only those of this type.',
  unblock_eligible: 'True: blocked and eligible to unblock. False: permanently blocked.',
}

const textSchema = { type: 'string' }

const makeHeaderParameters = ({ name, described }: AccountHeader): Record<string, Json> => ({
  RequestId: {
    name: 'Request-Id',
    in: 'header',
    schema: textSchema,
    description: 'Traces one request; comes back with the answer.',
  },
  CorrelationId: {
    name: 'Correlation-Id',
    in: 'header',
    schema: textSchema,
    description: 'Traces a series of requests; comes back with the answer.',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 10, maxLength: 40 },
    description:
      'The same key with the same request gives the first answer again, for about 24 hours, and has no second effect.',
  },
  AccountScope: {
    name,
    in: 'header',
    schema: textSchema,
    description: `Narrows the request to one account: ${described}. Without it the whole platform is meant.`,
  },
  AccountOwner: {
    name,
    in: 'header',
    required: true,
    schema: textSchema,
    description: `The account the object belongs to: ${described}.`,
  },
})

const responseHeaders: Record<string, Json> = {
  RequestId: { schema: textSchema, description: 'As it was sent; absent when none was.' },
  CorrelationId: { schema: textSchema, description: 'As it was sent; absent when none was.' },
  IdempotentReplayed: {
    schema: { type: 'string', const: 'true' },
    description: 'Present when this is the answer kept for the key.',
  },
}

const makeParameterRef = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

const accountHeaderParameters = {
  required: ['AccountOwner'],
  optional: ['AccountScope'],
  forbidden: [],
} as const

export const toOpenapiPath = ({ path }: Operation): string => path.replace(/:(\w+)/g, '{$1}')

const listPathParameters = ({ path }: Operation): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))

const multipleValuesText =
  'Several values with commas between them; repeating the parameter works too.'

function listQueryParameters({ query }: Operation, registry: SchemaRegistry): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = registry.add(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
    ...(deprecated ? { deprecated } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    description: [
      description ?? queryParameterTexts[name],
      ...(schema.type === 'array' ? [multipleValuesText] : []),
    ]
      .join(' ')
      .trim(),
  }))
}

function listParameters(operation: DocumentedOperation, registry: SchemaRegistry): Json[] {
  const headerNames = [
    ...accountHeaderParameters[operation.accountHeader],
    ...(operation.method === 'GET' ? [] : ['IdempotencyKey']),
    'RequestId',
    'CorrelationId',
  ]
  return [
    ...listPathParameters(operation),
    ...listQueryParameters(operation, registry),
    ...headerNames.map(makeParameterRef),
  ]
}

const fileSchema = {
  type: 'object',
  properties: {
    File: {
      type: 'string',
      format: 'binary',
      description: 'PDF, PNG, JPG, DOC or DOCX, up to 10 MB.',
    },
  },
  required: ['File'],
  additionalProperties: false,
}

const jsonContentTypes = ['application/json', 'text/json', 'application/*+json']

function makeRequestBody(operation: Operation, registry: SchemaRegistry): Json | undefined {
  if (operation.takesFile)
    return { required: true, content: { 'multipart/form-data': { schema: fileSchema } } }
  if (!operation.input) return undefined
  const idWords = operation.id
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const schema = registry.name(`${idWords.join('')}Request`, registry.add(operation.input, 'input'))
  // The server reads an empty body as `{}`. So the body is optional if `{}` is a valid request.
  const isRequired = !operation.input.safeParse({}).success
  return {
    required: isRequired,
    content: Object.fromEntries(jsonContentTypes.map((type) => [type, { schema }])),
  }
}

const toTitle = (resource: string) =>
  `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`.replaceAll('_', ' ')

const toTag = ({ id }: Operation): string => toTitle(id.split('.')[0] ?? id)

function makeOperationObject(
  operation: DocumentedOperation,
  registry: SchemaRegistry,
  dialect: Dialect,
): Json {
  const requestBody = makeRequestBody(operation, registry)
  return {
    ...{ operationId: operation.id, summary: operation.summary, tags: [toTag(operation)] },
    ...(operation.only === 'sandbox'
      ? {
          description: 'Sandbox environment only: production answers 403.',
          'x-environment': 'sandbox',
        }
      : {}),
    ...(operation.isRefused ? { description: 'A direct account has no platform: 403.' } : {}),
    parameters: listParameters(operation, registry),
    ...(requestBody ? { requestBody } : {}),
    responses: makeResponses(operation, registry, dialect),
  }
}

function makePaths(
  operations: readonly DocumentedOperation[],
  registry: SchemaRegistry,
  dialect: Dialect,
): Record<string, Json> {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = toOpenapiPath(operation)
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: makeOperationObject(operation, registry, dialect),
    }
  }
  return paths
}

const environmentTexts: Record<Environment, string> = {
  sandbox: 'No real money moves here, and there is no rate limit.',
  production:
    'The production environment: requests of the whole platform are counted together, and nothing can be simulated.',
}

/**
 * Returns the OpenAPI 3.1 document in a dialect and for a kind of integration, from the schemas that
 * also parse requests. Throws Error if an operation's schemas cannot be written as JSON Schema.
 */
export function makeOpenapiDocument(
  operations: readonly Operation[],
  environment: Environment,
  dialect: Dialect = documentedDialect,
  integration: Integration = 'saas',
): Json {
  const registry = new SchemaRegistry(dialect)
  const documentedOperations = toDialectOperations(dialect, operations).map((operation) => ({
    ...operation,
    accountHeader: getAccountHeaderRule(operation.account, integration),
    isRefused: operation.needsPlatform === true && integration === 'account',
  }))
  const responses = makeErrorResponses(registry, dialect)
  const paths = makePaths(documentedOperations, registry, dialect)
  return {
    openapi: '3.1.1',
    info: {
      title: `Payments service (${environment})`,
      version: 'v1',
      description: `Charges and payouts over bank accounts. ${environmentTexts[environment]} ${integrationTexts[integration]} ${dialect.summary}`,
    },
    servers: [{ url: '/', description: toTitle(environment) }],
    security: [{ apiKey: [] }],
    tags: [...new Set(documentedOperations.map(toTag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A secret key of this environment.',
        },
      },
      parameters: makeHeaderParameters(dialect.account),
      headers: responseHeaders,
      responses,
      schemas: registry.components(),
    },
  }
}
