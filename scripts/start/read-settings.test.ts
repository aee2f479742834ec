import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from './read-settings.mjs'
import { parseStartSettings, refuseSandboxVariables } from './settings.mjs'

let testFolder = ''
beforeEach(() => {
  testFolder = mkdtempSync(join(tmpdir(), 'read-settings-'))
})
afterEach(() => rmSync(testFolder, { recursive: true, force: true }))

/** Writes these .env files, then reads and checks the settings as `npm start` does. */
function readSettingsFrom(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(testFolder, name), text)
  const settings = readSettings(testFolder)
  refuseSandboxVariables(settings)
  return { ...settings, start: parseStartSettings(settings.variables, testFolder) }
}

const productionSettings =
  'SERVICE_PRODUCTION_URL=https://service.test\nSERVICE_PRODUCTION_API_KEY=a-key-of-some-length\n'

test.each(['.env', '.env.local', '.env.production', '.env.production.local'])(
  'a production service in %s turns off the demo',
  (file) => {
    expect(readSettingsFrom({ [file]: productionSettings }).start.embedded).toBe(false)
  },
)

test('the first file that contains a setting wins', () => {
  const settingFiles = Object.fromEntries(
    ['.env', '.env.production', '.env.local', '.env.production.local'].map((name, at) => [
      name,
      ['DATA_DIR', 'LOG_LEVEL', 'PORT', 'METRICS_TOKEN']
        .slice(0, 4 - at)
        .map((setting) => `${setting}=${4000 + at}\n`)
        .join(''),
    ]),
  )
  expect(readSettingsFrom(settingFiles).variables).toMatchObject({
    DATA_DIR: '4003',
    LOG_LEVEL: '4002',
    PORT: '4001',
    METRICS_TOKEN: '4000',
  })
})

test('a setting that is empty in a file stays empty', () => {
  expect(
    readSettingsFrom({ '.env': `${productionSettings}SERVICE_ACCOUNT_PREFIX=\n` }).variables,
  ).toHaveProperty('SERVICE_ACCOUNT_PREFIX', '')
})

describe('rejects with the setting and its file', () => {
  const apiKey = 'key-of-this-test-0123456789'
  const createErrorPattern = (name: string, file: string) =>
    new RegExp(`^${name} in ${file} is set by the start itself.*SERVICE_SANDBOX_URL`)
  test.each<[string, Record<string, string>, RegExp]>([
    [
      'the old switch',
      { '.env': 'EMBEDDED_SANDBOX=1\n' },
      createErrorPattern('EMBEDDED_SANDBOX', '\\.env'),
    ],
    [
      'a sandbox of its own',
      { '.env.local': 'EMBEDDED_SANDBOX_URL=http://127.0.0.1:9\n' },
      createErrorPattern('EMBEDDED_SANDBOX_URL', '\\.env\\.local'),
    ],
    [
      'the key of one',
      { '.env.production': `EMBEDDED_SANDBOX_API_KEY=${apiKey}\n` },
      createErrorPattern('EMBEDDED_SANDBOX_API_KEY', '\\.env\\.production'),
    ],
    [
      'half a service',
      { '.env.production.local': 'SERVICE_PRODUCTION_URL=https://service.test\n' },
      /^SERVICE_PRODUCTION_URL is set but SERVICE_PRODUCTION_API_KEY is not: /,
    ],
    [
      'a value that two readers read differently',
      { '.env': 'AUTH_SECRET=canary$word\n' },
      /^AUTH_SECRET in \.env: write \\\$ /,
    ],
  ])('%s', (_name, files, line) => {
    expect(() => readSettingsFrom(files)).toThrow(line)
    expect(() => readSettingsFrom(files)).not.toThrow(new RegExp(`${apiKey}|canary`))
  })

  test('a file that is unreadable', () => {
    symlinkSync('.env.local', join(testFolder, '.env.local'))
    expect(() => readSettingsFrom({})).toThrow(/^\.env\.local cannot be read \(ELOOP\): /)
  })
})
