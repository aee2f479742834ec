import { expect, test } from 'vitest'
import { keyProbes } from './connection-probes'
import type { Check } from './probe'

const jwt = (claims: object) => ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'sig'].join('.')
/** The facts that the probes of a key use. They send no request. */
const check = (apiKey: string) =>
  ({
    environment: 'sandbox',
    service: { url: 'https://service.test', apiKey },
    settingPrefix: 'SERVICE_SANDBOX',
    now: Date.parse('2026-03-31T12:00:00Z'),
  }) as Check
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000

test('a key without an environment or expiry is reported without a verdict', () => {
  const bare = check(jwt({}))
  expect(keyProbes.Environment?.(bare)).toEqual({ verdict: 'cannot_tell', text: 'the key names none' })
  expect(keyProbes.Expiry?.(bare)).toEqual({ verdict: 'cannot_tell', text: 'the key names no end; no time of issue' })
})

test('an expired key shows the setting to change', () => {
  expect(keyProbes.Expiry?.(check(jwt({ iat: day('2026-01-01'), exp: day('2026-03-01') })))).toMatchObject({
    verdict: 'does_not_fit',
    set: 'set SERVICE_SANDBOX_API_KEY to a new key',
  })
})
