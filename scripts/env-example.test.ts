import { readdirSync, readFileSync } from 'node:fs'
import { parseEnv as parseDotenv } from 'node:util'
import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/server/config/env'

const exampleSettingNames = [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(
  ([, name]) => name ?? '',
)
const serverSettingFiles = [
  'env',
  'integration',
  'store-settings',
  'mail-settings',
  'sso-settings',
  'times',
  'tracing-settings',
  'webhook-settings',
].map((name) => `lib/server/config/${name}.ts`)
const settingReaderFiles = [
  ...serverSettingFiles,
  ...readdirSync('scripts/start').map((name) => `scripts/start/${name}`),
].filter((name) => /\.(mjs|ts)$/.test(name) && !name.endsWith('.test.ts'))
const settingReaderSource = settingReaderFiles.map((name) => readFileSync(name, 'utf8')).join('\n')

test.each(exampleSettingNames)('%s is a setting that the code reads', (name) => {
  expect(settingReaderSource).toMatch(new RegExp(`\\b${name}\\b`))
})

test('every server setting is listed except internal, forbidden and test settings', () => {
  const serverSettingsSource = serverSettingFiles
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
  const serverSettingNames = [...serverSettingsSource.matchAll(/^\s+([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name ?? '',
  )
  expect(serverSettingNames.length).toBeGreaterThan(10)
  expect(serverSettingNames.filter((name) => !exampleSettingNames.includes(name))).toEqual([
    'EMBEDDED_SANDBOX_URL',
    'EMBEDDED_SANDBOX_API_KEY',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'TEST_TIMES',
    'EMBEDDED_SANDBOX_WEBHOOK_SECRET',
  ])
})

test('a copy of the example changes nothing, because its values are the defaults', () => {
  const exampleSettings = parseDotenv(readFileSync('.env.example', 'utf8'))
  const serviceSettings = {
    SERVICE_SANDBOX_URL: 'https://service.test',
    SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
    APP_ORIGIN: 'https://desk.test',
    AUTH_SECRET: '0123456789abcdef0123456789abcdef',
    ENCRYPTION_KEY: 'fedcba9876543210fedcba9876543210',
  }
  expect(parseEnv({ ...exampleSettings, ...serviceSettings })).toEqual(parseEnv(serviceSettings))
})
