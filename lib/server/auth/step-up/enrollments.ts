import 'server-only'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { AppError, createFieldError } from '@/lib/errors'
import { maxStepUpTries } from '@/lib/operations/step-up'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { decrypt, encrypt } from '@/lib/server/store/encryption'
import { factorEnrollments, passkeys } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { getPasskeyHost } from './factors'
import { findTimeStep, toTotpSetupData } from './totp'

type EnrollmentKind = 'passkey' | 'totp'

const toEnrollmentAad = (id: string) => `factor_enrollments/${id}`

/** An enrollment is the unfinished addition of a factor. One of the same kind is replaced. */
async function beginEnrollment(
  actor: Actor,
  kind: EnrollmentKind,
  enrollmentData: Buffer,
): Promise<string> {
  const db = await getDatabase()
  const id = randomUUID()
  const enrollmentRow = {
    id,
    sessionHash: actor.sessionHash,
    value: encrypt(enrollmentData, toEnrollmentAad(id)),
    tries: 0,
    expiresAt: sql`now() + interval '10 minutes'`,
  }
  await db
    .insert(factorEnrollments)
    .values({ ...enrollmentRow, personId: actor.id, kind })
    .onConflictDoUpdate({
      target: [factorEnrollments.personId, factorEnrollments.kind],
      set: enrollmentRow,
    })
  return id
}

const createEnrollmentEndedError = () =>
  new AppError(
    'changed',
    'This was begun too long ago, or in another window. Nothing was added: begin again',
  )

/** Counts a try. Throws `changed` if the enrollment is unknown, expired or out of tries. */
async function readEnrollment(actor: Actor, kind: EnrollmentKind, id: string): Promise<Buffer> {
  const db = await getDatabase()
  const [row] = await db
    .update(factorEnrollments)
    .set({ tries: sql`${factorEnrollments.tries} + 1` })
    .where(
      and(
        eq(factorEnrollments.id, id),
        eq(factorEnrollments.kind, kind),
        eq(factorEnrollments.personId, actor.id),
        eq(factorEnrollments.sessionHash, actor.sessionHash),
        gt(factorEnrollments.expiresAt, sql`now()`),
        lt(factorEnrollments.tries, maxStepUpTries),
      ),
    )
    .returning()
  if (!row) throw createEnrollmentEndedError()
  return decrypt(row.value, toEnrollmentAad(id))
}

/** Runs in the transaction that adds the factor. Throws `changed` if the enrollment is gone. */
export async function endEnrollment(tx: Db, actor: Actor, id: string): Promise<void> {
  const endedRows = await tx
    .delete(factorEnrollments)
    .where(and(eq(factorEnrollments.id, id), eq(factorEnrollments.personId, actor.id)))
    .returning({ id: factorEnrollments.id })
  if (endedRows.length === 0) throw createEnrollmentEndedError()
}

/** Returns the WebAuthn options for the browser. Throws `not_sent` on an IP address. */
export async function beginPasskeyEnrollment(
  actor: Actor,
): Promise<{ enrollment: string; options: Readonly<Record<string, unknown>> }> {
  const rpID = getPasskeyHost()
  if (rpID === null)
    throw new AppError(
      'not_sent',
      'Passkeys need a domain name instead of an IP address. Open Paydesk by its name (on this machine: http://localhost), or use an authenticator app',
    )
  const db = await getDatabase()
  const existingPasskeys = await db
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.personId, actor.id))
  const passkeyChallenge = randomBytes(32)
  const registrationOptions = await generateRegistrationOptions({
    rpName: 'Paydesk',
    rpID,
    userID: new TextEncoder().encode(actor.id),
    userName: actor.email,
    userDisplayName: actor.name,
    challenge: new Uint8Array(passkeyChallenge),
    attestationType: 'none',
    excludeCredentials: existingPasskeys,
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    timeout: 300_000,
  })
  return {
    enrollment: await beginEnrollment(actor, 'passkey', passkeyChallenge),
    options: { ...registrationOptions },
  }
}

const createInvalidPasskeyError = () =>
  createFieldError('passkey', 'The passkey could not be verified. Try again, or use another one.')

/** Throws `invalid_input` if the passkey cannot be verified, `changed` if the enrollment ended. */
export async function verifyNewPasskey(
  actor: Actor,
  enrollmentId: string,
  passkeyResponse: unknown,
) {
  const rpId = getPasskeyHost()
  const challenge = await readEnrollment(actor, 'passkey', enrollmentId)
  if (rpId === null) throw createInvalidPasskeyError()
  const verification = await verifyRegistrationResponse({
    response: passkeyResponse as RegistrationResponseJSON,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: env().appOrigin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verification?.verified) throw createInvalidPasskeyError()
  const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: [...transports],
  }
}

/** Returns the secret as text to type, and as the address in a QR code. */
export async function beginTotpEnrollment(
  actor: Actor,
): Promise<{ enrollment: string; secret: string; uri: string }> {
  const totpSecret = randomBytes(20)
  return {
    enrollment: await beginEnrollment(actor, 'totp', totpSecret),
    ...toTotpSetupData(totpSecret, actor.email),
  }
}

/** Throws `invalid_input` for a wrong code, and `changed` if the enrollment ended. */
export async function verifyNewTotp(
  actor: Actor,
  enrollmentId: string,
  code: string,
): Promise<{ secret: Buffer; lastStep: number }> {
  const enrolledSecret = await readEnrollment(actor, 'totp', enrollmentId)
  const lastStep = await findTimeStep(await getDatabase(), enrolledSecret, code)
  if (lastStep !== null) return { secret: enrolledSecret, lastStep }
  throw createFieldError(
    'code',
    'Not the code the app shows now. Check the clock of the device, then enter the newest code.',
  )
}
