export type JsonObject = { [name: string]: unknown }

type OpenApiDocument = { components: { schemas: Record<string, JsonObject> } }

const toJsonList = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? (value as JsonObject[]) : []
const toJsonEntries = (value: unknown): [string, JsonObject][] =>
  Object.entries((value ?? {}) as Record<string, JsonObject>)

/**
 * Returns the alternatives of a JSON schema (the parts of `anyOf`, `oneOf` and `allOf`), with
 * references resolved.
 */
function listAlternatives(document: OpenApiDocument, schema: JsonObject): JsonObject[] {
  const schemaName = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  if (schemaName !== undefined)
    return listAlternatives(document, document.components.schemas[schemaName] ?? {})
  const innerSchemas = [
    ...toJsonList(schema.anyOf),
    ...toJsonList(schema.oneOf),
    ...toJsonList(schema.allOf),
  ]
  return innerSchemas.length === 0
    ? [schema]
    : innerSchemas.flatMap((one) => listAlternatives(document, one))
}

/**
 * Merges all alternatives of some JSON schemas. Returns the schemas of named fields, of map values,
 * and of list items.
 */
function mergeAlternatives(document: OpenApiDocument, schemas: JsonObject[]) {
  const fieldSchemas = new Map<string, JsonObject[]>()
  const valueSchemas: JsonObject[] = []
  const itemSchemas: JsonObject[] = []
  for (const schema of schemas.flatMap((one) => listAlternatives(document, one))) {
    for (const [name, field] of toJsonEntries(schema.properties))
      fieldSchemas.set(name, [...(fieldSchemas.get(name) ?? []), field])
    if (typeof schema.additionalProperties === 'object')
      valueSchemas.push(schema.additionalProperties as JsonObject)
    if (typeof schema.items === 'object') itemSchemas.push(schema.items as JsonObject)
  }
  return { fields: fieldSchemas, values: valueSchemas, items: itemSchemas }
}

const emptyDocument: OpenApiDocument = { components: { schemas: {} } }

/**
 * Returns the paths of the fields that the schemas `ours` have and the schemas `theirs` lack. In a
 * path, `*` is any key of a map, and `[]` is any item of a list. If a map of `ours` corresponds to
 * an object of `theirs`, compares the map’s values with each field of that object.
 */
export function findExtraFields(
  document: OpenApiDocument,
  ours: JsonObject[],
  theirs: JsonObject[],
  at = '',
): string[] {
  const ourShape = mergeAlternatives(emptyDocument, ours)
  const theirShape = mergeAlternatives(document, theirs)
  const mapValueSchemas = [...theirShape.values, ...[...theirShape.fields.values()].flat()]
  return [
    ...[...ourShape.fields].flatMap(([name, field]) => {
      const path = at === '' ? name : `${at}.${name}`
      const matchingShapes =
        theirShape.fields.get(name) ??
        (theirShape.values.length > 0 ? theirShape.values : undefined)
      return matchingShapes ? findExtraFields(document, field, matchingShapes, path) : [path]
    }),
    ...(ourShape.values.length > 0
      ? findExtraFields(document, ourShape.values, mapValueSchemas, `${at}.*`)
      : []),
    ...(ourShape.items.length > 0
      ? findExtraFields(document, ourShape.items, theirShape.items, `${at}[]`)
      : []),
  ]
}

/** Returns the names of the fields that every alternative of a schema requires. */
export function findRequiredFields(document: OpenApiDocument, schema: JsonObject): string[] {
  const [first = [], ...others] = listAlternatives(document, schema).map((one) =>
    Array.isArray(one.required) ? (one.required as string[]) : [],
  )
  return first.filter((name) => others.every((required) => required.includes(name)))
}
