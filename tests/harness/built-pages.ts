import path from 'node:path'
import { currentPages } from '@/scripts/start/pages.mjs'

export function findBuiltPages(inside: string): string {
  const folder = currentPages('.')
  if (!folder) throw new Error('no pages are built: run node scripts/ensure.mjs build')
  return path.resolve(folder, inside)
}
