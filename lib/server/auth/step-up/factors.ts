import 'server-only'
import { isIP } from 'node:net'
import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { and, asc, count, eq, gt, isNull, min, sql } from 'drizzle-orm'
import type { SecondFactors } from '@/lib/operations/step-up'
import { env } from '@/lib/server/config/env'
import {
  approvalHolds,
  passkeys,
  recoveryCodes,
  totpSecrets,
} from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'

/** `codes` is the number of unused recovery codes. */
export type FactorCounts = { passkeys: number; totp: boolean; codes: number }

/** Passkeys are bound to this host name. Null for an IP address, which allows no passkeys. */
export function getPasskeyHost(): string | null {
  const { hostname } = new URL(env().appOrigin)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : null
}

const buildUnusedCodeCondition = (personId: string) =>
  and(eq(recoveryCodes.personId, personId), isNull(recoveryCodes.usedAt))

export async function readFactorCounts(db: Db, personId: string): Promise<FactorCounts> {
  const [row] = await db
    .select({
      passkeys: sql<number>`(select count(*)::int from ${passkeys} where ${passkeys.personId} = ${personId})`,
      totp: sql<boolean>`exists (select 1 from ${totpSecrets} where ${totpSecrets.personId} = ${personId})`,
      codes: sql<number>`(select count(*)::int from ${recoveryCodes} where ${buildUnusedCodeCondition(personId)})`,
    })
    .from(sql`(select 1) as one`)
  return row ?? { passkeys: 0, totp: false, codes: 0 }
}

/** Recovery codes alone do not count. */
export const hasFactor = ({ passkeys: keys, totp }: FactorCounts): boolean => keys > 0 || totp

/** Null if the host allows no passkeys. */
export async function createWebauthnOptions(
  db: Db,
  personId: string,
  challenge: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const rpID = getPasskeyHost()
  if (rpID === null) return null
  const allowedPasskeys = await db
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.personId, personId))
  const authenticationOptions = await generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    allowCredentials: allowedPasskeys,
    userVerification: 'required',
    timeout: 120_000,
  })
  return { ...authenticationOptions }
}

const toIsoTime = (at: Date | string | null | undefined) => (at ? new Date(at).toISOString() : null)

/** Returns the end of the block on the person's approvals; null if the person may approve. */
export async function readApprovalHoldEnd(db: Db, personId: string): Promise<Date | null> {
  const [row] = await db
    .select({ until: approvalHolds.until })
    .from(approvalHolds)
    .where(and(eq(approvalHolds.personId, personId), gt(approvalHolds.until, sql`now()`)))
  return row?.until ?? null
}

export async function readFactors(db: Db, personId: string): Promise<SecondFactors> {
  const passkeyRows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.personId, personId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
  const [totp] = await db.select().from(totpSecrets).where(eq(totpSecrets.personId, personId))
  const [codes] = await db
    .select({
      left: count(sql`case when ${recoveryCodes.usedAt} is null then 1 end`),
      all: count(),
      created: min(recoveryCodes.createdAt),
    })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.personId, personId))
  return {
    passkeys: passkeyRows.map((row) => ({
      id: row.id,
      name: row.name,
      created_at: row.createdAt.toISOString(),
      last_used_at: toIsoTime(row.lastUsedAt),
    })),
    totp: totp
      ? { created_at: totp.createdAt.toISOString(), last_used_at: toIsoTime(totp.lastUsedAt) }
      : null,
    recovery_codes:
      codes && codes.all > 0
        ? { left: codes.left, created_at: toIsoTime(codes.created) ?? '' }
        : null,
    passkey_host: getPasskeyHost(),
    approvals_held_until: toIsoTime(await readApprovalHoldEnd(db, personId)),
  }
}
