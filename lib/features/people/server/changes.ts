import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { type Right, whyNotGrant, whyNotTake } from '@/lib/features/people/rules'
import type { GrantInput, Invited } from '@/lib/operations/people'
import { appendAudit } from '@/lib/server/audit/chain'
import { endSessionsOf, linkOf, makeLink } from '@/lib/server/auth/one-time-links'
import { findPerson } from '@/lib/server/auth/people'
import { parseAccount } from '@/lib/server/auth/scoped-account'
import { type Actor, forgetSessionsOf } from '@/lib/server/auth/session-rows'
import { canMail } from '@/lib/server/mail/mailer'
import { grants, people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'
import { grantOrRequest } from './grant-requests'
import { audited, changing, heldBy, heldGrants, personIn, refuseOwn, refuseWhere, rightFields, rightOf } from './rights'

const parseRight = ({ role, environment, account, expires_at }: GrantInput): Right => ({
  role,
  environment,
  accountId: account && parseAccount(account),
  expiresAt: expires_at === null ? null : Date.parse(expires_at),
})

async function newLink(tx: Db, actor: Actor, id: string, waiting: readonly string[]): Promise<Invited> {
  const { token, expiresAt } = await makeLink(tx, id, 'invite')
  await tx.update(people).set({ invitedBy: actor.id, invitedAt: sql`now()` }).where(eq(people.id, id))
  return { id, link: linkOf(token), expires_at: expiresAt.toISOString(), mailed: canMail(), waiting }
}

type Invitation = { name: string; email: string; grants: readonly GrantInput[] }

/** Creates a person with grants and without a password, and returns the link to set one. Throws `forbidden` and `invalid_input`. */
export const invite = (actor: Actor, { name, email, grants: wanted }: Invitation): Promise<Invited> =>
  changing(async (tx) => {
    const actorRights = await heldBy(tx, actor)
    const rights = wanted.map(parseRight)
    for (const right of rights) refuseWhere(whyNotGrant(actorRights, right))
    const [row] = await tx.insert(people).values({ name, email }).onConflictDoNothing().returning({ id: people.id })
    if (!row || (await findPerson(tx, email))?.id !== row.id) {
      const detail = 'belongs to a person who is here already'
      throw new AppError('invalid_input', `email: ${detail}`, { items: [{ reference: 'email', detail }] })
    }
    await appendAudit(tx, audited('people.invite.applied', actor, row.id))
    const requests: (string | null)[] = []
    for (const right of rights) requests.push(await grantOrRequest(tx, actor, row.id, right))
    return newLink(
      tx,
      actor,
      row.id,
      requests.filter((id) => id !== null),
    )
  })

/**
 * Creates a new invitation link for a person who cannot sign in yet; the earlier link becomes invalid. Throws `changed` if the person can
 * sign in, because only that person may set the password then.
 */
export const invitationLink = (actor: Actor, id: string): Promise<Invited> =>
  changing(async (tx) => {
    const person = await personIn(tx, id)
    if (person.passwordHash !== null || person.ssoSubject !== null || person.disabledAt) {
      throw new AppError('changed', 'This person can sign in already or is deactivated. Nothing was changed: refresh and review')
    }
    await appendAudit(tx, audited('people.link.applied', actor, id))
    return newLink(tx, actor, id, [])
  })

/** Grants a right to another person, or changes its end. If the role can approve, another admin must confirm the grant. */
export async function grant(actor: Actor, id: string, input: GrantInput): Promise<void> {
  await changing(async (tx) => {
    await personIn(tx, id)
    refuseOwn(actor, id, 'change their own roles')
    const right = parseRight(input)
    refuseWhere(whyNotGrant(await heldBy(tx, actor), right))
    await grantOrRequest(tx, actor, id, right)
  })
  forgetSessionsOf(id)
}

/** Revokes a grant of another person. Throws `changed` if it no longer exists. */
export async function takeGrant(actor: Actor, id: string, grantId: string): Promise<void> {
  await changing(async (tx) => {
    await personIn(tx, id)
    refuseOwn(actor, id, 'change their own roles')
    const [row] = await tx
      .delete(grants)
      .where(and(eq(grants.id, grantId), eq(grants.personId, id)))
      .returning()
    if (!row) throw new AppError('changed', 'This role was removed meanwhile. Nothing was changed: refresh and review')
    refuseWhere(row.fromSso ? 'This role comes from a group at the identity provider: change the group there.' : null)
    refuseWhere(whyNotTake(await heldBy(tx, actor), rightOf(row)))
    await appendAudit(tx, audited('people.take_grant.applied', actor, id, rightFields(rightOf(row))))
  })
  forgetSessionsOf(id)
}

/** Returns another person, if the actor has all of that person's rights. Throws `forbidden` and `not_found`. */
export async function within(tx: Db, actor: Actor, id: string, what: string): Promise<typeof people.$inferSelect> {
  const person = await personIn(tx, id)
  refuseOwn(actor, id, what)
  const actorRights = await heldBy(tx, actor)
  for (const right of await heldGrants(tx, id)) refuseWhere(whyNotTake(actorRights, right))
  return person
}

const already = (state: string) => new AppError('changed', `This person is ${state} already. Nothing was changed: refresh and review`)

/** Deactivates another person and ends their sessions. */
export async function deactivate(actor: Actor, id: string): Promise<void> {
  await changing(async (tx) => {
    const { disabledAt } = await within(tx, actor, id, 'deactivate themselves')
    if (disabledAt !== null) throw already('deactivated')
    await tx.update(people).set({ disabledAt: sql`now()` }).where(eq(people.id, id))
    await endSessionsOf(tx, id)
    await appendAudit(tx, audited('people.deactivate.applied', actor, id))
  })
  forgetSessionsOf(id)
}

/** Activates another person again, with their existing grants. */
export async function activate(actor: Actor, id: string): Promise<void> {
  await changing(async (tx) => {
    const { disabledAt } = await within(tx, actor, id, 'activate themselves')
    if (disabledAt === null) throw already('active')
    await tx.update(people).set({ disabledAt: null }).where(eq(people.id, id))
    await appendAudit(tx, audited('people.activate.applied', actor, id))
  })
}

/** Ends all sessions of a person, who can sign in again. */
export async function endSessions(actor: Actor, id: string): Promise<void> {
  await changing(async (tx) => {
    if (actor.id === id) await personIn(tx, id)
    else await within(tx, actor, id, 'end their own sessions here')
    await endSessionsOf(tx, id)
    await appendAudit(tx, audited('people.end_sessions.applied', actor, id))
  })
  forgetSessionsOf(id)
}
