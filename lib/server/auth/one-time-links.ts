import 'server-only'
import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { AppError, createFieldError } from '@/lib/errors'
import { welcomePath } from '@/lib/routes'
import { appendAudit } from '@/lib/server/audit/chain'
import type { ClientOrigin } from '@/lib/server/audit/client'
import { env } from '@/lib/server/config/env'
import { mailPasswordResetLink } from '@/lib/server/mail/links'
import { sha256 } from '@/lib/server/store/hashes'
import { oneTimeLinks, people, sessions } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { findPasswordFault, hashPassword } from './passwords'
import { findPerson } from './people'
import { dropCachedSessions } from './session-rows'

type LinkPurpose = typeof oneTimeLinks.$inferSelect.purpose

const validHours: Readonly<Record<LinkPurpose, number>> = { invite: 72, reset: 1 }

/** Deletes the person's earlier links. Returns the token; only its hash is stored. */
export async function createOneTimeLink(
  tx: Db,
  personId: string,
  purpose: LinkPurpose,
): Promise<{ token: string; expiresAt: Date }> {
  const linkToken = randomBytes(32).toString('base64url')
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.personId, personId))
  const [row] = await tx
    .insert(oneTimeLinks)
    .values({
      tokenHash: sha256(linkToken),
      purpose,
      personId,
      expiresAt: sql`now() + make_interval(hours => ${validHours[purpose]})`,
    })
    .returning({ expiresAt: oneTimeLinks.expiresAt })
  if (!row) throw new Error('the link was not kept')
  return { token: linkToken, expiresAt: row.expiresAt }
}

/** The token is in the fragment, which browsers do not send to the server. */
export const toLinkUrl = (token: string) => `${env().appOrigin}${welcomePath(token)}`

/**
 * Mails at most one link in two minutes, and none to people without a password or demo people.
 * Returns nothing, so that the caller cannot reveal whether a person has this address.
 */
export async function mailResetLink(email: string, client: ClientOrigin): Promise<void> {
  const db = await getDatabase()
  const resetMail = await db.transaction(async (tx) => {
    const person = await findPerson(tx, email)
    if (!person?.passwordHash || person.demo) return null
    await tx.select({ id: people.id }).from(people).where(eq(people.id, person.id)).for('update')
    const recentLinkCondition = gt(oneTimeLinks.createdAt, sql`now() - interval '2 minutes'`)
    const [last] = await tx
      .select({ at: oneTimeLinks.createdAt })
      .from(oneTimeLinks)
      .where(
        and(
          eq(oneTimeLinks.personId, person.id),
          eq(oneTimeLinks.purpose, 'reset'),
          recentLinkCondition,
        ),
      )
    if (last) return null
    const { token } = await createOneTimeLink(tx, person.id, 'reset')
    await appendAudit(tx, {
      code: 'people.forgot_password.applied',
      actor: null,
      subject: person.id,
      ...client,
    })
    return { to: person.email, link: toLinkUrl(token) }
  })
  if (resetMail) mailPasswordResetLink(resetMail.to, resetMail.link)
}

const toUsableLinkCondition = (token: string) =>
  and(
    eq(oneTimeLinks.tokenHash, sha256(token)),
    isNull(oneTimeLinks.usedAt),
    gt(oneTimeLinks.expiresAt, sql`now()`),
  )

const createLinkExpiredError = () =>
  new AppError('changed', 'This link was used already or has expired. Ask for another one')

/** Call `dropCachedSessions` after the commit to clear this process's cache. */
export const endAllSessions = (tx: Db, personId: string) =>
  tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.personId, personId), isNull(sessions.revokedAt)))

/** Throws `changed` if the link was used, has expired, or its person is deactivated. */
export async function requireUsableLink(token: string): Promise<{ personId: string }> {
  const [link] = await (await getDatabase())
    .select({ personId: oneTimeLinks.personId })
    .from(oneTimeLinks)
    .innerJoin(people, and(eq(people.id, oneTimeLinks.personId), isNull(people.disabledAt)))
    .where(toUsableLinkCondition(token))
  if (!link) throw createLinkExpiredError()
  return link
}

/**
 * Consumes the link and ends all sessions of its person. Throws `changed` for an invalid link,
 * before the slow hash is computed. Throws `invalid_input` for a weak password; the link then stays
 * valid.
 */
export async function setPassword(
  token: string,
  password: string,
  client: ClientOrigin,
): Promise<void> {
  const db = await getDatabase()
  const link = await requireUsableLink(token)
  const whyTooWeak = findPasswordFault(password)
  if (whyTooWeak) throw createFieldError('password', whyTooWeak)
  const passwordHash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const usedLinks = await tx
      .update(oneTimeLinks)
      .set({ usedAt: sql`now()` })
      .where(toUsableLinkCondition(token))
      .returning({ personId: oneTimeLinks.personId })
    if (usedLinks.length === 0) throw createLinkExpiredError()
    await tx.update(people).set({ passwordHash }).where(eq(people.id, link.personId))
    await endAllSessions(tx, link.personId)
    await appendAudit(tx, { code: 'people.set_password.applied', actor: link.personId, ...client })
  })
  dropCachedSessions(link.personId)
}
