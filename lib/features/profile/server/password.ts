import 'server-only'
import { and, eq } from 'drizzle-orm'
import { AppError, createFieldError } from '@/lib/errors'
import type { PasswordState } from '@/lib/operations/profile'
import { appendAudit, recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { findPasswordFault, hashPassword } from '@/lib/server/auth/passwords'
import { type Actor, dropCachedSessions } from '@/lib/server/auth/session-rows'
import { deleteStepUps } from '@/lib/server/auth/step-up/challenges'
import { countStepUpTry, forgetStepUpTries, isOwnPassword } from '@/lib/server/auth/step-up/tries'
import { mailPasswordChangeNotice } from '@/lib/server/mail/links'
import { oneTimeLinks, people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { endMatchingSessions, toOtherSessionsCondition } from './sessions'

const unchangeablePasswordTexts: Readonly<Record<Exclude<PasswordState, 'own'>, string>> = {
  demo: 'The demo users share a password that everybody knows, so it cannot be changed.',
  none: 'You have no password in Paydesk. Change it where you sign in.',
}

export const getPasswordState = ({
  demo,
  passwordHash,
}: {
  demo: boolean
  passwordHash: string | null
}): PasswordState => {
  if (demo) return 'demo'
  return passwordHash === null ? 'none' : 'own'
}

async function readPasswordHash(actor: Actor): Promise<string> {
  const db = await getDatabase()
  const [person] = await db.select().from(people).where(eq(people.id, actor.id))
  const passwordState = person ? getPasswordState(person) : 'none'
  if (passwordState !== 'own' || !person?.passwordHash)
    throw new AppError(
      'forbidden',
      unchangeablePasswordTexts[passwordState === 'demo' ? 'demo' : 'none'],
    )
  return person.passwordHash
}

type PasswordChange = { old: string; password: string }

/**
 * Ends the person's other sessions, and deletes their open links and step-up proofs. Throws
 * `too_many` after ten wrong attempts, `unavailable` if too many hashes are being computed,
 * `changed` if the password was changed meanwhile, `forbidden` if the person has no password, and
 * `invalid_input`.
 */
export async function changePassword(
  actor: Actor,
  { old, password }: PasswordChange,
): Promise<{ ended: number }> {
  const oldHash = await readPasswordHash(actor)
  const whyTooWeak = findPasswordFault(password)
  if (whyTooWeak) throw createFieldError('password', whyTooWeak)
  if (password === old)
    throw createFieldError('password', 'Choose a password that differs from the current one.')
  await countStepUpTry(actor)
  if (!(await isOwnPassword(actor, old))) {
    await recordAudit({ code: 'profile.change_password.refused', ...toActorFields(actor) })
    throw createFieldError('old', 'The password is wrong.')
  }
  await forgetStepUpTries(actor)
  const passwordHash = await hashPassword(password)
  const db = await getDatabase()
  const endedSessionCount = await db.transaction(async (tx) => {
    const updatedPeople = await tx
      .update(people)
      .set({ passwordHash })
      .where(and(eq(people.id, actor.id), eq(people.passwordHash, oldHash)))
      .returning({ id: people.id })
    if (updatedPeople.length === 0)
      throw new AppError('changed', 'Your password was changed meanwhile. Nothing was changed now')
    await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.personId, actor.id))
    await deleteStepUps(tx, actor.id)
    await appendAudit(tx, { code: 'profile.change_password.applied', ...toActorFields(actor) })
    return endMatchingSessions(tx, actor, toOtherSessionsCondition(actor))
  })
  dropCachedSessions(actor.id)
  mailPasswordChangeNotice(actor.email)
  return { ended: endedSessionCount }
}
