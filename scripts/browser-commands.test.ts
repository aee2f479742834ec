import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
}

const importsPlaywright = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file))
    .some((file) => readFileSync(join(folder, file), 'utf8').includes("from '@playwright/test'"))

test('each command that starts a browser ensures one first', () => {
  const browserCommands = Object.values(scripts).flatMap((line) => {
    const [, ensured, folder] =
      /^node scripts\/ensure\.mjs (.*) && node (\w+)\/run\.mjs$/.exec(line) ?? []
    return folder ? [{ folder, looksForBrowser: ensured?.split(' ').includes('browser') }] : []
  })
  expect(browserCommands).toEqual([
    { folder: 'bench', looksForBrowser: importsPlaywright('bench') },
    { folder: 'chaos', looksForBrowser: importsPlaywright('chaos') },
  ])
  expect(importsPlaywright('bench')).toBe(true)
})
