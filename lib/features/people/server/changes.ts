import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { AppError, createFieldError } from '@/lib/errors'
import { type ScopedRight, whyNotGrant, whyNotRevoke } from '@/lib/features/people/rules'
import type { GrantInput, InvitationLink } from '@/lib/operations/people'
import { appendAudit } from '@/lib/server/audit/chain'
import { createOneTimeLink, endAllSessions, toLinkUrl } from '@/lib/server/auth/one-time-links'
import { findPerson } from '@/lib/server/auth/people'
import { parseAccountId } from '@/lib/server/auth/scoped-account'
import { type Actor, dropCachedSessions } from '@/lib/server/auth/session-rows'
import { canMail } from '@/lib/server/mail/mailer'
import { grants, people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'
import { grantOrRequestRight } from './grant-requests'
import {
  listHeldGrants,
  lockPersonRow,
  readAdminRights,
  runPeopleChange,
  throwForbiddenIf,
  throwForbiddenIfSelf,
  toPeopleAuditEntry,
  toRightAuditFields,
  toScopedRight,
} from './rights'

const parseRight = ({ role, environment, account, expires_at }: GrantInput): ScopedRight => ({
  role,
  environment,
  accountId: account && parseAccountId(account),
  expiresAt: expires_at === null ? null : Date.parse(expires_at),
})

async function createInvitationLink(
  tx: Db,
  actor: Actor,
  id: string,
  waitingRequestIds: readonly string[],
): Promise<InvitationLink> {
  const { token, expiresAt } = await createOneTimeLink(tx, id, 'invite')
  await tx
    .update(people)
    .set({ invitedBy: actor.id, invitedAt: sql`now()` })
    .where(eq(people.id, id))
  return {
    id,
    link: toLinkUrl(token),
    expires_at: expiresAt.toISOString(),
    mailed: canMail(),
    waiting: waitingRequestIds,
  }
}

type InvitationInput = { name: string; email: string; grants: readonly GrantInput[] }

/** Returns the link to set a password. Throws `forbidden` and `invalid_input`. */
export const invitePerson = (
  actor: Actor,
  { name, email, grants: requestedGrants }: InvitationInput,
): Promise<InvitationLink> =>
  runPeopleChange(async (tx) => {
    const actorRights = await readAdminRights(tx, actor)
    const requestedRights = requestedGrants.map(parseRight)
    for (const right of requestedRights) throwForbiddenIf(whyNotGrant(actorRights, right))
    const [row] = await tx
      .insert(people)
      .values({ name, email })
      .onConflictDoNothing()
      .returning({ id: people.id })
    if (!row || (await findPerson(tx, email))?.id !== row.id) {
      throw createFieldError('email', 'A person with this email exists already.')
    }
    await appendAudit(tx, toPeopleAuditEntry('people.invite.applied', actor, row.id))
    const grantRequestIds: (string | null)[] = []
    for (const right of requestedRights)
      grantRequestIds.push(await grantOrRequestRight(tx, actor, row.id, right))
    return createInvitationLink(
      tx,
      actor,
      row.id,
      grantRequestIds.filter((id) => id !== null),
    )
  })

/**
 * The earlier link becomes invalid. Throws `changed` if the person can sign in, because only the
 * person may then set the password, or if the person is deactivated.
 */
export const renewInvitationLink = (actor: Actor, id: string): Promise<InvitationLink> =>
  runPeopleChange(async (tx) => {
    const person = await lockPersonRow(tx, id)
    if (person.passwordHash !== null || person.ssoSubject !== null || person.disabledAt) {
      throw new AppError(
        'changed',
        'This person can sign in already or is deactivated. Nothing was changed: refresh and review',
      )
    }
    await appendAudit(tx, toPeopleAuditEntry('people.link.applied', actor, id))
    return createInvitationLink(tx, actor, id, [])
  })

/** If the role can approve, another admin must confirm the grant. */
export async function grantRight(actor: Actor, id: string, input: GrantInput): Promise<void> {
  await runPeopleChange(async (tx) => {
    await lockPersonRow(tx, id)
    throwForbiddenIfSelf(actor, id, 'change their own roles')
    const right = parseRight(input)
    throwForbiddenIf(whyNotGrant(await readAdminRights(tx, actor), right))
    await grantOrRequestRight(tx, actor, id, right)
  })
  dropCachedSessions(id)
}

/** Throws `changed` if the grant no longer exists. */
export async function revokeGrant(actor: Actor, id: string, grantId: string): Promise<void> {
  await runPeopleChange(async (tx) => {
    await lockPersonRow(tx, id)
    throwForbiddenIfSelf(actor, id, 'change their own roles')
    const [row] = await tx
      .delete(grants)
      .where(and(eq(grants.id, grantId), eq(grants.personId, id)))
      .returning()
    if (!row)
      throw new AppError(
        'changed',
        'This role was removed meanwhile. Nothing was changed: refresh and review',
      )
    throwForbiddenIf(
      row.fromSso
        ? 'This role comes from a group at the identity provider: change the group there.'
        : null,
    )
    throwForbiddenIf(whyNotRevoke(await readAdminRights(tx, actor), toScopedRight(row)))
    await appendAudit(
      tx,
      toPeopleAuditEntry(
        'people.take_grant.applied',
        actor,
        id,
        toRightAuditFields(toScopedRight(row)),
      ),
    )
  })
  dropCachedSessions(id)
}

/**
 * Throws `forbidden` unless the actor has all of the person's rights, and `not_found`. For a person
 * who tries to change themselves, the error text is "Nobody can" and `forbiddenPhrase`.
 */
export async function requireManagedPerson(
  tx: Db,
  actor: Actor,
  id: string,
  forbiddenPhrase: string,
): Promise<typeof people.$inferSelect> {
  const person = await lockPersonRow(tx, id)
  throwForbiddenIfSelf(actor, id, forbiddenPhrase)
  const actorRights = await readAdminRights(tx, actor)
  for (const right of await listHeldGrants(tx, id))
    throwForbiddenIf(whyNotRevoke(actorRights, right))
  return person
}

const createAlreadyInStateError = (state: string) =>
  new AppError(
    'changed',
    `This person is ${state} already. Nothing was changed: refresh and review`,
  )

export async function deactivatePerson(actor: Actor, id: string): Promise<void> {
  await runPeopleChange(async (tx) => {
    const { disabledAt } = await requireManagedPerson(tx, actor, id, 'deactivate themselves')
    if (disabledAt !== null) throw createAlreadyInStateError('deactivated')
    await tx.update(people).set({ disabledAt: sql`now()` }).where(eq(people.id, id))
    await endAllSessions(tx, id)
    await appendAudit(tx, toPeopleAuditEntry('people.deactivate.applied', actor, id))
  })
  dropCachedSessions(id)
}

export async function activatePerson(actor: Actor, id: string): Promise<void> {
  await runPeopleChange(async (tx) => {
    const { disabledAt } = await requireManagedPerson(tx, actor, id, 'activate themselves')
    if (disabledAt === null) throw createAlreadyInStateError('active')
    await tx.update(people).set({ disabledAt: null }).where(eq(people.id, id))
    await appendAudit(tx, toPeopleAuditEntry('people.activate.applied', actor, id))
  })
}

export async function endPersonSessions(actor: Actor, id: string): Promise<void> {
  await runPeopleChange(async (tx) => {
    if (actor.id === id) await lockPersonRow(tx, id)
    else await requireManagedPerson(tx, actor, id, 'end their own sessions here')
    await endAllSessions(tx, id)
    await appendAudit(tx, toPeopleAuditEntry('people.end_sessions.applied', actor, id))
  })
  dropCachedSessions(id)
}
