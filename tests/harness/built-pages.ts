import path from 'node:path'
import { readCurrentPagesFolder } from '@/scripts/start/pages.mjs'

export function findBuiltPages(relativePath: string): string {
  const pagesFolder = readCurrentPagesFolder('.')
  if (!pagesFolder) throw new Error('no pages are built: run node scripts/ensure.mjs build')
  return path.resolve(pagesFolder, relativePath)
}
