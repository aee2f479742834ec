import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultPolicy } from '@/lib/domain/policies'
import type { StepUpChallenge } from '@/lib/errors'
import type { Factors } from '@/lib/operations/step-up'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { goodReason, type Person } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { completeStepUp, createStepUpHelpers, generateTotpCode, password, prepareRelease, requireStepUpChallenge } from './harness/step-up'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let stepUps: ReturnType<typeof createStepUpHelpers>

beforeAll(async () => {
  desk = await startWholeDesk({ production: true })
  stepUps = createStepUpHelpers(desk)
})
afterAll(() => desk?.stop())

describe('with an authenticator app', () => {
  let person: Person
  let app: Awaited<ReturnType<ReturnType<typeof createStepUpHelpers>['addApp']>>
  beforeAll(async () => {
    await stepUps.removeFactors()
    person = await stepUps.enter()
    app = await stepUps.addApp(person)
  })
  afterAll(() => stepUps.removeFactors())

  /** Creates a payout whose release requires approval and therefore a proof of its own. */
  const createLargePayout = () => desk.sandbox.makePayout({ amount: 600_000 })

  /** Creates a release and completes its step-up with the app. Returns the release and its challenge. */
  const createProvenRelease = async (payout: MadePayout, reason?: string) => {
    await stepUps.freshStep()
    const sendRelease = prepareRelease(payout, reason)
    const { challenge } = await requireStepUpChallenge(await sendRelease(person))
    expect((await completeStepUp(person, challenge, { method: 'totp', code: generateTotpCode(app.secret) })).status).toBe(200)
    return { release: sendRelease, challenge }
  }

  test('the first app creates ten recovery codes, and the password is no longer accepted', async () => {
    expect(app.codes).toHaveLength(10)
    expect(new Set(app.codes).size).toBe(10)
    const { challenge, methods } = await requireStepUpChallenge(await prepareRelease(await createLargePayout())(person))
    expect(methods).toEqual(['totp', 'recovery'])
    expect((await completeStepUp(person, challenge, { method: 'password', password })).status).toBe(403)
  })

  test('a proof for one request is not valid for another', async () => {
    const payout = await createLargePayout()
    const { release, challenge } = await createProvenRelease(payout)
    const otherReleases = [prepareRelease(await createLargePayout()), prepareRelease(payout, `${goodReason} twice`), prepareRelease(payout)]
    for (const other of otherReleases) expect((await other(person, challenge)).status).toBe(403)
    expect(await stepUps.recorded(`payouts/${payout.id}`)).toBe(0)
    expect((await stepUps.auditOf('step_ups.use.refused')).filter(({ fault }) => fault === 'other_request')).toHaveLength(3)
    expect((await release(person, challenge)).status).toBe(202)
  })

  test('a proof is not valid in another session or for another person', async () => {
    const { release, challenge } = await createProvenRelease(await createLargePayout())
    expect((await release(await stepUps.enter(), challenge)).status).toBe(403)
    expect((await release(await stepUps.enter('admin'), challenge)).status).toBe(403)
    expect((await stepUps.auditOf('step_ups.use.refused')).map(({ fault }) => fault)).toEqual(
      expect.arrayContaining(['other_session', 'unknown']),
    )
    expect((await release(person, challenge)).status).toBe(202)
  })

  test('a proof is valid once, also for concurrent requests', async () => {
    await stepUps.freshStep()
    const path = '/api/sandbox/desk/factors/recovery-codes'
    const postRelease = (proof?: string) =>
      person.send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(proof ? { 'step-up': proof } : {}) },
        body: '{}',
      })
    const { challenge } = await requireStepUpChallenge(await postRelease())
    expect((await completeStepUp(person, challenge, { method: 'totp', code: generateTotpCode(app.secret) })).status).toBe(200)
    const parallelResponses = await Promise.all([postRelease(challenge), postRelease(challenge), postRelease(challenge)])
    expect(parallelResponses.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    const bodies = await Promise.all(
      parallelResponses.map((response) => response.json() as Promise<{ data?: { recovery_codes: string[] } }>),
    )
    app.codes = bodies.flatMap(({ data }) => data?.recovery_codes ?? [])
  })

  test('a proof expires after its time', async () => {
    const payout = await createLargePayout()
    const { release, challenge } = await createProvenRelease(payout)
    await desk.db.query(`update step_ups set expires_at = now() - interval '1 second' where id = $1`, [challenge])
    expect((await release(person, challenge)).status).toBe(403)
    const expiredQuestion = await requireStepUpChallenge(await release(person))
    await desk.db.query(`update step_ups set expires_at = now() - interval '1 second' where id = $1`, [expiredQuestion.challenge])
    expect(
      (await completeStepUp(person, expiredQuestion.challenge, { method: 'totp', code: generateTotpCode(app.secret, 1) })).status,
    ).toBe(409)
    expect(await stepUps.recorded(`payouts/${payout.id}`)).toBe(0)
  })

  test('a proof is valid for five minutes in its session, but not for actions that need approval', async () => {
    await stepUps.freshStep()
    const releaseSmallPayout = async (who: Person) => prepareRelease(await desk.sandbox.makePayout())(who)
    await desk.db.query('delete from step_ups')
    const { challenge } = await requireStepUpChallenge(await releaseSmallPayout(person))
    expect((await completeStepUp(person, challenge, { method: 'totp', code: generateTotpCode(app.secret) })).status).toBe(200)
    expect((await releaseSmallPayout(person)).status).toBe(200)
    expect((await stepUps.auditOf('payouts.release.start')).at(-1)).toMatchObject({ step_up: 'totp' })
    expect((await releaseSmallPayout(await stepUps.enter())).status).toBe(403)
    expect((await prepareRelease(await createLargePayout())(person)).status).toBe(403)
    expect((await person.send('/api/sandbox/desk/factors/recovery-codes', { method: 'POST' })).status).toBe(403)
    await desk.db.query(`update step_ups set proven_at = now() - interval '6 minutes'`)
    expect((await releaseSmallPayout(person)).status).toBe(403)
  })

  test('with 0 minutes in the policy every release requires a proof', async () => {
    await stepUps.freshStep()
    const { rows } = await desk.db.query('select id from people order by created_at limit 2')
    const policy = JSON.stringify({ ...defaultPolicy, proof_minutes: 0 })
    await desk.db.query(
      `insert into policies (version, state, policy, proposed_by, decided_by, decided_at, reason)
       values (1, 'active', $1, $2, $3, now() - interval '2 days', 'asks every time')`,
      [policy, rows[0].id, rows[1].id],
    )
    try {
      const { challenge } = await requireStepUpChallenge(await prepareRelease(await desk.sandbox.makePayout())(person))
      expect((await completeStepUp(person, challenge, { method: 'totp', code: generateTotpCode(app.secret) })).status).toBe(200)
      expect((await prepareRelease(await desk.sandbox.makePayout())(person)).status).toBe(403)
    } finally {
      await desk.db.query('delete from policies')
    }
  })

  test('the challenge names the person, the operation, the amount and the payee', async () => {
    const response = await prepareRelease(await createLargePayout())(person)
    const { error } = (await response.json()) as { error: { step_up: StepUpChallenge } }
    expect(error.step_up.subject).toEqual({
      person: expect.stringMatching(/\w/),
      operation: 'release a payout',
      amount: '$6,000.00',
      payee: expect.stringMatching(/\w/),
    })
  })

  test('a recovery code works once', async () => {
    const [code = ''] = app.codes
    const requestChallenge = async () => (await requireStepUpChallenge(await prepareRelease(await createLargePayout())(person))).challenge
    expect((await completeStepUp(person, await requestChallenge(), { method: 'recovery', code: code.toUpperCase() })).status).toBe(200)
    expect((await completeStepUp(person, await requestChallenge(), { method: 'recovery', code })).status).toBe(422)
    expect((await person.get<Factors>('/api/sandbox/desk/factors')).body.data?.recovery_codes?.left).toBe(9)
  })

  describe('and a second instance on the same store', () => {
    let secondDashboard: Dashboard
    beforeAll(async () => {
      const { sandbox, postgres } = desk
      secondDashboard = await startDashboard({
        serviceUrl: sandbox.url,
        apiKey: sandbox.keys.full,
        embedded: false,
        databaseUrl: postgres.url,
      })
    })
    afterAll(() => secondDashboard?.stop())

    test('a code is accepted once across both instances, also concurrently', async () => {
      await stepUps.freshStep()
      const secondDeskPerson = await stepUps.enter('operator', secondDashboard.url)
      const ask = async (who: Person) => (await requireStepUpChallenge(await prepareRelease(await createLargePayout())(who))).challenge
      const [here, there, later] = [await ask(person), await ask(secondDeskPerson), await ask(secondDeskPerson)]
      const proof = { method: 'totp', code: generateTotpCode(app.secret) }
      const proofReplies = await Promise.all([completeStepUp(person, here, proof), completeStepUp(secondDeskPerson, there, proof)])
      expect(proofReplies.map(({ status }) => status).sort()).toEqual([200, 422])
      expect((await completeStepUp(secondDeskPerson, later, proof)).status).toBe(422)
    })
  })

  test('removal needs its own code, blocks approvals for a day and ends open challenges', async () => {
    await stepUps.freshStep()
    const path = '/api/sandbox/desk/factors/totp'
    const openQuestion = await requireStepUpChallenge(await prepareRelease(await createLargePayout())(person))
    const { challenge } = await requireStepUpChallenge(await person.send(path, { method: 'DELETE' }))
    expect((await completeStepUp(person, challenge, { method: 'totp', code: generateTotpCode(app.secret) })).status).toBe(200)
    const removeReply = await person.ask<Factors>('DELETE', path, { headers: { 'step-up': challenge } })
    expect(removeReply.body.data).toMatchObject({ totp: null, recovery_codes: null })
    const holdMs = Date.parse(removeReply.body.data?.approvals_held_until ?? '') - Date.now()
    expect(holdMs).toBeGreaterThan(23 * 3_600_000)
    expect((await completeStepUp(person, openQuestion.challenge, { method: 'password', password })).status).toBe(409)
    expect((await stepUps.auditOf('factors.remove_totp.applied')).length).toBe(1)
  })
})
