import 'server-only'
import type { ComparedField } from '@/lib/operations/approvals'

const toText = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value)

/** Paths are dotted, such as `address.city`; list items are numbered from 1. */
export function flattenFields(value: unknown, name = ''): [string, string | null][] {
  if (Array.isArray(value))
    return value.flatMap((each, at) => flattenFields(each, `${name}.${at + 1}`))
  if (typeof value !== 'object' || value === null) return [[name, toText(value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    flattenFields(inner, name ? `${name}.${key}` : key),
  )
}

/** Changed fields first. An undefined `currentObject` was not read: no field counts as changed. */
export function compareFields(seenObject: unknown, currentObject: unknown): ComparedField[] {
  const [before, after] = [
    new Map(flattenFields(seenObject)),
    new Map(currentObject === undefined ? [] : flattenFields(currentObject)),
  ]
  const fieldNames = [...new Set([...before.keys(), ...after.keys()])]
  const comparedFields = fieldNames.map((name) => {
    const [one, other] = [before.get(name) ?? null, after.get(name) ?? null]
    return { name, seen: one, now: other, changed: currentObject !== undefined && one !== other }
  })
  return comparedFields
    .filter((field) => field.seen !== null || field.now !== null)
    .sort((one, other) => Number(other.changed) - Number(one.changed))
}

type WithDocuments = { documents?: readonly unknown[]; updated_at?: unknown }

/**
 * If documents were only added, returns the current object with the documents and the time of the
 * seen one: a proof that the requester adds does not change what was requested. Otherwise returns
 * the current object.
 */
export function ignoreAddedDocuments(seenObject: unknown, currentObject: unknown): unknown {
  const { documents: seenDocuments, updated_at } = (seenObject ?? {}) as WithDocuments
  const { documents: currentDocuments } = (currentObject ?? {}) as WithDocuments
  if (!Array.isArray(seenDocuments) || !Array.isArray(currentDocuments)) return currentObject
  const currentTexts = new Set(currentDocuments.map((document) => JSON.stringify(document)))
  const hasOnlyAdded =
    currentDocuments.length > seenDocuments.length &&
    seenDocuments.every((document) => currentTexts.has(JSON.stringify(document)))
  return hasOnlyAdded
    ? { ...(currentObject as object), documents: seenDocuments, updated_at }
    : currentObject
}
