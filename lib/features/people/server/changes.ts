import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { type Admin, type Right, whyNoAdminLeft, whyNotGrant, whyNotTake } from '@/lib/features/people/rules'
import { environments } from '@/lib/operations/define'
import type { GrantInput, Invited } from '@/lib/operations/people'
import { type AuditEntry, appendAudit } from '@/lib/server/audit/chain'
import { doneBy } from '@/lib/server/audit/client'
import { endSessionsOf, linkOf, makeLink } from '@/lib/server/auth/one-time-links'
import { findPerson, hasWayIn, unexpired } from '@/lib/server/auth/people'
import { parseAccount } from '@/lib/server/auth/scoped-account'
import { type Actor, forgetSessionsOf } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { canMail } from '@/lib/server/mail/mailer'
import { grants, people } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'

type GrantRow = typeof grants.$inferSelect

const rightOf = (row: Pick<GrantRow, 'role' | 'environment' | 'accountId' | 'expiresAt'>): Right => ({
  role: row.role,
  environment: row.environment,
  accountId: row.accountId,
  expiresAt: row.expiresAt?.getTime() ?? null,
})

const asked = ({ role, environment, account, expires_at }: GrantInput): Right => ({
  role,
  environment,
  accountId: account && parseAccount(account),
  expiresAt: expires_at === null ? null : Date.parse(expires_at),
})

/** The platform admins who may sign in now. */
async function adminsIn(tx: Db): Promise<Admin[]> {
  const rows = await tx
    .select({ personId: grants.personId, environment: grants.environment, expiresAt: grants.expiresAt })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        eq(grants.role, 'admin'),
        isNull(grants.accountId),
        unexpired(),
        isNull(people.disabledAt),
        hasWayIn(),
        env().embedded ? undefined : eq(people.demo, false),
      ),
    )
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt?.getTime() ?? null }))
}

const heldGrants = async (tx: Db, id: string): Promise<Right[]> =>
  (
    await tx
      .select()
      .from(grants)
      .where(and(eq(grants.personId, id), unexpired()))
  ).map(rightOf)

/** What an admin holds by the store, and not by what was known of them a moment ago: nothing once they are deactivated. */
async function heldBy(tx: Db, { id }: Actor): Promise<Right[]> {
  const [active] = await tx
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.id, id), isNull(people.disabledAt)))
  return active ? heldGrants(tx, id) : []
}

const refuseWhere = (why: string | null) => {
  if (why) throw new AppError('forbidden', why)
}

const refuseOwn = (actor: Actor, id: string, what: string) => refuseWhere(actor.id === id ? `Nobody can ${what}: ask another admin.` : null)

