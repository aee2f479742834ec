import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const endings = ['.ts', '.tsx', '/index.ts']

export function filesNamed(folder: string, names: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesNamed(path, names)
    return names.includes(entry.name) ? [path] : []
  })
}

/** Returns the paths of all source files below a folder, without tests. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) ? [path] : []
  })
}

/** Returns the path of an imported file, or null for a package. */
function resolveImport(specifier: string, importer: string): string | null {
  const base = specifier.startsWith('@/')
    ? join(root, specifier.slice(2))
    : specifier.startsWith('./')
      ? join(dirname(importer), specifier)
      : null
  if (base === null) return null
  return [base, ...endings.map((ending) => base + ending)].find((path) => /\.tsx?$/.test(path) && existsSync(path)) ?? null
}

const imports = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** Returns all files that a page imports, directly or indirectly. Includes dynamic imports and type imports. */
export function collectImports(page: string): Set<string> {
  const found = new Set<string>()
  const open = [page]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(imports)) {
      const next = resolveImport(specifier ?? '', file)
      if (next) open.push(next)
    }
  }
  return found
}
