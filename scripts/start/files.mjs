import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ignoredFolders = ['node_modules', 'build', 'data']

export function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Returns the paths of the source files at a path. Skips tests, because they do not affect a build.
 */
function listSourcesIn(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat && !/\.test\.tsx?$/.test(path) ? [path] : []
  const entryNames = readdirSync(join(root, path)).filter((name) => !ignoredFolders.includes(name))
  return entryNames.flatMap((name) => listSourcesIn(root, `${path}/${name}`))
}

/**
 * Returns the SHA-256, in hex, of `extraValues` and of the paths and contents of all source files at
 * `paths`. These are files or folders, relative to `root`. A missing path is ignored.
 */
export function hashFiles(root, paths, extraValues) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((entry) => listSourcesIn(root, entry)).sort()) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.update(JSON.stringify(extraValues)).digest('hex')
}
