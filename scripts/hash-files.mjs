import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const isTest = (path) => /\.test\.tsx?$/.test(path)

/** What is installed, built or kept inside of a workspace is none of its sources. */
const made = ['node_modules', 'build', 'data']

function filesUnder(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return isTest(path) ? [] : [path]
  return readdirSync(join(root, path))
    .filter((name) => !made.includes(name))
    .flatMap((name) => filesUnder(root, `${path}/${name}`))
}

/**
 * Hex SHA-256 over the names and bytes of all files under the given paths (files or folders, relative to `root`, missing ones
 * count as empty) and over the extra strings. Tests are left out: what they say changes nothing that runs.
 */
export function hashFiles(root, paths, extra = []) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((entry) => filesUnder(root, entry)).sort()) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.update(JSON.stringify(extra)).digest('hex')
}
