import { deskApiPath, mirrorApiPath, serviceApiPath } from '@/lib/routes'
import type { Environment, Operation } from './define'

/** `path` is the part after `/v1` (or `/desk`), and `query` has no question mark. */
export type RequestParts = {
  method: Operation['method']
  path: string
  query: string
  headers?: Record<string, string>
  body: Record<string, unknown> | undefined
}

/** The caller looks up the definition, so that this file does not import all operations. */
export type OperationWithId = { id: string; definition: Operation }

/** `comma`: one field, as the provider's own client sends it. `repeat`: one field per value. */
export const queryListStyles = ['comma', 'repeat'] as const

export type QueryListStyle = (typeof queryListStyles)[number]

/**
 * A write to the service sends in the query only the fields that the definition lists. Throws if a
 * field of the path is missing, which is a programming error.
 */
export function buildRequestParts(
  { id, definition }: OperationWithId,
  input: Record<string, unknown>,
  listStyle: QueryListStyle = 'comma',
): RequestParts {
  const remainingFields: Record<string, unknown> = { ...input }
  const headers =
    definition.source === 'desk' && definition.headers
      ? { headers: extractHeaders(definition.headers, remainingFields) }
      : {}
  const path = definition.path.replace(/:(\w+)/g, (_, name: string) => {
    const pathValue = remainingFields[name]
    if (typeof pathValue !== 'string' || pathValue === '') throw new Error(`${id} needs ${name}`)
    delete remainingFields[name]
    return encodeURIComponent(pathValue)
  })
  if (definition.method === 'GET')
    return {
      method: definition.method,
      path,
      query: toQueryText(remainingFields, listStyle),
      ...headers,
      body: undefined,
    }
  if (definition.source === 'desk')
    return { method: definition.method, path, query: '', ...headers, body: remainingFields }
  const queryText = toQueryText(
    Object.fromEntries((definition.query ?? []).map((name) => [name, remainingFields[name]])),
    listStyle,
  )
  for (const name of definition.query ?? []) delete remainingFields[name]
  return {
    method: definition.method,
    path,
    query: queryText,
    body: definition.body === 'file' ? undefined : remainingFields,
  }
}

/** Removes the fields from the input. Returns them by header name, percent-encoded. */
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
 * `account`: `acct_…`, null for all accounts. `live`: true reads from the service, false from the
 * mirror, our copy. By default only the lists that the mirror has are read from it.
 */
export type RequestScope = { environment: Environment; account?: string | null; live?: boolean }

function selectApiPathBuilder(definition: Operation, live?: boolean) {
  if (definition.source === 'desk') return deskApiPath
  return (live ?? !definition.mirrored) ? serviceApiPath : mirrorApiPath
}

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

/** Sorted by name, so that equal searches have equal text. */
export function toQueryText(
  fields: Record<string, unknown>,
  listStyle: QueryListStyle = 'comma',
): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(fields).sort())
    for (const text of toQueryValueTexts(fields[name], listStyle))
      if (text !== '') query.append(name, text)
  return query.toString()
}

function toQueryValueTexts(value: unknown, listStyle: QueryListStyle): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return [String(value)]
  return listStyle === 'comma' ? [value.join(',')] : value.map(String)
}
