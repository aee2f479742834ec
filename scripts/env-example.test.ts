import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const listed = [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name ?? '')
const readers = ['lib/server/env.ts', ...readdirSync('scripts').map((name) => `scripts/${name}`)].filter(
  (name) => /\.(mjs|ts)$/.test(name) && !name.endsWith('.test.ts'),
)
const code = readers.map((name) => readFileSync(name, 'utf8')).join('\n')

test.each(listed)('%s is a setting that something reads', (name) => {
  expect(code).toMatch(new RegExp(`\\b${name}\\b`))
})

test('every setting of the server is listed, save those that a start sets itself and the one that is refused', () => {
  const parsed = [...readFileSync('lib/server/env.ts', 'utf8').matchAll(/^\s+([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? '')
  expect(parsed.length).toBeGreaterThan(10)
  expect(parsed.filter((name) => !listed.includes(name))).toEqual([
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'EMBEDDED_SANDBOX_URL',
    'EMBEDDED_SANDBOX_API_KEY',
  ])
})
