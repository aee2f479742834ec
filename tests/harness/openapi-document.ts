import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { dialect } from './dialect'
import type { JsonObject } from './shapes'

type JsonContent = { content: { 'application/json': { schema: JsonObject } } }
type DocumentOperation = {
  parameters?: JsonObject[]
  requestBody?: JsonContent
  responses: Record<string, JsonContent & { $ref?: string }>
}
export type OpenApiDocument = {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, JsonObject> }
}

/** Returns the service's own document of its interface. */
export async function fetchOpenApiDocument(sandboxUrl: string): Promise<OpenApiDocument> {
  return (await (await fetch(`${sandboxUrl}/openapi.json`)).json()) as OpenApiDocument
}

/** Returns the service's path for an operation, with `:id` in place of an id. */
export const toServicePath = (id: ServiceOperationId) =>
  getServiceOperation(id).configuredPath
    ? dialect.capabilityRequestsPath.replace('{account_id}', ':id')
    : `/v1${getServiceOperation(id).path}`
export const toMethodAndPath = (id: ServiceOperationId) =>
  `${getServiceOperation(id).method} ${toServicePath(id)}`
/**
 * True if the service's path contains the account. Our own path does not: our operation requires
 * the account as its scope.
 */
export const hasAccountInPath = (id: ServiceOperationId) =>
  toServicePath(id).includes(':id') && !getServiceOperation(id).path.includes(':id')

/**
 * Returns the operations of the service's OpenAPI document by `METHOD /v1/path`, with `:id` in
 * place of each path parameter.
 */
export function readDocumentOperations(document: OpenApiDocument): Map<string, DocumentOperation> {
  const operationEntries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) =>
        [`${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':id')}`, one] as const,
    ),
  )
  return new Map(operationEntries)
}

export function findDocumentOperation(
  document: OpenApiDocument,
  id: ServiceOperationId,
): DocumentOperation {
  const documentOperation = readDocumentOperations(document).get(toMethodAndPath(id))
  if (!documentOperation) throw new Error(`the document has no ${toMethodAndPath(id)}`)
  return documentOperation
}

export const findBodySchema = (content: JsonContent | undefined): JsonObject =>
  content?.content['application/json']?.schema ?? {}

/**
 * Returns whether a request for this operation must, may or must not name an account, according to
 * the service's document.
 */
export function readAccountScope(
  document: OpenApiDocument,
  id: ServiceOperationId,
): 'required' | 'optional' | 'forbidden' {
  const parameterNames = (findDocumentOperation(document, id).parameters ?? []).map((one) =>
    String(one.$ref ?? '')
      .split('/')
      .at(-1),
  )
  if (hasAccountInPath(id) || parameterNames.includes('AccountOwner')) return 'required'
  return parameterNames.includes('AccountScope') ? 'optional' : 'forbidden'
}

/** Returns the schema of `data` in an operation's success response. */
export function findDataSchema(document: OpenApiDocument, id: ServiceOperationId): JsonObject {
  const [, success] =
    Object.entries(findDocumentOperation(document, id).responses).find(([status]) =>
      status.startsWith('2'),
    ) ?? []
  return ((findBodySchema(success).properties ?? {}) as Record<string, JsonObject>).data ?? {}
}
