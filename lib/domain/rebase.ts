type Leaf = { path: string; value: unknown }

/** All fields by dotted path. An array, such as the metadata lines, counts as one field. */
function leavesOf(values: object, prefix = ''): Leaf[] {
  return Object.entries(values).flatMap(([name, value]): Leaf[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? leavesOf(value, path) : [{ path, value }]
  })
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The changes for a form whose object changed: `follow` are untouched fields to update, `conflicts` are fields changed on both sides. */
export type Rebased = { follow: Leaf[]; conflicts: string[] }

/** Compares the typed form values with the current object. `base` are the values the form started from. */
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
