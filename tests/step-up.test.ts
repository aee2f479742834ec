import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankAccountInput, buildCustomerBody, buildPayoutBody } from './harness/objects'
import { goodReason, newKey, type Person } from './harness/person'
import { completeStepUp, createStepUpHelpers, generateTotpCode, password, prepareRelease, requireStepUpChallenge } from './harness/step-up'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let stepUps: ReturnType<typeof createStepUpHelpers>

beforeAll(async () => {
  desk = await startWholeDesk({ production: true })
  stepUps = createStepUpHelpers(desk)
})
afterAll(() => desk?.stop())

describe('with a password, in the sandbox, without a factor', () => {
  test('nothing is recorded before the proof, and the confirmed request runs once', async () => {
    const person = await stepUps.enter()
    const payout = await desk.sandbox.makePayout()
    const sendRelease = prepareRelease(payout)
    const { challenge, methods } = await requireStepUpChallenge(await sendRelease(person))
    expect(methods).toEqual(['password'])
    expect(await stepUps.recorded(`payouts/${payout.id}`)).toBe(0)
    expect((await sendRelease(person, challenge)).status).toBe(403)
    expect(await stepUps.recorded(`payouts/${payout.id}`)).toBe(0)
    expect((await completeStepUp(person, challenge, { method: 'password', password })).status).toBe(200)
    expect((await sendRelease(person, challenge)).status).toBe(200)
    expect(await stepUps.recorded(`payouts/${payout.id}`)).toBe(1)
    expect((await stepUps.auditOf('payouts.release.start')).at(-1)).toMatchObject({ step_up: 'password' })
    expect((await stepUps.auditOf('step_ups.prove.applied')).at(-1)).toMatchObject({ step_up: 'password', purpose: 'payouts.release' })
    // A repeated request with a known key is answered from the action log.
    expect((await sendRelease(person)).status).toBe(200)
  })

  test('an earlier password proof is not valid for a request that needs its own', async () => {
    const person = await stepUps.enter()
    const { challenge } = await requireStepUpChallenge(await prepareRelease(await desk.sandbox.makePayout())(person))
    await completeStepUp(person, challenge, { method: 'password', password })
    expect((await prepareRelease(await desk.sandbox.makePayout())(person)).status).toBe(200)
    expect(
      (await requireStepUpChallenge(await prepareRelease(await desk.sandbox.makePayout({ amount: 600_000 }))(person))).methods,
    ).toEqual(['password'])
  })

  test('a password proof is valid for five minutes in its session only', async () => {
    const person = await stepUps.enter()
    const otherSession = await stepUps.enter()
    const { challenge } = await requireStepUpChallenge(await prepareRelease(await desk.sandbox.makePayout())(person))
    await completeStepUp(person, challenge, { method: 'password', password })
    expect((await prepareRelease(await desk.sandbox.makePayout())(person)).status).toBe(200)
    expect((await prepareRelease(await desk.sandbox.makePayout())(otherSession)).status).toBe(403)
    await desk.db.query(`update step_ups set proven_at = now() - interval '6 minutes'`)
    expect((await prepareRelease(await desk.sandbox.makePayout())(person)).status).toBe(403)
  })

  test('five wrong attempts end a challenge, also concurrent ones', async () => {
    const person = await stepUps.enter('reviewer')
    const { challenge } = await requireStepUpChallenge(await person.send('/api/sandbox/desk/factors/totp/begin', { method: 'POST' }))
    const wrongReplies = await Promise.all(
      Array.from({ length: 7 }, () => completeStepUp(person, challenge, { method: 'password', password: 'not it' })),
    )
    expect(wrongReplies.map(({ status }) => status).sort()).toEqual([409, 409, 422, 422, 422, 422, 422])
    expect((await completeStepUp(person, challenge, { method: 'password', password })).status).toBe(409)
    expect((await stepUps.auditOf('step_ups.prove.refused')).length).toBeGreaterThanOrEqual(5)
    await desk.db.query('delete from sign_in_failures')
  })

  /** Sends `count` wrong passwords in a session, up to four per challenge. Returns the statuses. */
  async function sendWrongPasswords(person: Person, count: number): Promise<number[]> {
    const statuses: number[] = []
    while (statuses.length < count) {
      const { challenge } = await requireStepUpChallenge(await person.send('/api/sandbox/desk/factors/totp/begin', { method: 'POST' }))
      for (let wrong = 0; wrong < 4 && statuses.length < count; wrong += 1)
        statuses.push((await completeStepUp(person, challenge, { method: 'password', password: 'no' })).status)
    }
    return statuses
  }

  /** Sends the correct password in a session. Returns the status. */
  async function sendRightPassword(person: Person): Promise<number> {
    const { challenge } = await requireStepUpChallenge(await person.send('/api/sandbox/desk/factors/totp/begin', { method: 'POST' }))
    return (await completeStepUp(person, challenge, { method: 'password', password })).status
  }

  test('ten wrong attempts lock their session across challenges, but no other session', async () => {
    const [stolen, own] = [await stepUps.enter('reviewer'), await stepUps.enter('reviewer')]
    expect(await sendWrongPasswords(stolen, 12)).toEqual([...Array<number>(10).fill(422), 429, 429])
    expect([await sendRightPassword(stolen), await sendRightPassword(own)]).toEqual([429, 200])
    await desk.db.query('delete from sign_in_failures')
  })

  test('wrong attempts in several sessions lock the person', async () => {
    for (let session = 0; session < 4; session += 1) await sendWrongPasswords(await stepUps.enter('reviewer'), 10)
    expect(await sendRightPassword(await stepUps.enter('reviewer'))).toBe(429)
    await desk.db.query('delete from sign_in_failures')
  })
})

