import path from 'node:path'
import { readCurrentPages } from '@/scripts/start/pages.mjs'

export function findBuiltPages(inside: string): string {
  const folder = readCurrentPages('.')
  if (!folder) throw new Error('no pages are built: run node scripts/ensure.mjs build')
  return path.resolve(folder, inside)
}
