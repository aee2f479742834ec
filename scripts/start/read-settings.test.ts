import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from './read-settings.mjs'
import { parseStartSettings, refuseSandboxVariables } from './settings.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes these files of settings, and returns the settings read and checked as at a start. */
function readSettingsFrom(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const settings = readSettings(folder)
  refuseSandboxVariables(settings)
  return { ...settings, start: parseStartSettings(settings.variables, folder) }
}

const productionSettings = 'SERVICE_PRODUCTION_URL=https://service.test\nSERVICE_PRODUCTION_API_KEY=a-key-of-some-length\n'

test.each(['.env', '.env.local', '.env.production', '.env.production.local'])('a production service in %s turns off the demo', (file) => {
  expect(readSettingsFrom({ [file]: productionSettings }).start.embedded).toBe(false)
})

test('the first file that contains a setting wins', () => {
  const files = Object.fromEntries(
    ['.env', '.env.production', '.env.local', '.env.production.local'].map((name, at) => [
      name,
      ['DATA_DIR', 'LOG_LEVEL', 'PORT', 'METRICS_TOKEN']
        .slice(0, 4 - at)
        .map((setting) => `${setting}=${4000 + at}\n`)
        .join(''),
    ]),
  )
  expect(readSettingsFrom(files).variables).toMatchObject({ DATA_DIR: '4003', LOG_LEVEL: '4002', PORT: '4001', METRICS_TOKEN: '4000' })
})

test('a setting that is empty in a file stays empty', () => {
  expect(readSettingsFrom({ '.env': `${productionSettings}SERVICE_ACCOUNT_PREFIX=\n` }).variables).toHaveProperty(
    'SERVICE_ACCOUNT_PREFIX',
    '',
  )
})

describe('rejects with the setting and its file', () => {
  const apiKey = 'key-of-this-test-0123456789'
  const describeSetting = (name: string, file: string) => new RegExp(`^${name} in ${file} is set by the start itself.*SERVICE_SANDBOX_URL`)
  test.each<[string, Record<string, string>, RegExp]>([
    ['the old switch', { '.env': 'EMBEDDED_SANDBOX=1\n' }, describeSetting('EMBEDDED_SANDBOX', '\\.env')],
    [
      'a sandbox of its own',
      { '.env.local': 'EMBEDDED_SANDBOX_URL=http://127.0.0.1:9\n' },
      describeSetting('EMBEDDED_SANDBOX_URL', '\\.env\\.local'),
    ],
    [
      'the key of one',
      { '.env.production': `EMBEDDED_SANDBOX_API_KEY=${apiKey}\n` },
      describeSetting('EMBEDDED_SANDBOX_API_KEY', '\\.env\\.production'),
    ],
    [
      'half a service',
      { '.env.production.local': 'SERVICE_PRODUCTION_URL=https://service.test\n' },
      /^SERVICE_PRODUCTION_URL is set but SERVICE_PRODUCTION_API_KEY is not: /,
    ],
    ['a value that two readers read differently', { '.env': 'AUTH_SECRET=canary$word\n' }, /^AUTH_SECRET in \.env: write \\\$ /],
  ])('%s', (_name, files, line) => {
    expect(() => readSettingsFrom(files)).toThrow(line)
    expect(() => readSettingsFrom(files)).not.toThrow(new RegExp(`${apiKey}|canary`))
  })

  test('a file that is unreadable', () => {
    symlinkSync('.env.local', join(folder, '.env.local'))
    expect(() => readSettingsFrom({})).toThrow(/^\.env\.local cannot be read \(ELOOP\): /)
  })
})