describe('in production', () => {
  beforeAll(() => stepUps.removeFactors())
  afterAll(() => stepUps.removeFactors())
  const path = '/api/production/desk/exports/payments'

  test('a person without a factor is refused with instructions', async () => {
    const person = await stepUps.enter()
    const response = await person.send(path)
    expect(response.status).toBe(403)
    const { error } = (await response.json()) as { error: { code: string; detail: string; step_up?: unknown } }
    expect([error.code, error.step_up]).toEqual(['step_up_needed', undefined])
    expect(error.detail).toContain('Add a passkey or an authenticator app on Your profile')
    expect((await stepUps.auditOf('step_ups.use.refused')).at(-1)).toMatchObject({ fault: 'no_factor', purpose: 'payments.export' })
  })

  test('a session alone cannot connect a bank account, or create, change or release a payment', async () => {
    const person = await stepUps.enter()
    const accounts = await person.get<{ id: string }[]>('/api/production/v1/accounts?status=active')
    const account = `acct_${accounts.body.data?.[0]?.id}`
    const send = (method: string, where: string, body: object) =>
      person.ask<{ id: string }>('POST', `/api/production/v1${where}?account=${account}`, {
        method,
        headers: { 'content-type': 'application/json', 'idempotency-key': newKey(), 'action-reason': encodeURIComponent(goodReason) },
        body: JSON.stringify(body),
      })
    const customer = await send('POST', '/customers', { ...buildCustomerBody(), config: undefined })
    expect([customer.status, customer.body.error?.items]).toEqual([201, undefined])
    const payout = await send('POST', '/payouts', buildPayoutBody(randomUUID()))
    const paykeyReply = await send('POST', '/bridge/bank_account', {
      ...bankAccountInput(String(customer.body.data?.id)),
      config: undefined,
    })
    const session = await send('POST', '/bridge/initialize', { customer_id: customer.body.data?.id })
    for (const { status, body } of [payout, paykeyReply, session]) expect([status, body.error?.code]).toEqual([403, 'step_up_needed'])
    expect((await desk.db.query(`select operation from actions where environment = 'production'`)).rows).toEqual([
      { operation: 'customers.create' },
    ])
  })

  test('the password is enough to add the first factor, which is enough afterwards', async () => {
    const person = await stepUps.enter()
    const { secret } = await stepUps.addApp(person, 'production')
    const { challenge, methods } = await requireStepUpChallenge(await person.send(path))
    expect(methods).toEqual(['totp', 'recovery'])
    expect((await completeStepUp(person, challenge, { method: 'totp', code: generateTotpCode(secret) }, 'production')).status).toBe(200)
    expect((await person.send(path, { headers: { 'step-up': challenge } })).status).toBe(200)
  })
})

test('no log, audit row or stored secret contains a secret, code or password in plain text', async () => {
  await stepUps.removeFactors()
  const person = await stepUps.enter()
  const { secret, codes } = await stepUps.addApp(person)
  const rows = (await desk.db.query('select body from audit')).rows.map(({ body }) => body as string).join('\n')
  const storedText = JSON.stringify((await desk.db.query(`select encode(secret, 'escape') as secret from totp_secrets`)).rows)
  for (const text of [secret, ...codes, password])
    for (const sinkText of [rows, storedText, desk.dashboard.log()]) expect(sinkText).not.toContain(text)
  await stepUps.removeFactors()
})
