import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultPolicy } from '@/lib/domain/policies'
import type { StepUpChallenge } from '@/lib/errors'
import type { SecondFactors } from '@/lib/operations/step-up'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { goodReason, type Person } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import {
  completeStepUp,
  completeStepUpWithApp,
  createReleaseSender,
  createStepUpHelpers,
  expireStepUp,
  generateTotpCode,
  requireStepUpChallenge,
  testPersonPassword,
} from './harness/step-up'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let stepUpHelpers: ReturnType<typeof createStepUpHelpers>

beforeAll(async () => {
  testStack = await startWholeDesk({ production: true })
  stepUpHelpers = createStepUpHelpers(testStack)
})
afterAll(() => testStack?.stop())

describe('with an authenticator app', () => {
  let person: Person
  let authenticatorApp: Awaited<ReturnType<ReturnType<typeof createStepUpHelpers>['addApp']>>
  beforeAll(async () => {
    await stepUpHelpers.removeFactors()
    person = await stepUpHelpers.enter()
    authenticatorApp = await stepUpHelpers.addApp(person)
  })
  afterAll(() => stepUpHelpers.removeFactors())

  /**
   * Creates a payout so large that another person must approve its release. Such a release also
   * requires a step-up of its own: an earlier step-up does not count.
   */
  const createLargePayout = () => testStack.sandbox.makePayout({ amount: 600_000 })

  /**
   * Sends a release and completes the step-up that it requires, with a code of the authenticator
   * app. Returns a function that sends the release again, and the id of the completed challenge.
   */
  const prepareProvenRelease = async (payout: MadePayout, reason?: string) => {
    await stepUpHelpers.freshStep()
    const sendRelease = createReleaseSender(payout, reason)
    const { challenge } = await requireStepUpChallenge(await sendRelease(person))
    await completeStepUpWithApp(person, challenge, authenticatorApp.secret)
    return { release: sendRelease, challenge }
  }

  test('the first app creates ten recovery codes, and the password is no longer accepted', async () => {
    expect(authenticatorApp.codes).toHaveLength(10)
    expect(new Set(authenticatorApp.codes).size).toBe(10)
    const { challenge, methods } = await requireStepUpChallenge(
      await createReleaseSender(await createLargePayout())(person),
    )
    expect(methods).toEqual(['totp', 'recovery'])
    expect(
      (
        await completeStepUp(person, challenge, {
          method: 'password',
          password: testPersonPassword,
        })
      ).status,
    ).toBe(403)
  })

  test('a proof for one request is not valid for another', async () => {
    const payout = await createLargePayout()
    const { release, challenge } = await prepareProvenRelease(payout)
    const otherReleaseSenders = [
      createReleaseSender(await createLargePayout()),
      createReleaseSender(payout, `${goodReason} twice`),
      createReleaseSender(payout),
    ]
    for (const other of otherReleaseSenders)
      expect((await other(person, challenge)).status).toBe(403)
    expect(await stepUpHelpers.recorded(`payouts/${payout.id}`)).toBe(0)
    expect(
      (await stepUpHelpers.auditOf('step_ups.use.refused')).filter(
        ({ fault }) => fault === 'other_request',
      ),
    ).toHaveLength(3)
    expect((await release(person, challenge)).status).toBe(202)
  })

  test('a proof is not valid in another session or for another person', async () => {
    const { release, challenge } = await prepareProvenRelease(await createLargePayout())
    expect((await release(await stepUpHelpers.enter(), challenge)).status).toBe(403)
    expect((await release(await stepUpHelpers.enter('admin'), challenge)).status).toBe(403)
    expect((await stepUpHelpers.auditOf('step_ups.use.refused')).map(({ fault }) => fault)).toEqual(
      expect.arrayContaining(['other_session', 'unknown']),
    )
    expect((await release(person, challenge)).status).toBe(202)
  })

  test('a proof is valid once, also for concurrent requests', async () => {
    await stepUpHelpers.freshStep()
    const recoveryCodesPath = '/api/sandbox/desk/factors/recovery-codes'
    const postRecoveryCodes = (proof?: string) =>
      person.send(recoveryCodesPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(proof ? { 'step-up': proof } : {}) },
        body: '{}',
      })
    const { challenge } = await requireStepUpChallenge(await postRecoveryCodes())
    await completeStepUpWithApp(person, challenge, authenticatorApp.secret)
    const parallelResponses = await Promise.all([
      postRecoveryCodes(challenge),
      postRecoveryCodes(challenge),
      postRecoveryCodes(challenge),
    ])
    expect(parallelResponses.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    const recoveryCodesBodies = await Promise.all(
      parallelResponses.map(
        (response) => response.json() as Promise<{ data?: { recovery_codes: string[] } }>,
      ),
    )
    authenticatorApp.codes = recoveryCodesBodies.flatMap(({ data }) => data?.recovery_codes ?? [])
  })

  test('a proof expires after its time', async () => {
    const payout = await createLargePayout()
    const { release, challenge } = await prepareProvenRelease(payout)
    await expireStepUp(testStack, challenge)
    expect((await release(person, challenge)).status).toBe(403)
    const expiredChallenge = await requireStepUpChallenge(await release(person))
    await expireStepUp(testStack, expiredChallenge.challenge)
    expect(
      (
        await completeStepUp(person, expiredChallenge.challenge, {
          method: 'totp',
          code: generateTotpCode(authenticatorApp.secret, 1),
        })
      ).status,
    ).toBe(409)
    expect(await stepUpHelpers.recorded(`payouts/${payout.id}`)).toBe(0)
  })

  test('a proof is valid for five minutes in its session, but not for actions that need approval', async () => {
    await stepUpHelpers.freshStep()
    const releaseSmallPayout = async (who: Person) =>
      createReleaseSender(await testStack.sandbox.makePayout())(who)
    await testStack.db.query('delete from step_ups')
    const { challenge } = await requireStepUpChallenge(await releaseSmallPayout(person))
    await completeStepUpWithApp(person, challenge, authenticatorApp.secret)
    expect((await releaseSmallPayout(person)).status).toBe(200)
    expect((await stepUpHelpers.auditOf('payouts.release.start')).at(-1)).toMatchObject({
      step_up: 'totp',
    })
    expect((await releaseSmallPayout(await stepUpHelpers.enter())).status).toBe(403)
    expect((await createReleaseSender(await createLargePayout())(person)).status).toBe(403)
    expect(
      (await person.send('/api/sandbox/desk/factors/recovery-codes', { method: 'POST' })).status,
    ).toBe(403)
    await testStack.db.query(`update step_ups set proven_at = now() - interval '6 minutes'`)
    expect((await releaseSmallPayout(person)).status).toBe(403)
  })

  test('with 0 minutes in the policy every release requires a proof', async () => {
    await stepUpHelpers.freshStep()
    const { rows } = await testStack.db.query('select id from people order by created_at limit 2')
    const policyJson = JSON.stringify({ ...defaultPolicy, proof_minutes: 0 })
    await testStack.db.query(
      `insert into policies (version, state, policy, proposed_by, decided_by, decided_at, reason)
       values (1, 'active', $1, $2, $3, now() - interval '2 days', 'asks every time')`,
      [policyJson, rows[0].id, rows[1].id],
    )
    try {
      const { challenge } = await requireStepUpChallenge(
        await createReleaseSender(await testStack.sandbox.makePayout())(person),
      )
      await completeStepUpWithApp(person, challenge, authenticatorApp.secret)
      expect((await createReleaseSender(await testStack.sandbox.makePayout())(person)).status).toBe(
        403,
      )
    } finally {
      await testStack.db.query('delete from policies')
    }
  })

  test('the challenge names the person, the operation, the amount and the payee', async () => {
    const challengeResponse = await createReleaseSender(await createLargePayout())(person)
    const { error } = (await challengeResponse.json()) as { error: { step_up: StepUpChallenge } }
    expect(error.step_up.subject).toEqual({
      person: expect.stringMatching(/\w/),
      operation: 'release a payout',
      amount: '$6,000.00',
      payee: expect.stringMatching(/\w/),
    })
  })

  test('a recovery code works once', async () => {
    const [code = ''] = authenticatorApp.codes
    const requestChallenge = async () =>
      (await requireStepUpChallenge(await createReleaseSender(await createLargePayout())(person)))
        .challenge
    expect(
      (
        await completeStepUp(person, await requestChallenge(), {
          method: 'recovery',
          code: code.toUpperCase(),
        })
      ).status,
    ).toBe(200)
    expect(
      (await completeStepUp(person, await requestChallenge(), { method: 'recovery', code })).status,
    ).toBe(422)
    expect(
      (await person.get<SecondFactors>('/api/sandbox/desk/factors')).body.data?.recovery_codes
        ?.left,
    ).toBe(9)
  })

  describe('and a second instance on the same store', () => {
    let secondDashboard: Dashboard
    beforeAll(async () => {
      const { sandbox, postgres } = testStack
      secondDashboard = await startDashboard({
        serviceUrl: sandbox.url,
        apiKey: sandbox.keys.full,
        embedded: false,
        databaseUrl: postgres.url,
      })
    })
    afterAll(() => secondDashboard?.stop())

    test('a code is accepted once across both instances, also concurrently', async () => {
      await stepUpHelpers.freshStep()
      const secondDashboardPerson = await stepUpHelpers.enter('operator', secondDashboard.url)
      const requestChallengeAs = async (who: Person) =>
        (await requireStepUpChallenge(await createReleaseSender(await createLargePayout())(who)))
          .challenge
      const [firstDashboardChallenge, secondDashboardChallenge, laterChallenge] = [
        await requestChallengeAs(person),
        await requestChallengeAs(secondDashboardPerson),
        await requestChallengeAs(secondDashboardPerson),
      ]
      const proof = { method: 'totp', code: generateTotpCode(authenticatorApp.secret) }
      const proofReplies = await Promise.all([
        completeStepUp(person, firstDashboardChallenge, proof),
        completeStepUp(secondDashboardPerson, secondDashboardChallenge, proof),
      ])
      expect(proofReplies.map(({ status }) => status).sort()).toEqual([200, 422])
      expect((await completeStepUp(secondDashboardPerson, laterChallenge, proof)).status).toBe(422)
    })
  })

  test('removal needs its own code, blocks approvals for a day and ends open challenges', async () => {
    await stepUpHelpers.freshStep()
    const totpPath = '/api/sandbox/desk/factors/totp'
    const pendingReleaseChallenge = await requireStepUpChallenge(
      await createReleaseSender(await createLargePayout())(person),
    )
    const { challenge } = await requireStepUpChallenge(
      await person.send(totpPath, { method: 'DELETE' }),
    )
    await completeStepUpWithApp(person, challenge, authenticatorApp.secret)
    const removeReply = await person.ask<SecondFactors>('DELETE', totpPath, {
      headers: { 'step-up': challenge },
    })
    expect(removeReply.body.data).toMatchObject({ totp: null, recovery_codes: null })
    const approvalHoldMs =
      Date.parse(removeReply.body.data?.approvals_held_until ?? '') - Date.now()
    expect(approvalHoldMs).toBeGreaterThan(23 * 3_600_000)
    expect(
      (
        await completeStepUp(person, pendingReleaseChallenge.challenge, {
          method: 'password',
          password: testPersonPassword,
        })
      ).status,
    ).toBe(409)
    expect((await stepUpHelpers.auditOf('factors.remove_totp.applied')).length).toBe(1)
  })
})
