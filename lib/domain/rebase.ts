type FieldValue = { path: string; value: unknown }

/** Returns all fields with their dotted paths. An array, such as the metadata pairs, counts as one field. */
function flattenFields(values: object, prefix = ''): FieldValue[] {
  return Object.entries(values).flatMap(([name, value]): FieldValue[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? flattenFields(value, path) : [{ path, value }]
  })
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The result of `rebase` for a form whose object changed. `follow` are fields that the person did not change, with their new values.
 * `conflicts` are paths of fields that both sides changed.
 */
export type RebaseResult = { follow: FieldValue[]; conflicts: string[] }

/** Compares the typed form values with the current object. `base` has the values with which the form started. */
export function rebase<V extends object>(base: V, now: V, typed: V): RebaseResult {
  const [baseFields, typedValues] = [flattenFields(base), new Map(flattenFields(typed).map(({ path, value }) => [path, value]))]
  const baseByPath = new Map(baseFields.map(({ path, value }) => [path, value]))
  const changedFields = flattenFields(now).filter(({ path, value }) => !isSame(baseByPath.get(path), value))
  const isUntouched = ({ path }: FieldValue) => isSame(baseByPath.get(path), typedValues.get(path))
  return {
    follow: changedFields.filter(isUntouched),
    conflicts: changedFields
      .filter((leaf) => !isUntouched(leaf) && !isSame(typedValues.get(leaf.path), leaf.value))
      .map(({ path }) => path),
  }
}
