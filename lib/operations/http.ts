import type { OperationRow } from './define'
import { type OperationId, operationIds, rowOf } from './rows'

/** What `matchOperation` finds: the operation with its path fields as text, or the methods the path does take, or nothing. */
export type Match = { id: OperationId; params: Record<string, string> } | { allowed: OperationRow['method'][] } | null

type Pattern = { id: OperationId; method: OperationRow['method']; segments: string[] }

const fieldsIn = (segments: readonly string[]): number => segments.filter((part) => part.startsWith(':')).length

// A path without fields stands before the one whose field would match it: /accounts/capability_requests is no account.
const patterns: Pattern[] = operationIds
  .filter((id) => !rowOf(id).internal)
  .map((id) => ({ id, method: rowOf(id).method, segments: rowOf(id).path.slice(1).split('/') }))
  .sort((one, other) => fieldsIn(one.segments) - fieldsIn(other.segments))

/**
 * Finds the operation for a method and the decoded path segments after `/v1`. Segments are compared whole, so a decoded `../` or `%2f` inside
 * one can never reach another route; its value is still only text until the operation's own schema has parsed it. What only the server asks
 * is not found.
 */
export function matchOperation(method: string, segments: readonly string[]): Match {
  const fitting = patterns.filter((pattern) => fits(pattern.segments, segments))
  const found = fitting.find((pattern) => pattern.method === method)
  if (found) return { id: found.id, params: paramsOf(found.segments, segments) }
  return fitting.length > 0 ? { allowed: [...new Set(fitting.map((pattern) => pattern.method))] } : null
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, at) => part.startsWith(':') || part === segments[at])
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(pattern.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), segments[at] ?? '']] : [])))
}

/** A request laid out for the wire: `path` begins after `/v1`, `query` is without the question mark, `body` is undefined where none is sent. */
export type Layout = { method: OperationRow['method']; path: string; query: string; body: Record<string, unknown> | undefined }

/**
 * Lays an input out over path, query and JSON body as the row says; a write has a query only where its row names the fields. Lists travel comma-joined, as the provider's own client sends them;
 * empty values are left out. The caller has parsed the input: a missing path field is a programming error and throws.
 */
export function toRequest(id: OperationId, input: Record<string, unknown>): Layout {
  const row = rowOf(id)
  const rest: Record<string, unknown> = { ...input }
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    if (typeof value !== 'string' || value === '') throw new Error(`${id} needs ${name}`)
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (row.method === 'GET') return { method: row.method, path, query: toQuery(rest), body: undefined }
  const query = toQuery(Object.fromEntries((row.query ?? []).map((name) => [name, rest[name]])))
  for (const name of row.query ?? []) delete rest[name]
  return { method: row.method, path, query, body: row.body === 'file' ? undefined : rest }
}

/** Fields as a query string, sorted by name so that equal searches have equal text. */
export function toQuery(fields: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name]
    const text = Array.isArray(value) ? value.join(',') : value === undefined || value === null ? '' : String(value)
    if (text !== '') query.set(name, text)
  }
  return query.toString()
}
