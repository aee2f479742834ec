type FieldValue = { path: string; value: unknown }

/**
 * Returns all fields of form values with dotted paths (`profile.phone`). An array, such as the
 * metadata pairs, counts as one field.
 */
function flattenFields(values: object, prefix = ''): FieldValue[] {
  return Object.entries(values).flatMap(([name, value]): FieldValue[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flattenFields(value, path)
      : [{ path, value }]
  })
}

const hasSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * How to update an open form after its record changed. `follow` are the fields that the person did
 * not change, with their new values. `conflicts` are the paths of fields that both the person and
 * the record changed.
 */
export type RebaseResult = { follow: FieldValue[]; conflicts: string[] }

/**
 * Compares the values with which a form started, those that its record has now, and those that the
 * person typed.
 */
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
