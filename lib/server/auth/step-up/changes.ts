import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { AddFactorResult, SecondFactors } from '@/lib/operations/step-up'
import { type AuditCode, appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { mailFactorChangeNotice } from '@/lib/server/mail/factors'
import {
  approvalHolds,
  passkeys,
  people,
  recoveryCodes,
  totpSecrets,
} from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { deleteStepUps } from './challenges'
import { endEnrollment, verifyNewPasskey, verifyNewTotp } from './enrollments'
import { hasFactor, readFactorCounts, readFactors } from './factors'
import { makeRecoveryCodes } from './recovery-codes'
import { encryptSecret } from './totp'

const maxPasskeys = 10

/**
 * Blocks the person's approvals for a day after a factor was removed or replaced, because an
 * attacker may have done it.
 */
async function holdApprovals(tx: Db, personId: string): Promise<void> {
  const holdEnd = sql`now() + interval '24 hours'`
  await tx
    .insert(approvalHolds)
    .values({ personId, until: holdEnd })
    .onConflictDoUpdate({ target: approvalHolds.personId, set: { until: holdEnd } })
}

type FactorAuditCode = Extract<AuditCode, `factors.${string}.applied`>

/**
 * Locks the person's row, writes an audit row and deletes all challenges and enrollments of the
 * person. After the commit, mails `mailText` to the person.
 */
async function changeFactors<T>(
  actor: Actor,
  code: FactorAuditCode,
  mailText: string,
  run: (tx: Db) => Promise<T>,
): Promise<{ made: T; factors: SecondFactors }> {
  const db = await getDatabase()
  const { made, factors, email } = await db.transaction(async (tx) => {
    const [person] = await tx
      .select({ email: people.email })
      .from(people)
      .where(eq(people.id, actor.id))
      .for('update')
    if (!person) throw new AppError('not_found', 'There is no such person')
    const changeResult = await run(tx)
    await deleteStepUps(tx, actor.id)
    const factorCounts = await readFactorCounts(tx, actor.id)
    // Recovery codes replace a lost factor, so they have no use without a factor.
    if (!hasFactor(factorCounts))
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, actor.id))
    await appendAudit(tx, { code, ...toActorFields(actor), subject: actor.id })
    return { made: changeResult, factors: await readFactors(tx, actor.id), email: person.email }
  })
  mailFactorChangeNotice(email, mailText)
  return { made, factors }
}

/** Null unless the added factor is the person's first. */
const createFirstRecoveryCodes = async (tx: Db, actor: Actor, isFirst: boolean) =>
  isFirst ? makeRecoveryCodes(tx, actor.id) : null

const hasNoFactor = async (tx: Db, actor: Actor) => !hasFactor(await readFactorCounts(tx, actor.id))

export async function addPasskey(
  actor: Actor,
  enrollmentId: string,
  name: string,
  passkeyResponse: unknown,
): Promise<AddFactorResult> {
  const passkey = await verifyNewPasskey(actor, enrollmentId, passkeyResponse)
  const { made: codes, factors } = await changeFactors(
    actor,
    'factors.add_passkey.applied',
    'A passkey was added.',
    async (tx) => {
      await endEnrollment(tx, actor, enrollmentId)
      const { passkeys: passkeyCount } = await readFactorCounts(tx, actor.id)
      if (passkeyCount >= maxPasskeys)
        throw new AppError('not_sent', `You have ${maxPasskeys} passkeys. Remove one first`)
      const isFirst = await hasNoFactor(tx, actor)
      const [row] = await tx
        .insert(passkeys)
        .values({ ...passkey, personId: actor.id, name })
        .onConflictDoNothing()
        .returning()
      if (!row) throw new AppError('changed', 'This passkey is known already. Nothing was added')
      return createFirstRecoveryCodes(tx, actor, isFirst)
    },
  )
  return { factors, recovery_codes: codes }
}

