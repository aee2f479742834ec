import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const isTest = (path) => /\.test\.tsx?$/.test(path)

/** Folders of installed, built or stored files inside a workspace. They contain no sources. */
const ignoredFolders = ['node_modules', 'build', 'data']

function filesUnder(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return isTest(path) ? [] : [path]
  return readdirSync(join(root, path))
    .filter((name) => !ignoredFolders.includes(name))
    .flatMap((name) => filesUnder(root, `${path}/${name}`))
}

/**
 * Returns the hex SHA-256 over the names and bytes of all files under the given paths and over the extra strings. Paths are files or
 * folders, relative to `root`; missing ones count as empty. Skips tests, which change nothing that runs.
 */
export function hashFiles(root, paths, extra = []) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((entry) => filesUnder(root, entry)).sort()) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.update(JSON.stringify(extra)).digest('hex')
}
