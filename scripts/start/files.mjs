import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders in a workspace that contain no sources: installed packages, builds and stored data. */
const ignoredFolders = ['node_modules', 'build', 'data']

/** Returns the text of a file, or an empty string if the file cannot be read. */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the paths of the source files at a file or folder. Skips tests, because they do not affect the build. */
function listSourcesIn(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat && !/\.test\.tsx?$/.test(path) ? [path] : []
  const names = readdirSync(join(root, path)).filter((name) => !ignoredFolders.includes(name))
  return names.flatMap((name) => listSourcesIn(root, `${path}/${name}`))
}

/**
 * Returns the hex SHA-256 of `extra` and of the names and bytes of all source files at `paths`. Paths are files or folders, relative to
 * `root`. A missing path counts as empty.
 */
export function hashFiles(root, paths, extra) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((entry) => listSourcesIn(root, entry)).sort()) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.update(JSON.stringify(extra)).digest('hex')
}
