import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AddFactorResult } from '@/lib/operations/step-up'
import {
  type IdentityProvider,
  signInBySso,
  startIdentityProvider,
} from './harness/identity-provider'
import { createVisitor } from './harness/sign-in'
import {
  createReleaseSender,
  createStepUpHelpers,
  generateTotpCode,
  toJsonInit,
} from './harness/step-up'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let idp: IdentityProvider
let stepUpHelpers: ReturnType<typeof createStepUpHelpers>

beforeAll(async () => {
  const startProviderAndReadSettings = async (deskUrl: string) => {
    idp = await startIdentityProvider({
      deskUrl,
      roles: 'payments-team=operator; owners=admin@production',
    })
    return idp.settings
  }
  testStack = await startWholeDesk({ settingsAt: startProviderAndReadSettings })
  stepUpHelpers = createStepUpHelpers(testStack)
  idp.tell({
    sub: 'omar',
    email: 'omar@company.test',
    email_verified: true,
    name: 'Omar',
    groups: ['payments-team'],
  })
})
afterAll(async () => {
  await testStack?.stop()
  await idp?.stop()
})
beforeEach(() => stepUpHelpers.removeFactors())

type SendAsOmar = Awaited<ReturnType<typeof signInOmar>>

const signInOmar = async (requiresNewLogin: boolean) =>
  (await signInBySso(testStack.dashboard.url, 'omar', { fresh: requiresNewLogin })).send

const readStatusAndBody = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error?: object; data?: unknown }),
})

/**
 * Creates a payout so small that its release needs no approval, and sends the release. Returns the
 * payout and the response.
 */
async function sendSmallRelease(send: SendAsOmar) {
  const payout = await testStack.sandbox.makePayout()
  const sendRelease = createReleaseSender(payout)
  return {
    payout,
    ...(await readStatusAndBody(await sendRelease({ send } as Parameters<typeof sendRelease>[0]))),
  }
}

const beginAppEnrollment = (send: SendAsOmar) =>
  send('/api/sandbox/desk/factors/totp/begin', { method: 'POST' })

test('without a password, a factor or a recent SSO sign-in, an action is refused without a challenge', async () => {
  const sendAsOmar = await signInOmar(false)
  const { status, error, payout } = await sendSmallRelease(sendAsOmar)
  expect([status, error]).toEqual([
    403,
    expect.objectContaining({ detail: expect.stringContaining('Sign in again on Your profile') }),
  ])
  expect(error).not.toHaveProperty('step_up')
  expect(await stepUpHelpers.recorded(`payouts/${payout.id}`)).toBe(0)
  expect((await stepUpHelpers.auditOf('step_ups.use.refused')).at(-1)).toMatchObject({
    fault: 'no_factor',
    purpose: 'payouts.release',
  })
  expect((await beginAppEnrollment(sendAsOmar)).status).toBe(403)
})

test('a recent SSO sign-in is enough in the sandbox, for ten minutes and in its session only', async () => {
  const send = await signInOmar(true)
  const { status, payout } = await sendSmallRelease(send)
  expect([status, await stepUpHelpers.recorded(`payouts/${payout.id}`)]).toEqual([200, 1])
  expect((await stepUpHelpers.auditOf('payouts.release.start')).at(-1)).toMatchObject({
    step_up: 'sso',
  })
  expect((await sendSmallRelease(await signInOmar(false))).status).toBe(403)
  for (const authenticatedAt of ["now() - interval '11 minutes'", "now() + interval '1 hour'"]) {
    await testStack.db.query(`update sessions set sso_authenticated_at = ${authenticatedAt}`)
    expect([authenticatedAt, (await sendSmallRelease(send)).status]).toEqual([authenticatedAt, 403])
  }
})

test('a recent SSO sign-in allows adding the first factor, which is required from then on', async () => {
  const send = await signInOmar(true)
  const begunEnrollment = (await readStatusAndBody(await beginAppEnrollment(send))).data as {
    enrollment: string
    secret: string
  }
  const addResponse = await send('/api/sandbox/desk/factors/totp', {
    method: 'POST',
    ...toJsonInit({
      enrollment: begunEnrollment.enrollment,
      code: generateTotpCode(begunEnrollment.secret),
    }),
  })
  expect(
    ((await readStatusAndBody(addResponse)).data as AddFactorResult).recovery_codes,
  ).toHaveLength(10)
  const { status, error } = await sendSmallRelease(send)
  expect([status, error]).toEqual([
    403,
    expect.objectContaining({
      step_up: expect.objectContaining({ methods: ['totp', 'recovery'] }),
    }),
  ])
  // Adding a second authenticator app requires a step-up: a proof with the first one.
  expect((await readStatusAndBody(await beginAppEnrollment(send))).error).toHaveProperty('step_up')
})

test('a sign-in without a new authentication does not count, even if the provider knows the browser', async () => {
  const providerCookieJar = new Map<string, string>()
  await signInBySso(testStack.dashboard.url, 'omar', { providerCookies: providerCookieJar })
  const secondSignIn = await signInBySso(testStack.dashboard.url, 'omar', {
    providerCookies: providerCookieJar,
  })
  const [{ sso_authenticated_at: told }] = (
    await testStack.db.query(
      'select sso_authenticated_at from sessions order by created_at desc limit 1',
    )
  ).rows
  expect([secondSignIn.ok, told]).toEqual([true, null])
  expect((await sendSmallRelease(secondSignIn.send)).status).toBe(403)
})

test('the authentication time comes only from the signed token', async () => {
  idp.answerInfo({
    sub: 'omar',
    auth_time: Math.floor(Date.now() / 1000),
    groups: ['payments-team'],
  })
  expect((await sendSmallRelease(await signInOmar(false))).status).toBe(403)
  idp.answerInfo(null)
})

test('a person who signs in by SSO cannot get a password by mail or link', async () => {
  await signInOmar(false)
  const forgotResponse = await createVisitor(testStack.dashboard.url).send('/api/password/forgot', {
    method: 'POST',
    ...toJsonInit({ email: 'omar@company.test' }),
  })
  expect(forgotResponse.status).toBeLessThan(500)
  expect(
    (await testStack.db.query('select count(*)::int as count from one_time_links')).rows,
  ).toEqual([{ count: 0 }])
})

test('a sign-in is audited with its method, and a refusal with its reason, without name or address', async () => {
  await signInOmar(false)
  await signInBySso(testStack.dashboard.url, idp.stranger({ groups: [] }).sub)
  const signInAuditRows = [
    (await stepUpHelpers.auditOf('session.sign_in.applied')).at(-1),
    (await stepUpHelpers.auditOf('session.sign_in.refused')).at(-1),
  ]
  expect(signInAuditRows).toEqual([
    expect.objectContaining({ signed_in_by: 'sso', actor: expect.any(String) }),
    expect.objectContaining({ fault: 'unknown', actor: null }),
  ])
  expect(JSON.stringify(signInAuditRows)).not.toMatch(/omar|person-|company\.test/)
})

test('it is audited if the last admin keeps a role whose group is gone', async () => {
  const ownerClaims = idp.stranger({ groups: ['owners'] })
  await signInBySso(testStack.dashboard.url, ownerClaims.sub)
  idp.tell({ ...ownerClaims, groups: [] })
  await signInBySso(testStack.dashboard.url, ownerClaims.sub)
  expect(await stepUpHelpers.auditOf('people.take_grant_by_sso.refused')).toEqual([
    expect.objectContaining({
      fault: 'last_admin',
      role: 'admin',
      environment: 'production',
      actor: null,
    }),
  ])
})
