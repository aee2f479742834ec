type Leaf = { path: string; value: unknown }

/** Returns all fields with their dotted paths. An array, such as the metadata pairs, counts as one field. */
function leavesOf(values: object, prefix = ''): Leaf[] {
  return Object.entries(values).flatMap(([name, value]): Leaf[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? leavesOf(value, path) : [{ path, value }]
  })
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The result of `rebase` for a form whose object changed. `follow` are fields that the person did not change, with their new values.
 * `conflicts` are paths of fields that both sides changed.
 */
export type Rebased = { follow: Leaf[]; conflicts: string[] }

/** Compares the typed form values with the current object. `base` has the values with which the form started. */
export function rebase<V extends object>(base: V, now: V, typed: V): Rebased {
  const [was, mine] = [leavesOf(base), new Map(leavesOf(typed).map(({ path, value }) => [path, value]))]
  const before = new Map(was.map(({ path, value }) => [path, value]))
  const moved = leavesOf(now).filter(({ path, value }) => !same(before.get(path), value))
  const untouched = ({ path }: Leaf) => same(before.get(path), mine.get(path))
  return {
    follow: moved.filter(untouched),
    conflicts: moved.filter((leaf) => !untouched(leaf) && !same(mine.get(leaf.path), leaf.value)).map(({ path }) => path),
  }
}
