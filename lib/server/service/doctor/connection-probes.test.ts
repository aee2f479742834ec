import { expect, test } from 'vitest'
import { keyProbes } from './connection-probes'
import type { ProbeContext } from './probe'

const createJwt = (claims: object) =>
  ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'sig'].join('.')
/** Returns the facts that the tested probes need. These probes send no request. */
const createProbeContext = (apiKey: string) =>
  ({
    environment: 'sandbox',
    service: { url: 'https://service.test', apiKey },
    settingPrefix: 'SERVICE_SANDBOX',
    now: Date.parse('2026-03-31T12:00:00Z'),
  }) as ProbeContext
const toEpochSeconds = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000

test('a key without an environment or expiry is reported without a verdict', () => {
  const bareProbeContext = createProbeContext(createJwt({}))
  expect(keyProbes.Environment?.(bareProbeContext)).toEqual({
    verdict: 'cannot_tell',
    text: 'the key names none',
  })
  expect(keyProbes.Expiry?.(bareProbeContext)).toEqual({
    verdict: 'cannot_tell',
    text: 'the key names no end; no time of issue',
  })
})

test('an expired key shows the setting to change', () => {
  expect(
    keyProbes.Expiry?.(
      createProbeContext(
        createJwt({ iat: toEpochSeconds('2026-01-01'), exp: toEpochSeconds('2026-03-01') }),
      ),
    ),
  ).toMatchObject({
    verdict: 'does_not_fit',
    set: 'set SERVICE_SANDBOX_API_KEY to a new key',
  })
})
