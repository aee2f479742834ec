import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { AddFactorResult } from '@/lib/operations/step-up'
import {
  acknowledgedWarnings,
  createIdempotencyKey,
  goodReason,
  type Person,
  signIn,
} from './person'
import type { MadePayout } from './sandbox'
import { readStepUpChallenge } from './sign-in'
import type { WholeDesk } from './whole-desk'

export const testPersonPassword = 'paydesk-demo'
export const toJsonInit = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/**
 * Returns a function that sends a release. Each call repeats the same request, with the same
 * idempotency key. `proof` is the id of a completed step-up challenge.
 */
export const createReleaseSender = (payout: MadePayout, reason = goodReason) => {
  const path = `/api/sandbox/v1/payouts/${payout.id}/release?account=${payout.account}`
  const idempotencyKey = createIdempotencyKey()
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

export const completeStepUp = (
  person: Person,
  challengeId: string,
  proof: object,
  environment = 'sandbox',
) => person.post(`/api/${environment}/desk/step-ups/${challengeId}`, toJsonInit(proof))

/** Returns the code that an authenticator app shows now, or `steps` periods of 30 seconds later. */
export const generateTotpCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({
    timestamp: Date.now() + steps * 30_000,
  })

/** Completes a step-up challenge with the current code of an authenticator app. */
export async function completeStepUpWithApp(person: Person, challengeId: string, secret: string) {
  const proof = { method: 'totp', code: generateTotpCode(secret) }
  expect((await completeStepUp(person, challengeId, proof)).status).toBe(200)
}

export const expireStepUp = ({ db }: WholeDesk, challengeId: string) =>
  db.query(`update step_ups set expires_at = now() - interval '1 second' where id = $1`, [
    challengeId,
  ])

const factorTables = ['passkeys', 'totp_secrets', 'recovery_codes', 'step_ups', 'approval_holds']

export function createStepUpHelpers(testStack: WholeDesk) {
  /** Signs in a person of the desk. The session does not confirm step-ups by itself. */
  const signInByRole = (
    role: 'operator' | 'reviewer' | 'admin' = 'operator',
    base = testStack.dashboard.url,
  ) => signIn(base, `${role}@company.test`, { confirms: false })

  const countActions = async (target: string) =>
    (
      await testStack.db.query('select count(*)::int as count from actions where target = $1', [
        target,
      ])
    ).rows[0].count as number

  const readAuditEntries = async (code: string) =>
    (
      await testStack.db.query(
        'select body from audit where body::jsonb ->> $2 = $1 order by seq',
        [code, 'code'],
      )
    ).rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>)

  /**
   * Adds an authenticator app to a person, with the same requests as the page. Returns the secret
   * of the app, and the recovery codes if it is the first app.
   */
  async function addAuthenticatorApp(person: Person, environment = 'sandbox') {
    const beginPath = `/api/${environment}/desk/factors/totp/begin`
    const { challenge, methods } = await requireStepUpChallenge(
      await person.send(beginPath, { method: 'POST' }),
    )
    expect(methods).toEqual(['password'])
    expect(
      (
        await completeStepUp(
          person,
          challenge,
          { method: 'password', password: testPersonPassword },
          environment,
        )
      ).status,
    ).toBe(200)
    const totpEnrollment = (
      await person.post<{ enrollment: string; secret: string; uri: string }>(beginPath, {
        headers: { 'step-up': challenge },
      })
    ).body.data
    if (!totpEnrollment) throw new Error('no secret')
    const addReply = await person.post<AddFactorResult>(
      `/api/${environment}/desk/factors/totp`,
      toJsonInit({
        enrollment: totpEnrollment.enrollment,
        code: generateTotpCode(totpEnrollment.secret),
      }),
    )
    expect([addReply.status, addReply.body.error?.detail]).toEqual([200, undefined])
    // An authenticator app’s code is accepted only once. Marks the current code as unused, so that
    // tests need not wait 30 seconds for the next one.
    await testStack.db.query('update totp_secrets set last_step = 0')
    return { secret: totpEnrollment.secret, codes: addReply.body.data?.recovery_codes ?? [] }
  }

  const deleteAllFactors = async () => {
    for (const table of factorTables) await testStack.db.query(`delete from ${table}`)
  }

  const allowCodeReuse = () => testStack.db.query('update totp_secrets set last_step = 0')

  return {
    enter: signInByRole,
    recorded: countActions,
    auditOf: readAuditEntries,
    addApp: addAuthenticatorApp,
    removeFactors: deleteAllFactors,
    freshStep: allowCodeReuse,
  }
}
