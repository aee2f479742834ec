import { describe, expect, test } from 'vitest'
import { parseEnv } from './env'
import { createTimeSettings, parseTimeSettings } from './times'

const productionTimes = {
  pauses: {
    replays: [1000, 3000],
    session: 1000,
    idleResolver: 10_000,
    failedSignIn: { first: 100, most: 1600 },
  },
  hashes: { cost: 17 },
  responseHeaders: { connect: 3000, read: 10_000, write: 20_000, replays: 15_000 },
  responseBody: { silence: 5000 },
  exchange: { read: 15_000, write: 30_000, upload: 60_000 },
  requestStart: { headers: 15_000, check: 5000, form: 5000 },
  requestBody: { whole: 30_000, rest: 10_000 },
  upload: { stretch: 10_000, bytes: 160_000, whole: 120_000, place: 15_000 },
  fileCheck: { whole: 20_000 },
  schedule: { delays: [5, 15, 60, 300, 900], hourly: 3600 },
}

const shortPauses = {
  replays: [100, 300],
  session: 100,
  idleResolver: 1000,
  failedSignIn: { first: 10, most: 160 },
}
const shortTimes = { ...productionTimes, pauses: shortPauses, hashes: { cost: 10 } }

test('an unset or empty setting yields the production times', () => {
  expect(createTimeSettings([])).toEqual(productionTimes)
  expect(parseTimeSettings({})).toEqual(productionTimes)
  expect(parseTimeSettings({ TEST_TIMES: '' })).toEqual(productionTimes)
})

test('each named time is a tenth, and the others are unchanged', () => {
  expect(createTimeSettings(['pauses', 'hashes'])).toEqual(shortTimes)
  expect(createTimeSettings(['upload'])).toEqual({
    ...productionTimes,
    upload: { stretch: 1000, bytes: 16_000, whole: 12_000, place: 1500 },
  })
  expect(createTimeSettings(['responseHeaders']).responseHeaders).toEqual({
    connect: 300,
    read: 1000,
    write: 2000,
    replays: 1500,
  })
})

test.each([productionTimes, createTimeSettings(['responseHeaders'])])(
  'a write without a response takes longer than the period for replays',
  ({ responseHeaders }) => {
    expect(responseHeaders.replays).toBeLessThan(responseHeaders.write)
  },
)

/** Settings in which every address is on this machine. */
const localEnv = {
  TEST_TIMES: 'pauses,hashes',
  SERVICE_SANDBOX_URL: 'http://127.0.0.1:4010',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  SERVICE_PRODUCTION_URL: 'http://localhost:4011',
  SERVICE_PRODUCTION_API_KEY: 'key-0123456789-0123456789',
  DATABASE_URL: 'postgres://paydesk@127.0.0.1:5432/postgres',
  APP_ORIGIN: 'http://127.0.0.1:3000',
  AUTH_SECRET: '0123456789abcdef0123456789abcdef',
  ENCRYPTION_KEY: 'fedcba9876543210fedcba9876543210',
}

const catchErrorMessage = (read: () => unknown): string => {
  try {
    read()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('short times', () => {
  test('are allowed if every address of Paydesk is on this machine', () => {
    expect(catchErrorMessage(() => parseEnv(localEnv))).toBe('')
    expect(parseTimeSettings(localEnv)).toEqual(shortTimes)
    expect(
      parseTimeSettings({ ...localEnv, DATABASE_URL: '', SERVICE_PRODUCTION_URL: '' }),
    ).toEqual(shortTimes)
    expect(
      parseTimeSettings({
        ...localEnv,
        DATABASE_URL: 'postgres://paydesk@/desk?host=/var/run/postgresql',
      }),
    ).toEqual(shortTimes)
  })

  test.each([
    ['APP_ORIGIN', 'https://desk.company.test'],
    ['SERVICE_SANDBOX_URL', 'https://api.provider.test'],
    ['SERVICE_PRODUCTION_URL', 'https://api.provider.test'],
    ['DATABASE_URL', 'postgres://paydesk@db.company.test/desk?sslmode=verify-full'],
    ['DATABASE_URL', 'POSTGRES://paydesk@127.0.0.1/desk?host=db.company.test&sslmode=verify-full'],
    ['SMTP_URL', 'smtps://user:password@mail.company.test'],
    ['OIDC_DISCOVERY_URL', 'https://login.company.test/.well-known/openid-configuration'],
  ])('are rejected if %s is %s, with the setting, the reason and the fix', (name, elsewhere) => {
    const mailEnv = { MAIL_FROM: 'paydesk@company.test' }
    const ssoEnv = { OIDC_CLIENT_ID: 'paydesk', OIDC_CLIENT_SECRET: 'a-secret-of-the-provider' }
    const remoteEnv = {
      ...localEnv,
      ...(name === 'SMTP_URL' ? mailEnv : {}),
      ...(name.startsWith('OIDC') ? ssoEnv : {}),
      [name]: elsewhere,
    }
    const expectedErrorText = `TEST_TIMES: must not be set: it is for tests on one machine, and ${name} is on another`
    expect(catchErrorMessage(() => parseEnv(remoteEnv))).toBe(expectedErrorText)
    expect(catchErrorMessage(() => parseTimeSettings(remoteEnv))).toBe(expectedErrorText)
  })

  test('are rejected in a command without APP_ORIGIN', () => {
    expect(catchErrorMessage(() => parseTimeSettings({ TEST_TIMES: 'pauses,hashes' }))).toMatch(
      /^TEST_TIMES: must not be set: .*APP_ORIGIN is not set$/,
    )
  })

  test('are rejected for an unknown name', () => {
    const expectedErrorPattern =
      /^TEST_TIMES: must be a list of pauses, hashes, responseHeaders, .*, upload, fileCheck$/
    expect(
      catchErrorMessage(() => parseEnv({ ...localEnv, TEST_TIMES: 'pauses,schedule' })),
    ).toMatch(expectedErrorPattern)
  })
})
