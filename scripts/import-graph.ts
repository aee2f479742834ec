import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const importSuffixes = ['.ts', '.tsx', '/index.ts']

export function findFilesNamed(folder: string, names: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return findFilesNamed(path, names)
    return names.includes(entry.name) ? [path] : []
  })
}

export function listSourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listSourceFiles(path)
    return /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) ? [path] : []
  })
}

/** Returns the path of an imported file, or null for a package. */
function resolveImport(specifier: string, importer: string): string | null {
  const importPath = specifier.startsWith('@/')
    ? join(projectRoot, specifier.slice(2))
    : specifier.startsWith('./')
      ? join(dirname(importer), specifier)
      : null
  if (importPath === null) return null
  return (
    [importPath, ...importSuffixes.map((ending) => importPath + ending)].find(
      (path) => /\.tsx?$/.test(path) && existsSync(path),
    ) ?? null
  )
}

const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** Returns the page and all files that it imports, also by indirect, dynamic and type imports. */
export function collectImports(page: string): Set<string> {
  const foundFiles = new Set<string>()
  const pendingFiles = [page]
  for (let file = pendingFiles.pop(); file !== undefined; file = pendingFiles.pop()) {
    if (foundFiles.has(file)) continue
    foundFiles.add(file)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(importPattern)) {
      const resolvedFile = resolveImport(specifier ?? '', file)
      if (resolvedFile) pendingFiles.push(resolvedFile)
    }
  }
  return foundFiles
}
