import { deskApiPath, mirrorApiPath, serviceApiPath } from '@/lib/routes'
import type { Environment, Operation } from './define'

/** A request without its base URL. `path` is the part after `/v1` (or `/desk`), `query` has no question mark, `body` can be undefined. */
export type RequestLayout = {
  method: Operation['method']
  path: string
  query: string
  headers?: Record<string, string>
  body: Record<string, unknown> | undefined
}

/** An operation with its id. The caller looks up the definition, so that this file does not import all operations. */
export type NamedOperation = { id: string; definition: Operation }

/** The form of a list in a query: one field with commas, as the provider's own client sends it, or one field per value. */
export const listStyles = ['comma', 'repeat'] as const

export type ListStyle = (typeof listStyles)[number]

/**
 * Returns the request of an operation for a parsed input. A write sends as query only the fields that the definition names. Empty query
 * values are left out. Throws if a field of the path is missing, which is a programming error.
 */
export function layOutRequest(
  { id, definition }: NamedOperation,
  input: Record<string, unknown>,
  lists: ListStyle = 'comma',
): RequestLayout {
  const remainingFields: Record<string, unknown> = { ...input }
  const headers = definition.source === 'desk' && definition.headers ? { headers: takeHeaders(definition.headers, remainingFields) } : {}
  const path = definition.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = remainingFields[name]
    if (typeof value !== 'string' || value === '') throw new Error(`${id} needs ${name}`)
    delete remainingFields[name]
    return encodeURIComponent(value)
  })
  if (definition.method === 'GET')
    return { method: definition.method, path, query: toQuery(remainingFields, lists), ...headers, body: undefined }
  if (definition.source === 'desk') return { method: definition.method, path, query: '', ...headers, body: remainingFields }
  const query = toQuery(Object.fromEntries((definition.query ?? []).map((name) => [name, remainingFields[name]])), lists)
  for (const name of definition.query ?? []) delete remainingFields[name]
  return { method: definition.method, path, query, body: definition.body === 'file' ? undefined : remainingFields }
}

/** Returns the fields that are sent as headers, percent-encoded to plain ASCII, and removes them from `rest`. */
function takeHeaders(named: Readonly<Record<string, string>>, rest: Record<string, unknown>): Record<string, string> {
  const headerEntries = Object.entries(named).map(([field, name]) => [name, encodeURIComponent(String(rest[field] ?? ''))])
  for (const field of Object.keys(named)) delete rest[field]
  return Object.fromEntries(headerEntries)
}

/**
 * The target of a request to our API. `account` (`acct_…`) is its scope. `live` true reads from the service, false from the mirror. By
 * default only the mirrored lists come from the mirror.
 */
export type RequestScope = { environment: Environment; account?: string | null; live?: boolean }

function selectApiPath(definition: Operation, live?: boolean) {
  if (definition.source === 'desk') return deskApiPath
  return (live ?? !definition.mirrored) ? serviceApiPath : mirrorApiPath
}

/** Returns the request of `layOutRequest`, with its URL on our own API. */
export function layOutApiRequest(
  named: NamedOperation,
  input: Record<string, unknown>,
  { environment, account = null, live }: RequestScope,
): RequestLayout & { url: string } {
  const layout = layOutRequest(named, input)
  return { ...layout, url: selectApiPath(named.definition, live)(environment, layout.path, layout.query, account) }
}

/** Returns fields as a query string, sorted by name so that equal searches have equal text. */
export function toQuery(fields: Record<string, unknown>, lists: ListStyle = 'comma'): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(fields).sort()) for (const text of toTexts(fields[name], lists)) if (text !== '') query.append(name, text)
  return query.toString()
}

function toTexts(value: unknown, lists: ListStyle): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return [String(value)]
  return lists === 'comma' ? [value.join(',')] : value.map(String)
}
