import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of installed, built or stored files inside a workspace. They contain no sources. */
const ignoredFolders = ['node_modules', 'build', 'data']

/** Returns the text of a file; empty if it cannot be read. */
export function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the paths of the sources at a path. Skips tests, which change nothing that runs. */
function sourcesIn(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat && !/\.test\.tsx?$/.test(path) ? [path] : []
  const names = readdirSync(join(root, path)).filter((name) => !ignoredFolders.includes(name))
  return names.flatMap((name) => sourcesIn(root, `${path}/${name}`))
}

/**
 * Returns the hex SHA-256 over the names and bytes of all sources at the given paths and over the extra data. Paths are files or folders,
 * relative to `root`; missing ones count as empty.
 */
export function hashFiles(root, paths, extra) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((entry) => sourcesIn(root, entry)).sort()) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.update(JSON.stringify(extra)).digest('hex')
}