/** Replacing an authenticator app also blocks the person's approvals for a day. */
export async function confirmTotp(
  actor: Actor,
  enrollmentId: string,
  code: string,
): Promise<AddFactorResult> {
  const { secret, lastStep } = await verifyNewTotp(actor, enrollmentId, code)
  const { made: codes, factors } = await changeFactors(
    actor,
    'factors.confirm_totp.applied',
    'An authenticator app was added.',
    async (tx) => {
      await endEnrollment(tx, actor, enrollmentId)
      const previousFactorCounts = await readFactorCounts(tx, actor.id)
      const totpRow = {
        secret: encryptSecret(actor.id, secret),
        lastStep,
        createdAt: sql`now()`,
        lastUsedAt: null,
      }
      await tx
        .insert(totpSecrets)
        .values({ ...totpRow, personId: actor.id })
        .onConflictDoUpdate({ target: totpSecrets.personId, set: totpRow })
      if (previousFactorCounts.totp) await holdApprovals(tx, actor.id)
      return createFirstRecoveryCodes(tx, actor, !hasFactor(previousFactorCounts))
    },
  )
  return { factors, recovery_codes: codes }
}

export async function renamePasskey(
  actor: Actor,
  id: string,
  name: string,
): Promise<SecondFactors> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.personId, actor.id)))
      .returning()
    if (!row) throw createFactorRemovedError()
    await appendAudit(tx, {
      code: 'factors.rename_passkey.applied',
      ...toActorFields(actor),
      subject: actor.id,
    })
    return readFactors(tx, actor.id)
  })
}

const createFactorRemovedError = () =>
  new AppError(
    'changed',
    'This factor was removed already. Nothing was changed: refresh and review',
  )

export async function removePasskey(actor: Actor, id: string): Promise<SecondFactors> {
  const { factors } = await changeFactors(
    actor,
    'factors.remove_passkey.applied',
    'A passkey was removed.',
    async (tx) => {
      const removedRows = await tx
        .delete(passkeys)
        .where(and(eq(passkeys.id, id), eq(passkeys.personId, actor.id)))
        .returning({ id: passkeys.id })
      if (removedRows.length === 0) throw createFactorRemovedError()
      await holdApprovals(tx, actor.id)
    },
  )
  return factors
}

export async function removeTotp(actor: Actor): Promise<SecondFactors> {
  const { factors } = await changeFactors(
    actor,
    'factors.remove_totp.applied',
    'The authenticator app was removed.',
    async (tx) => {
      const removedSecrets = await tx
        .delete(totpSecrets)
        .where(eq(totpSecrets.personId, actor.id))
        .returning({ id: totpSecrets.personId })
      if (removedSecrets.length === 0) throw createFactorRemovedError()
      await holdApprovals(tx, actor.id)
    },
  )
  return factors
}

/** Throws `changed` if the person has no factor. */
export async function replaceRecoveryCodes(
  actor: Actor,
): Promise<{ factors: SecondFactors; recovery_codes: string[] }> {
  const { made, factors } = await changeFactors(
    actor,
    'factors.new_codes.applied',
    'New recovery codes were made.',
    async (tx) => {
      if (await hasNoFactor(tx, actor))
        throw new AppError('changed', 'Add a passkey or an authenticator app first')
      return makeRecoveryCodes(tx, actor.id)
    },
  )
  return { factors, recovery_codes: made }
}

/** Returns true if the person had a factor. Blocks their approvals for a day. */
export async function removeAllFactors(tx: Db, personId: string): Promise<boolean> {
  const removedFactorCounts = await readFactorCounts(tx, personId)
  await tx.delete(passkeys).where(eq(passkeys.personId, personId))
  await tx.delete(totpSecrets).where(eq(totpSecrets.personId, personId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId))
  await deleteStepUps(tx, personId)
  await holdApprovals(tx, personId)
  return hasFactor(removedFactorCounts)
}