/** One change of people at a time over all instances, so that no two of them each leave the other's admin as the last. No admin is left out by it. */
export async function changing<T>(run: (tx: Db) => Promise<T>): Promise<T> {
  const db = await database()
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${grants} in share row exclusive mode`)
    const before = await adminsIn(tx)
    const done = await run(tx)
    refuseWhere(whyNoAdminLeft(before, await adminsIn(tx), environments))
    return done
  })
}

/** Locks a person. Throws `not_found`; those of the demo are there only beside its sandbox. */
async function personIn(tx: Db, id: string): Promise<typeof people.$inferSelect> {
  const [row] = await tx.select().from(people).where(eq(people.id, id)).for('update')
  if (!row || (row.demo && !env().embedded)) throw new AppError('not_found', 'There is no such person')
  return row
}

type Code = `people.${'invite' | 'link' | 'grant' | 'take_grant' | 'deactivate' | 'activate' | 'end_sessions' | 'remove_factors'}.applied`

export const audited = (code: Code, actor: Actor, subject: string, beside: Partial<AuditEntry> = {}): AuditEntry => ({
  code,
  ...doneBy(actor),
  subject,
  ...beside,
})

const told = ({ role, environment, accountId, expiresAt }: Right): Partial<AuditEntry> => ({
  role,
  environment,
  account: accountId,
  until: expiresAt === null ? null : new Date(expiresAt).toISOString(),
})

/** Grants a right, or changes when it ends. */
async function put(tx: Db, actor: Actor, personId: string, right: Right): Promise<void> {
  const { role, environment, accountId } = right
  const same = and(
    eq(grants.personId, personId),
    eq(grants.role, role),
    eq(grants.environment, environment),
    accountId ? eq(grants.accountId, accountId) : isNull(grants.accountId),
  )
  const expiresAt = right.expiresAt === null ? null : new Date(right.expiresAt)
  await tx.delete(grants).where(same)
  await tx.insert(grants).values({ personId, role, environment, accountId, expiresAt, grantedBy: actor.id })
}

async function newLink(tx: Db, id: string): Promise<Invited> {
  const { token, expiresAt } = await makeLink(tx, id, 'invite')
  return { id, link: linkOf(token), expires_at: expiresAt.toISOString(), mailed: canMail() }
}

type Invitation = { name: string; email: string; grants: readonly GrantInput[] }

/** Makes a person with grants and without a password, and the link that lets them set one. Throws `forbidden` and `invalid_input`. */
export const invite = (actor: Actor, { name, email, grants: wanted }: Invitation): Promise<Invited> =>
  changing(async (tx) => {
    const held = await heldBy(tx, actor)
    const rights = wanted.map(asked)
    for (const right of rights) refuseWhere(whyNotGrant(held, right))
    const [row] = await tx.insert(people).values({ name, email }).onConflictDoNothing().returning({ id: people.id })
    if (!row || (await findPerson(tx, email))?.id !== row.id) {
      const detail = 'belongs to a person who is here already'
      throw new AppError('invalid_input', `email: ${detail}`, { items: [{ reference: 'email', detail }] })
    }
    for (const right of rights) await put(tx, actor, row.id, right)
    await appendAudit(tx, audited('people.invite.applied', actor, row.id))
    for (const right of rights) await appendAudit(tx, audited('people.grant.applied', actor, row.id, told(right)))
    return newLink(tx, row.id)
  })

/** Another link for somebody who has no way to sign in yet; the one before ends. Of who has one nobody else may set a password. */
export const invitationLink = (actor: Actor, id: string): Promise<Invited> =>
  changing(async (tx) => {
    const person = await personIn(tx, id)
    if (person.passwordHash !== null || person.ssoSubject !== null || person.disabledAt) {
      throw new AppError('changed', 'This person can sign in already or is deactivated. Nothing was changed: refresh and review')
    }
    await appendAudit(tx, audited('people.link.applied', actor, id))
    return newLink(tx, id)
  })

/** Grants a right to somebody else, or changes when it ends. */
export async function grant(actor: Actor, id: string, input: GrantInput): Promise<void> {
  await changing(async (tx) => {
    await personIn(tx, id)
    refuseOwn(actor, id, 'change their own roles')
    const right = asked(input)
    refuseWhere(whyNotGrant(await heldBy(tx, actor), right))
    await put(tx, actor, id, right)
    await appendAudit(tx, audited('people.grant.applied', actor, id, told(right)))
  })
  forgetSessionsOf(id)
}

/** Takes a right away from somebody else. Throws `changed` where it is gone. */
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
    await appendAudit(tx, audited('people.take_grant.applied', actor, id, told(rightOf(row))))
  })
  forgetSessionsOf(id)
}

/** Somebody else whose every right the actor holds. Throws `forbidden` and `not_found`. */
export async function within(tx: Db, actor: Actor, id: string, what: string): Promise<typeof people.$inferSelect> {
  const person = await personIn(tx, id)
  refuseOwn(actor, id, what)
  const held = await heldBy(tx, actor)
  for (const right of await heldGrants(tx, id)) refuseWhere(whyNotTake(held, right))
  return person
}

const already = (state: string) => new AppError('changed', `This person is ${state} already. Nothing was changed: refresh and review`)

/** Lets somebody else in no more. */
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

/** Lets somebody else in again, with the grants they have. */
export async function activate(actor: Actor, id: string): Promise<void> {
  await changing(async (tx) => {
    const { disabledAt } = await within(tx, actor, id, 'activate themselves')
    if (disabledAt === null) throw already('active')
    await tx.update(people).set({ disabledAt: null }).where(eq(people.id, id))
    await appendAudit(tx, audited('people.activate.applied', actor, id))
  })
}

/** Signs somebody out everywhere; they may sign in again. */
export async function endSessions(actor: Actor, id: string): Promise<void> {
  await changing(async (tx) => {
    if (actor.id === id) await personIn(tx, id)
    else await within(tx, actor, id, 'end their own sessions here')
    await endSessionsOf(tx, id)
    await appendAudit(tx, audited('people.end_sessions.applied', actor, id))
  })
  forgetSessionsOf(id)
}
