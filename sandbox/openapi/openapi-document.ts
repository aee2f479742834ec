import type { Dialect } from '@/sandbox/dialects/dialect'
import { documentDialect } from '@/sandbox/dialects/document'
import { spokenOperations } from '@/sandbox/dialects/spoken-operation'
import type { Environment } from '@/sandbox/environment'
import type { Operation } from '@/sandbox/operation'
import { headerParametersOf, parametersOf, pathOf, responseHeaders } from './parameters'
import { errorResponses, responsesOf } from './responses'
import { type Json, SchemaRegistry } from './schema-registry'

const file = {
  type: 'object',
  properties: { File: { type: 'string', format: 'binary', description: 'PDF, PNG, JPG, DOC or DOCX, up to 10 MB.' } },
  required: ['File'],
  additionalProperties: false,
}

const jsonTypes = ['application/json', 'text/json', 'application/*+json']

function requestBodyOf(operation: Operation, registry: SchemaRegistry): Json | undefined {
  if (operation.takesFile) return { required: true, content: { 'multipart/form-data': { schema: file } } }
  if (!operation.input) return undefined
  const words = operation.id.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const schema = registry.name(`${words.join('')}Request`, registry.add(operation.input, 'input'))
  // An empty body counts as {} if that is a valid request.
  const required = !operation.input.safeParse({}).success
  return { required, content: Object.fromEntries(jsonTypes.map((type) => [type, { schema }])) }
}

/** Formats `linked_bank_accounts` as `Linked bank accounts`. */
const titleOf = (resource: string) => `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`.replaceAll('_', ' ')

const tagOf = ({ id }: Operation): string => titleOf(id.split('.')[0] ?? id)

function operationObject(operation: Operation, registry: SchemaRegistry, dialect: Dialect): Json {
  const requestBody = requestBodyOf(operation, registry)
  return {
    ...{ operationId: operation.id, summary: operation.summary, tags: [tagOf(operation)] },
    ...(operation.only === 'sandbox'
      ? { description: 'Sandbox environment only: production answers 403.', 'x-environment': 'sandbox' }
      : {}),
    parameters: parametersOf(operation, registry),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(operation, registry, dialect),
  }
}

function pathsOf(operations: readonly Operation[], registry: SchemaRegistry, dialect: Dialect): Record<string, Json> {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = pathOf(operation)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(operation, registry, dialect) }
  }
  return paths
}

const about: Record<Environment, string> = {
  sandbox: 'No real money moves here, and there is no rate limit.',
  production: 'The production environment: requests of the whole platform are counted together, and nothing can be simulated.',
}

/**
 * Returns the OpenAPI 3.1 document of the service in a dialect, from the schemas that parse requests and type responses. Throws Error if an
 * operation's schemas cannot be written as JSON Schema.
 */
export function openapiDocument(operations: readonly Operation[], environment: Environment, dialect: Dialect = documentDialect): Json {
  const registry = new SchemaRegistry(dialect)
  const spoken = spokenOperations(dialect, operations)
  const responses = errorResponses(registry, dialect)
  const paths = pathsOf(spoken, registry, dialect)
  return {
    openapi: '3.1.1',
    info: {
      title: `Payments service (${environment})`,
      version: 'v1',
      description: `Charges and payouts over bank accounts. ${about[environment]} ${dialect.summary}`,
    },
    servers: [{ url: '/', description: titleOf(environment) }],
    security: [{ apiKey: [] }],
    tags: [...new Set(spoken.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A secret key of this environment.' },
      },
      parameters: headerParametersOf(dialect.account),
      headers: responseHeaders,
      responses,
      schemas: registry.components(),
    },
  }
}
