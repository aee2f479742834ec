export type Json = { [name: string]: unknown }

type Document = { components: { schemas: Record<string, Json> } }

const toJsonList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])
const toJsonEntries = (value: unknown): [string, Json][] => Object.entries((value ?? {}) as Record<string, Json>)

/** Returns the alternatives of a schema, with references resolved. A value is valid if one of them allows it. */
function listAlternatives(document: Document, schema: Json): Json[] {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  if (name !== undefined) return listAlternatives(document, document.components.schemas[name] ?? {})
  const innerSchemas = [...toJsonList(schema.anyOf), ...toJsonList(schema.oneOf), ...toJsonList(schema.allOf)]
  return innerSchemas.length === 0 ? [schema] : innerSchemas.flatMap((one) => listAlternatives(document, one))
}

/** Merges all alternatives of some schemas. Returns the possible fields by name, the values of maps, and the items of lists. */
function mergeAlternatives(document: Document, schemas: Json[]) {
  const fields = new Map<string, Json[]>()
  const values: Json[] = []
  const items: Json[] = []
  for (const schema of schemas.flatMap((one) => listAlternatives(document, one))) {
    for (const [name, field] of toJsonEntries(schema.properties)) fields.set(name, [...(fields.get(name) ?? []), field])
    if (typeof schema.additionalProperties === 'object') values.push(schema.additionalProperties as Json)
    if (typeof schema.items === 'object') items.push(schema.items as Json)
  }
  return { fields, values, items }
}

const emptyDocument: Document = { components: { schemas: {} } }

/**
 * Returns the paths of the fields that `ours` has and `theirs` lacks. In a path, `*` is any key of a map and `[]` any item. If a map of
 * `ours` matches an object of `theirs`, it is compared with each field of that object.
 */
export function findExtraFields(document: Document, ours: Json[], theirs: Json[], at = ''): string[] {
  const ourShape = mergeAlternatives(emptyDocument, ours)
  const theirShape = mergeAlternatives(document, theirs)
  const mapValues = [...theirShape.values, ...[...theirShape.fields.values()].flat()]
  return [
    ...[...ourShape.fields].flatMap(([name, field]) => {
      const path = at === '' ? name : `${at}.${name}`
      const matchingShapes = theirShape.fields.get(name) ?? (theirShape.values.length > 0 ? theirShape.values : undefined)
      return matchingShapes ? findExtraFields(document, field, matchingShapes, path) : [path]
    }),
    ...(ourShape.values.length > 0 ? findExtraFields(document, ourShape.values, mapValues, `${at}.*`) : []),
    ...(ourShape.items.length > 0 ? findExtraFields(document, ourShape.items, theirShape.items, `${at}[]`) : []),
  ]
}

/** Returns the fields that every alternative of a schema requires. */
export function findRequiredFields(document: Document, schema: Json): string[] {
  const [first = [], ...others] = listAlternatives(document, schema).map((one) =>
    Array.isArray(one.required) ? (one.required as string[]) : [],
  )
  return first.filter((name) => others.every((required) => required.includes(name)))
}
