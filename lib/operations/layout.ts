import { deskApiPath, mirrorApiPath, serviceApiPath } from '@/lib/routes'
import type { Environment, Operation } from './define'

/**
 * A request laid out for the wire: `path` begins after `/v1` (or `/desk`), `query` is without the question mark, `body` is undefined where none is sent.
 */
export type Layout = {
  method: Operation['method']
  path: string
  query: string
  headers?: Record<string, string>
  body: Record<string, unknown> | undefined
}

/** An operation with its id. A browser looks it up where it is needed, so that no page carries the rows of all. */
export type Named = { id: string; definition: Operation }

/** How a list travels in a query: in one field with commas, as the provider's own client sends it, or in a field for each. */
export const listStyles = ['comma', 'repeat'] as const

/** One of the two ways. */
export type ListStyle = (typeof listStyles)[number]

/**
 * Lays an input out over path, query and JSON body as its definition says; a write has a query only where that names the fields. Empty values are left
 * out. The caller has parsed the input: a missing path field is a programming error and throws.
 */
export function layoutOf({ id, definition }: Named, input: Record<string, unknown>, lists: ListStyle = 'comma'): Layout {
  const rest: Record<string, unknown> = { ...input }
  const headers = definition.source === 'desk' && definition.headers ? { headers: headersOf(definition.headers, rest) } : {}
  const path = definition.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    if (typeof value !== 'string' || value === '') throw new Error(`${id} needs ${name}`)
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (definition.method === 'GET') return { method: definition.method, path, query: toQuery(rest, lists), ...headers, body: undefined }
  if (definition.source === 'desk') return { method: definition.method, path, query: '', ...headers, body: rest }
  const query = toQuery(Object.fromEntries((definition.query ?? []).map((name) => [name, rest[name]])), lists)
  for (const name of definition.query ?? []) delete rest[name]
  return { method: definition.method, path, query, body: definition.body === 'file' ? undefined : rest }
}

/** The fields that travel in headers, which are plain ASCII; they are taken out of the rest. */
function headersOf(named: Readonly<Record<string, string>>, rest: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(named).map(([field, name]) => [name, encodeURIComponent(String(rest[field] ?? ''))])
  for (const field of Object.keys(named)) delete rest[field]
  return Object.fromEntries(given)
}

/**
 * Where a request of ours goes: `account` (`acct_…`) is the scope it names. `live` says whether the service or the mirror is asked for what both have; where
 * it is left out, the mirror for lists.
 */
export type RequestScope = { environment: Environment; account?: string | null; live?: boolean }

function pathOf(definition: Operation, live?: boolean) {
  if (definition.source === 'desk') return deskApiPath
  return (live ?? !definition.mirrored) ? serviceApiPath : mirrorApiPath
}

/** A layout of `layoutOf` with the address it has on our own API. */
export function addressOf(
  named: Named,
  input: Record<string, unknown>,
  { environment, account = null, live }: RequestScope,
): Layout & { url: string } {
  const layout = layoutOf(named, input)
  return { ...layout, url: pathOf(named.definition, live)(environment, layout.path, layout.query, account) }
}

/** Fields as a query string, sorted by name so that equal searches have equal text. */
export function toQuery(fields: Record<string, unknown>, lists: ListStyle = 'comma'): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(fields).sort()) for (const text of textsOf(fields[name], lists)) if (text !== '') query.append(name, text)
  return query.toString()
}

function textsOf(value: unknown, lists: ListStyle): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return [String(value)]
  return lists === 'comma' ? [value.join(',')] : value.map(String)
}
