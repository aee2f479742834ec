type FieldValue = { path: string; value: unknown }

/** Paths are dotted (`profile.phone`). An array, such as the metadata pairs, is one field. */
function flattenFields(values: object, prefix = ''): FieldValue[] {
  return Object.entries(values).flatMap(([name, value]): FieldValue[] => {
    const fieldPath = prefix === '' ? name : `${prefix}.${name}`
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flattenFields(value, fieldPath)
      : [{ path: fieldPath, value }]
  })
}

const hasSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The fields that changed in the record. `follow`: the form takes the new value. `conflicts`: the
 * person changed the field too, to another value.
 */
export type RebaseResult = { follow: FieldValue[]; conflicts: string[] }

export function rebaseFormValues<V extends object>(
  initialValues: V,
  currentValues: V,
  formValues: V,
): RebaseResult {
  const [baseFields, typedValues] = [
    flattenFields(initialValues),
    new Map(flattenFields(formValues).map(({ path, value }) => [path, value])),
  ]
  const baseByPath = new Map(baseFields.map(({ path, value }) => [path, value]))
  const changedFields = flattenFields(currentValues).filter(
    ({ path, value }) => !hasSameJson(baseByPath.get(path), value),
  )
  const isUntouched = ({ path }: FieldValue) =>
    hasSameJson(baseByPath.get(path), typedValues.get(path))
  return {
    follow: changedFields.filter(isUntouched),
    conflicts: changedFields
      .filter((leaf) => !isUntouched(leaf) && !hasSameJson(typedValues.get(leaf.path), leaf.value))
      .map(({ path }) => path),
  }
}
