import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { FactorAdded } from '@/lib/operations/step-up'
import { acknowledgedWarnings, goodReason, newKey, type Person, readStepUpChallenge, signIn } from './person'
import type { MadePayout } from './sandbox'
import type { WholeDesk } from './whole-desk'

export const password = 'paydesk-demo'
export const toJsonInit = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Returns a function that sends the same release each time, as its form does. `proof` is the id of a completed challenge. */
export const prepareRelease = (payout: MadePayout, reason = goodReason) => {
  const path = `/api/sandbox/v1/payouts/${payout.id}/release?account=${payout.account}`
  const idempotencyKey = newKey()
  return (person: Person, proof?: string) =>
    person.send(path, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        'action-warnings': acknowledgedWarnings,
        ...(proof === undefined ? {} : { 'step-up': proof }),
      },
      body: JSON.stringify({ reason }),
    })
}

export async function requireStepUpChallenge(response: Response) {
  const stepUp = await readStepUpChallenge(response)
  if (!stepUp) throw new Error(`nothing was asked: ${response.status}`)
  return stepUp
}

export const completeStepUp = (person: Person, id: string, proof: object, environment = 'sandbox') =>
  person.post(`/api/${environment}/desk/step-ups/${id}`, toJsonInit(proof))

/** Returns the code that an authenticator app shows now, or `steps` periods of 30 seconds later. */
export const generateTotpCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: Date.now() + steps * 30_000 })

export function createStepUpHelpers(desk: WholeDesk) {
  /** Signs in a person of the desk. Step-ups are not confirmed automatically. */
  const enter = (who: 'operator' | 'reviewer' | 'admin' = 'operator', base = desk.dashboard.url) =>
    signIn(base, `${who}@company.test`, { confirms: false })

  const recorded = async (target: string) =>
    (await desk.db.query('select count(*)::int as count from actions where target = $1', [target])).rows[0].count as number

  const auditOf = async (code: string) =>
    (await desk.db.query('select body from audit where body::jsonb ->> $2 = $1 order by seq', [code, 'code'])).rows.map(
      ({ body }) => JSON.parse(body) as Record<string, unknown>,
    )

  /** Adds an authenticator app as the page does. Returns its secret, and the recovery codes if it is the first app. */
  async function addApp(person: Person, environment = 'sandbox') {
    const beginPath = `/api/${environment}/desk/factors/totp/begin`
    const { challenge, methods } = await requireStepUpChallenge(await person.send(beginPath, { method: 'POST' }))
    expect(methods).toEqual(['password'])
    expect((await completeStepUp(person, challenge, { method: 'password', password }, environment)).status).toBe(200)
    const enrollment = (
      await person.post<{ enrollment: string; secret: string; uri: string }>(beginPath, { headers: { 'step-up': challenge } })
    ).body.data
    if (!enrollment) throw new Error('no secret')
    const addReply = await person.post<FactorAdded>(
      `/api/${environment}/desk/factors/totp`,
      toJsonInit({ enrollment: enrollment.enrollment, code: generateTotpCode(enrollment.secret) }),
    )
    expect([addReply.status, addReply.body.error?.detail]).toEqual([200, undefined])
    // The code of this period is used up. Resets that, so that tests need not wait for the next period.
    await desk.db.query('update totp_secrets set last_step = 0')
    return { secret: enrollment.secret, codes: addReply.body.data?.recovery_codes ?? [] }
  }

  const removeFactors = async () => {
    for (const table of ['passkeys', 'totp_secrets', 'recovery_codes', 'step_ups', 'approval_holds'])
      await desk.db.query(`delete from ${table}`)
  }

  const freshStep = () => desk.db.query('update totp_secrets set last_step = 0')

  return { enter, recorded, auditOf, addApp, removeFactors, freshStep }
}
