type Leaf = { path: string; value: unknown }

/** Every field with its dotted name; the lines of metadata count as one. */
function leavesOf(values: object, prefix = ''): Leaf[] {
  return Object.entries(values).flatMap(([name, value]): Leaf[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? leavesOf(value, path) : [{ path, value }]
  })
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What to do with a form whose object changed meanwhile: fields nobody touched follow the object, fields both changed are named. */
export type Rebased = { follow: Leaf[]; conflicts: string[] }

/** Lays what was typed over the object as it is now, each as the fields of its form; `base` is what the form began from. */
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
