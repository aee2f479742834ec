import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AddFactorResult, SecondFactors } from '@/lib/operations/step-up'
import { createAuthenticator } from './harness/authenticator'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { findFreePort } from './harness/free-port'
import { type Person, signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'
import {
  completeStepUp,
  createReleaseSender,
  requireStepUpChallenge,
  testPersonPassword,
  toJsonInit,
} from './harness/step-up'

let sandbox: Sandbox
let dashboard: Dashboard
let person: Person
let authenticator: ReturnType<typeof createAuthenticator>

const factorsPath = '/api/sandbox/desk/factors'

beforeAll(async () => {
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  sandbox = await startSandbox()
  dashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    port,
    env: { APP_ORIGIN: origin },
  })
  person = await signIn(dashboard.url, 'operator', { confirms: false })
  authenticator = createAuthenticator(origin)
})
afterAll(async () => {
  await dashboard?.stop()
  await sandbox?.stop()
})

const readChallenge = (options: unknown) => (options as { challenge: string }).challenge

/**
 * Sends the release of a payout so large that the release requires a step-up of its own. Returns a
 * function that sends the release again, the id of the step-up challenge, and the bytes that the
 * passkey must sign.
 */
async function requestRelease() {
  const sendRelease = createReleaseSender(await sandbox.makePayout({ amount: 600_000 }))
  const { challenge, methods, webauthn } = await requireStepUpChallenge(await sendRelease(person))
  expect(methods).toEqual(['passkey', 'recovery'])
  return { release: sendRelease, id: challenge, toSign: readChallenge(webauthn) }
}

const completeStepUpByPasskey = async (challengeId: string, passkey: object) =>
  (await completeStepUp(person, challengeId, { method: 'passkey', passkey })).status

test('a passkey is added after the password, once for each enrollment', async () => {
  const beginPath = `${factorsPath}/passkeys/begin`
  const { challenge, methods } = await requireStepUpChallenge(
    await person.send(beginPath, { method: 'POST' }),
  )
  expect(methods).toEqual(['password'])
  await completeStepUp(person, challenge, { method: 'password', password: testPersonPassword })
  type BegunEnrollment = { enrollment: string; options: { challenge: string; rp: { id: string } } }
  const begunEnrollment = (
    await person.post<BegunEnrollment>(beginPath, { headers: { 'step-up': challenge } })
  ).body.data as BegunEnrollment
  expect(begunEnrollment.options.rp.id).toBe('localhost')
  const addPasskey = () =>
    person.post<AddFactorResult>(
      `${factorsPath}/passkeys`,
      toJsonInit({
        enrollment: begunEnrollment.enrollment,
        name: 'Key',
        passkey: authenticator.create(begunEnrollment.options.challenge),
      }),
    )
  const addReply = await addPasskey()
  expect([addReply.status, addReply.body.error?.detail]).toEqual([200, undefined])
  expect(addReply.body.data?.recovery_codes).toHaveLength(10)
  expect((await addPasskey()).status).toBe(409)
})

test('a signature confirms its own request', async () => {
  const { release, id, toSign } = await requestRelease()
  expect(await completeStepUpByPasskey(id, authenticator.get(toSign))).toBe(200)
  expect((await release(person, id)).status).toBe(202)
  expect(
    (await person.get<SecondFactors>(factorsPath)).body.data?.passkeys[0]?.last_used_at,
  ).not.toBeNull()
})

test('a signature does not confirm another request, nor a second time', async () => {
  const [firstRelease, secondRelease] = [await requestRelease(), await requestRelease()]
  const signedAssertion = authenticator.get(firstRelease.toSign)
  expect(await completeStepUpByPasskey(secondRelease.id, signedAssertion)).toBe(422)
  expect(await completeStepUpByPasskey(firstRelease.id, signedAssertion)).toBe(200)
  expect(await completeStepUpByPasskey(firstRelease.id, signedAssertion)).toBe(409)
  expect((await secondRelease.release(person, firstRelease.id)).status).toBe(403)
  expect((await firstRelease.release(person, firstRelease.id)).status).toBe(202)
})

test.each([
  ['on a page of somebody else', { origin: 'http://localhost:1' }],
  ['without the person verified', { verified: false }],
  ['with a counter that stands still', { counter: 1 }],
])('a signature made %s is rejected', async (_, told) => {
  const { release, id, toSign } = await requestRelease()
  expect(await completeStepUpByPasskey(id, authenticator.get(toSign, told))).toBe(422)
  expect((await release(person, id)).status).toBe(403)
})

test('a signature of another key is rejected', async () => {
  const { id, toSign } = await requestRelease()
  expect(
    await completeStepUpByPasskey(
      id,
      createAuthenticator(`http://localhost:${new URL(dashboard.url).port}`).get(toSign),
    ),
  ).toBe(422)
})
