import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBankAccountInput, buildCustomerBody, buildPayoutBody } from './harness/objects'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import {
  completeStepUp,
  createReleaseSender,
  createStepUpHelpers,
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

describe('with a password, in the sandbox, without a factor', () => {
  test('nothing is recorded before the proof, and the confirmed request runs once', async () => {
    const person = await stepUpHelpers.enter()
    const payout = await testStack.sandbox.makePayout()
    const sendRelease = createReleaseSender(payout)
    const { challenge, methods } = await requireStepUpChallenge(await sendRelease(person))
    expect(methods).toEqual(['password'])
    expect(await stepUpHelpers.recorded(`payouts/${payout.id}`)).toBe(0)
    expect((await sendRelease(person, challenge)).status).toBe(403)
    expect(await stepUpHelpers.recorded(`payouts/${payout.id}`)).toBe(0)
    expect(
      (
        await completeStepUp(person, challenge, {
          method: 'password',
          password: testPersonPassword,
        })
      ).status,
    ).toBe(200)
    expect((await sendRelease(person, challenge)).status).toBe(200)
    expect(await stepUpHelpers.recorded(`payouts/${payout.id}`)).toBe(1)
    expect((await stepUpHelpers.auditOf('payouts.release.start')).at(-1)).toMatchObject({
      step_up: 'password',
    })
    expect((await stepUpHelpers.auditOf('step_ups.prove.applied')).at(-1)).toMatchObject({
      step_up: 'password',
      purpose: 'payouts.release',
    })
    // The repeated request has the same idempotency key, so it gets the stored response and needs
    // no new step-up.
    expect((await sendRelease(person)).status).toBe(200)
  })

  test('an earlier password proof is not valid for a request that needs its own', async () => {
    const person = await stepUpHelpers.enter()
    const { challenge } = await requireStepUpChallenge(
      await createReleaseSender(await testStack.sandbox.makePayout())(person),
    )
    await completeStepUp(person, challenge, { method: 'password', password: testPersonPassword })
    expect((await createReleaseSender(await testStack.sandbox.makePayout())(person)).status).toBe(
      200,
    )
    expect(
      (
        await requireStepUpChallenge(
          await createReleaseSender(await testStack.sandbox.makePayout({ amount: 600_000 }))(
            person,
          ),
        )
      ).methods,
    ).toEqual(['password'])
  })

  test('a password proof is valid for five minutes in its session only', async () => {
    const person = await stepUpHelpers.enter()
    const otherSession = await stepUpHelpers.enter()
    const { challenge } = await requireStepUpChallenge(
      await createReleaseSender(await testStack.sandbox.makePayout())(person),
    )
    await completeStepUp(person, challenge, { method: 'password', password: testPersonPassword })
    expect((await createReleaseSender(await testStack.sandbox.makePayout())(person)).status).toBe(
      200,
    )
    expect(
      (await createReleaseSender(await testStack.sandbox.makePayout())(otherSession)).status,
    ).toBe(403)
    await testStack.db.query(`update step_ups set proven_at = now() - interval '6 minutes'`)
    expect((await createReleaseSender(await testStack.sandbox.makePayout())(person)).status).toBe(
      403,
    )
  })

  test('five wrong attempts end a challenge, also concurrent ones', async () => {
    const person = await stepUpHelpers.enter('reviewer')
    const { challenge } = await requireStepUpChallenge(
      await person.send('/api/sandbox/desk/factors/totp/begin', { method: 'POST' }),
    )
    const wrongPasswordReplies = await Promise.all(
      Array.from({ length: 7 }, () =>
        completeStepUp(person, challenge, { method: 'password', password: 'not it' }),
      ),
    )
    expect(wrongPasswordReplies.map(({ status }) => status).sort()).toEqual([
      409, 409, 422, 422, 422, 422, 422,
    ])
    expect(
      (
        await completeStepUp(person, challenge, {
          method: 'password',
          password: testPersonPassword,
        })
      ).status,
    ).toBe(409)
    expect((await stepUpHelpers.auditOf('step_ups.prove.refused')).length).toBeGreaterThanOrEqual(5)
    await testStack.db.query('delete from sign_in_failures')
  })

  /**
   * Sends `count` wrong passwords in one session. Begins a new challenge after four of them,
   * because the fifth would end the challenge. Returns the response statuses.
   */
  async function sendWrongPasswords(person: Person, count: number): Promise<number[]> {
    const statuses: number[] = []
    while (statuses.length < count) {
      const { challenge } = await requireStepUpChallenge(
        await person.send('/api/sandbox/desk/factors/totp/begin', { method: 'POST' }),
      )
      for (let wrong = 0; wrong < 4 && statuses.length < count; wrong += 1)
        statuses.push(
          (await completeStepUp(person, challenge, { method: 'password', password: 'no' })).status,
        )
    }
    return statuses
  }

  /** Begins a step-up and sends the correct password for it. Returns the response status. */
  async function sendRightPassword(person: Person): Promise<number> {
    const { challenge } = await requireStepUpChallenge(
      await person.send('/api/sandbox/desk/factors/totp/begin', { method: 'POST' }),
    )
    return (
      await completeStepUp(person, challenge, { method: 'password', password: testPersonPassword })
    ).status
  }

  test('ten wrong attempts lock their session across challenges, but no other session', async () => {
    const [stolenSession, ownSession] = [
      await stepUpHelpers.enter('reviewer'),
      await stepUpHelpers.enter('reviewer'),
    ]
    expect(await sendWrongPasswords(stolenSession, 12)).toEqual([
      ...Array<number>(10).fill(422),
      429,
      429,
    ])
    expect([await sendRightPassword(stolenSession), await sendRightPassword(ownSession)]).toEqual([
      429, 200,
    ])
    await testStack.db.query('delete from sign_in_failures')
  })

  test('wrong attempts in several sessions lock the person', async () => {
    for (let session = 0; session < 4; session += 1)
      await sendWrongPasswords(await stepUpHelpers.enter('reviewer'), 10)
    expect(await sendRightPassword(await stepUpHelpers.enter('reviewer'))).toBe(429)
    await testStack.db.query('delete from sign_in_failures')
  })
})

describe('in production', () => {
  beforeAll(() => stepUpHelpers.removeFactors())
  afterAll(() => stepUpHelpers.removeFactors())
  const exportPath = '/api/production/desk/exports/payments'

  test('a person without a factor is refused with instructions', async () => {
    const person = await stepUpHelpers.enter()
    const response = await person.send(exportPath)
    expect(response.status).toBe(403)
    const { error } = (await response.json()) as {
      error: { code: string; detail: string; step_up?: unknown }
    }
    expect([error.code, error.step_up]).toEqual(['step_up_needed', undefined])
    expect(error.detail).toContain('Add a passkey or an authenticator app on Your profile')
    expect((await stepUpHelpers.auditOf('step_ups.use.refused')).at(-1)).toMatchObject({
      fault: 'no_factor',
      purpose: 'payments.export',
    })
  })

  test('a session alone cannot connect a bank account, or create, change or release a payment', async () => {
    const person = await stepUpHelpers.enter()
    const accountsReply = await person.get<{ id: string }[]>(
      '/api/production/v1/accounts?status=active',
    )
    const account = `acct_${accountsReply.body.data?.[0]?.id}`
    const sendWrite = (method: string, apiPath: string, body: object) =>
      person.ask<{ id: string }>('POST', `/api/production/v1${apiPath}?account=${account}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': createIdempotencyKey(),
          'action-reason': encodeURIComponent(goodReason),
        },
        body: JSON.stringify(body),
      })
    const customerReply = await sendWrite('POST', '/customers', {
      ...buildCustomerBody(),
      config: undefined,
    })
    expect([customerReply.status, customerReply.body.error?.items]).toEqual([201, undefined])
    const payoutReply = await sendWrite('POST', '/payouts', buildPayoutBody(randomUUID()))
    const paykeyReply = await sendWrite('POST', '/bridge/bank_account', {
      ...buildBankAccountInput(String(customerReply.body.data?.id)),
      config: undefined,
    })
    const bridgeReply = await sendWrite('POST', '/bridge/initialize', {
      customer_id: customerReply.body.data?.id,
    })
    for (const { status, body } of [payoutReply, paykeyReply, bridgeReply])
      expect([status, body.error?.code]).toEqual([403, 'step_up_needed'])
    expect(
      (await testStack.db.query(`select operation from actions where environment = 'production'`))
        .rows,
    ).toEqual([{ operation: 'customers.create' }])
  })

  test('the password is enough to add the first factor, which is enough afterwards', async () => {
    const person = await stepUpHelpers.enter()
    const { secret } = await stepUpHelpers.addApp(person, 'production')
    const { challenge, methods } = await requireStepUpChallenge(await person.send(exportPath))
    expect(methods).toEqual(['totp', 'recovery'])
    expect(
      (
        await completeStepUp(
          person,
          challenge,
          { method: 'totp', code: generateTotpCode(secret) },
          'production',
        )
      ).status,
    ).toBe(200)
    expect((await person.send(exportPath, { headers: { 'step-up': challenge } })).status).toBe(200)
  })
})

test('no log, audit row or stored secret contains a secret, code or password in plain text', async () => {
  await stepUpHelpers.removeFactors()
  const person = await stepUpHelpers.enter()
  const { secret, codes } = await stepUpHelpers.addApp(person)
  const auditText = (await testStack.db.query('select body from audit')).rows
    .map(({ body }) => body as string)
    .join('\n')
  const storedText = JSON.stringify(
    (await testStack.db.query(`select encode(secret, 'escape') as secret from totp_secrets`)).rows,
  )
  for (const text of [secret, ...codes, testPersonPassword])
    for (const sinkText of [auditText, storedText, testStack.dashboard.log()])
      expect(sinkText).not.toContain(text)
  await stepUpHelpers.removeFactors()
})
