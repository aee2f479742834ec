import { deskApiPath, mirrorApiPath, serviceApiPath } from '@/lib/routes'
import type { Environment, Operation } from './define'

/**
 * The parts of a request without its base URL. `path` is the part after `/v1` (or `/desk`), and
 * `query` has no question mark. `body` is undefined if the request has none.
 */
export type RequestParts = {
  method: Operation['method']
  path: string
  query: string
  headers?: Record<string, string>
  body: Record<string, unknown> | undefined
}

/**
 * An operation with its id. The caller looks up the definition, so that this file does not import
 * all operations.
 */
export type OperationWithId = { id: string; definition: Operation }

/**
 * The form of a list in a query: one field with commas, as the provider's own client sends it, or
 * one field per value.
 */
export const listStyles = ['comma', 'repeat'] as const

export type ListStyle = (typeof listStyles)[number]

/**
 * Returns the request of an operation for a parsed input. A write to the service sends in the query
 * only the fields that the definition lists. Empty query values are left out. Throws if a field of
 * the path is missing, which is a programming error.
 */
export function buildRequestParts(
  { id, definition }: OperationWithId,
  input: Record<string, unknown>,
  listStyle: ListStyle = 'comma',
): RequestParts {
  const remainingFields: Record<string, unknown> = { ...input }
  const headers =
    definition.source === 'desk' && definition.headers
      ? { headers: extractHeaders(definition.headers, remainingFields) }
      : {}
  const path = definition.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = remainingFields[name]
    if (typeof value !== 'string' || value === '') throw new Error(`${id} needs ${name}`)
    delete remainingFields[name]
    return encodeURIComponent(value)
  })
  if (definition.method === 'GET')
    return {
      method: definition.method,
      path,
      query: toQuery(remainingFields, listStyle),
      ...headers,
      body: undefined,
    }
  if (definition.source === 'desk')
    return { method: definition.method, path, query: '', ...headers, body: remainingFields }
  const query = toQuery(
    Object.fromEntries((definition.query ?? []).map((name) => [name, remainingFields[name]])),
    listStyle,
  )
  for (const name of definition.query ?? []) delete remainingFields[name]
  return {
    method: definition.method,
    path,
    query,
    body: definition.body === 'file' ? undefined : remainingFields,
  }
}

/**
 * Removes the fields that are sent as headers from the remaining input fields. Returns them by
 * header name, percent-encoded.
 */
function extractHeaders(
  headerNames: Readonly<Record<string, string>>,
  inputFields: Record<string, unknown>,
): Record<string, string> {
  const headerEntries = Object.entries(headerNames).map(([field, name]) => [
    name,
    encodeURIComponent(String(inputFields[field] ?? '')),
  ])
  for (const field of Object.keys(headerNames)) delete inputFields[field]
  return Object.fromEntries(headerEntries)
}

/**
 * The environment and the account scope (`acct_…`, null for all accounts) of a request to our API.
 * `live` true reads from the service, and false from the mirror, our stored copy. By default only
 * the lists that the mirror has are read from it.
 */
export type RequestScope = { environment: Environment; account?: string | null; live?: boolean }

function selectApiPathBuilder(definition: Operation, live?: boolean) {
  if (definition.source === 'desk') return deskApiPath
  return (live ?? !definition.mirrored) ? serviceApiPath : mirrorApiPath
}

/** Returns the request of an operation for a parsed input, with its URL on our own API. */
export function buildApiRequestParts(
  operationWithId: OperationWithId,
  input: Record<string, unknown>,
  { environment, account = null, live }: RequestScope,
): RequestParts & { url: string } {
  const requestParts = buildRequestParts(operationWithId, input)
  return {
    ...requestParts,
    url: selectApiPathBuilder(operationWithId.definition, live)(
      environment,
      requestParts.path,
      requestParts.query,
      account,
    ),
  }
}

/** Returns fields as a query string, sorted by name so that equal searches have equal text. */
export function toQuery(fields: Record<string, unknown>, listStyle: ListStyle = 'comma'): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(fields).sort())
    for (const text of toQueryValues(fields[name], listStyle))
      if (text !== '') query.append(name, text)
  return query.toString()
}

function toQueryValues(value: unknown, listStyle: ListStyle): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return [String(value)]
  return listStyle === 'comma' ? [value.join(',')] : value.map(String)
}
