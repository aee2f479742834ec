import 'server-only'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { GroupsFault } from '@/lib/operations/people'
import { appendAudit, recordAudit } from '@/lib/server/audit/chain'
import { buildUsableGrantCondition, type Person } from '@/lib/server/auth/people'
import { dropCachedSessions } from '@/lib/server/auth/session-rows'
import { beginSession, type Visitor } from '@/lib/server/auth/sign-in'
import { log } from '@/lib/server/log'
import { mailSsoLinkNotice } from '@/lib/server/mail/links'
import { toPseudonym } from '@/lib/server/store/hashes'
import { grants, oneTimeLinks, people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import type { Identity, PlatformRole } from './identity'

/** The audit row has this reason for the refusal of a person from the identity provider. */
export type SsoFault =
  | 'unknown'
  | 'groups_unknown'
  | 'unverified'
  | 'linked_to_another'
  | 'deactivated'

type FoundPerson = { person: Person; isNew: boolean } | { fault: SsoFault }

const buildLinkedCondition = ({ issuer, subject }: Identity) =>
  and(eq(people.ssoIssuer, issuer), eq(people.ssoSubject, subject))

/** Also deletes the person's invitation link. */
async function linkPerson(
  tx: Db,
  person: Person,
  { issuer, subject }: Identity,
  { client }: Visitor,
): Promise<Person> {
  const [linkedPerson] = await tx
    .update(people)
    .set({ ssoIssuer: issuer, ssoSubject: subject })
    .where(eq(people.id, person.id))
    .returning()
  if (!linkedPerson) throw new Error('the person was not kept')
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.personId, person.id))
  await appendAudit(tx, {
    code: 'people.link_sso.applied',
    actor: person.id,
    subject: person.id,
    ...client,
  })
  return linkedPerson
}

async function createSsoPerson(
  tx: Db,
  { issuer, subject, email, name }: Identity & { email: string },
  { client }: Visitor,
): Promise<Person> {
  const [createdPerson] = await tx
    .insert(people)
    .values({ email, name: name ?? email, ssoIssuer: issuer, ssoSubject: subject })
    .returning()
  if (!createdPerson) throw new Error('the person was not kept')
  await appendAudit(tx, {
    code: 'people.make_by_sso.applied',
    actor: null,
    subject: createdPerson.id,
    ...client,
  })
  return createdPerson
}

/**
 * Links the identity to the person with its verified email address. If there is none, creates a
 * person, but only if a group of the identity has a role in Paydesk.
 */
async function linkOrCreatePerson(
  tx: Db,
  identity: Identity,
  visitor: Visitor,
): Promise<FoundPerson> {
  const { email } = identity
  if (email === null) return { fault: 'unverified' }
  const [knownPerson] = await tx
    .select()
    .from(people)
    .where(eq(sql`lower(${people.email})`, email.toLowerCase()))
  // The email address of a demo person is not real, so it must not be linked to an identity.
  if (knownPerson?.demo) return { fault: 'unknown' }
  if (!knownPerson && typeof identity.roles === 'string') return { fault: 'groups_unknown' }
  if (!knownPerson && identity.roles.length === 0) return { fault: 'unknown' }
  if (!knownPerson)
    return { person: await createSsoPerson(tx, { ...identity, email }, visitor), isNew: true }
  // Refuse a second identity: the provider may later give the email address to another person, who
  // must not get access to this account.
  if (knownPerson.ssoSubject !== null) return { fault: 'linked_to_another' }
  if (knownPerson.disabledAt) return { fault: 'deactivated' }
  return { person: await linkPerson(tx, knownPerson, identity, visitor), isNew: true }
}

async function findSsoPerson(tx: Db, identity: Identity, visitor: Visitor): Promise<FoundPerson> {
  const [linked] = await tx.select().from(people).where(buildLinkedCondition(identity))
  if (!linked) return linkOrCreatePerson(tx, identity, visitor)
  return linked.disabledAt ? { fault: 'deactivated' } : { person: linked, isNew: false }
}

type CurrentGrant = PlatformRole & { id: string; fromSso: boolean }

async function isLastAdminGrant(tx: Db, { id, role, environment }: CurrentGrant): Promise<boolean> {
  if (role !== 'admin') return false
  const [otherAdmin] = await tx
    .select({ id: grants.id })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        ne(grants.id, id),
        eq(grants.role, 'admin'),
        eq(grants.environment, environment),
        isNull(grants.accountId),
        isNull(grants.expiresAt),
        buildUsableGrantCondition(),
      ),
    )
    .limit(1)
  return otherAdmin === undefined
}

const isSameRole = (a: PlatformRole, b: PlatformRole) =>
  a.role === b.role && a.environment === b.environment

/**
 * Stores why the person's groups are unknown, for the People page; null if they are known. Unknown
 * groups do not change the person's roles.
 */
async function storeGroupsFault(
  tx: Db,
  { id, ssoGroupsFault }: Person,
  fault: GroupsFault | null,
  { client }: Visitor,
): Promise<void> {
  if (ssoGroupsFault !== fault)
    await tx.update(people).set({ ssoGroupsFault: fault }).where(eq(people.id, id))
  if (fault === null) return
  log.warn({ event: 'sso.groups_unknown', code: fault })
  await appendAudit(tx, {
    code: 'people.follow_sso_groups.refused',
    actor: null,
    subject: id,
    ...client,
    fault,
  })
}

/**
 * Adds the roles of the person's groups and removes roles that earlier groups gave. Roles that an
 * admin granted stay, and the last admin of an environment keeps that role. Returns true if a role
 * had to be added or removed.
 */
async function syncGroupRoles(
  tx: Db,
  personId: string,
  groupRoles: readonly PlatformRole[],
  { client }: Visitor,
): Promise<boolean> {
  const currentGrants = await tx
    .select({
      id: grants.id,
      role: grants.role,
      environment: grants.environment,
      fromSso: grants.fromSso,
    })
    .from(grants)
    .where(and(eq(grants.personId, personId), isNull(grants.accountId), isNull(grants.expiresAt)))
  const removedGrants = currentGrants.filter(
    (grant) => grant.fromSso && !groupRoles.some((each) => isSameRole(each, grant)),
  )
  const addedRoles = groupRoles.filter(
    (each) => !currentGrants.some((grant) => isSameRole(each, grant)),
  )
  const toAuditFields = ({ role, environment }: PlatformRole) => ({
    actor: null,
    subject: personId,
    ...client,
    role,
    environment,
    account: null,
  })
  for (const grant of removedGrants) {
    if (await isLastAdminGrant(tx, grant)) {
      await appendAudit(tx, {
        code: 'people.take_grant_by_sso.refused',
        ...toAuditFields(grant),
        fault: 'last_admin',
      })
      continue
    }
    await tx.delete(grants).where(eq(grants.id, grant.id))
    await appendAudit(tx, { code: 'people.take_grant_by_sso.applied', ...toAuditFields(grant) })
  }
  for (const addedRole of addedRoles) {
    await tx.insert(grants).values({ personId, ...addedRole, fromSso: true })
    await appendAudit(tx, { code: 'people.grant_by_sso.applied', ...toAuditFields(addedRole) })
  }
  return removedGrants.length + addedRoles.length > 0
}

/**
 * Finds, links or creates the person and updates their roles, in one transaction. Returns a fault
 * if the person is refused.
 */
export async function signInBySso(
  identity: Identity,
  visitor: Visitor,
): Promise<{ token: string; person: Person } | { fault: SsoFault }> {
  const db = await getDatabase()
  const signInResult = await db.transaction(async (tx) => {
    // The lock lets sign-ins run one at a time, and not during changes of people. Otherwise, two
    // first sign-ins could create a person twice.
    await tx.execute(sql`lock table ${grants} in share row exclusive mode`)
    const foundPerson = await findSsoPerson(tx, identity, visitor)
    if ('fault' in foundPerson) return foundPerson
    const { roles } = identity
    const areGroupsKnown = typeof roles !== 'string'
    await storeGroupsFault(tx, foundPerson.person, areGroupsKnown ? null : roles, visitor)
    const haveRolesChanged =
      areGroupsKnown && (await syncGroupRoles(tx, foundPerson.person.id, roles, visitor))
    const sessionToken = await beginSession(tx, foundPerson.person.id, visitor, {
      ssoAuthenticatedAt: identity.authenticatedAt,
    })
    return { ...foundPerson, changed: haveRolesChanged, token: sessionToken }
  })
  if ('fault' in signInResult) {
    const subjectPseudonym = toPseudonym(`sso ${identity.issuer} ${identity.subject}`)
    await recordAudit({
      code: 'session.sign_in.refused',
      actor: null,
      ...visitor.client,
      subject: subjectPseudonym,
      fault: signInResult.fault,
    })
    return signInResult
  }
  const { person, isNew, changed, token } = signInResult
  if (isNew) mailSsoLinkNotice(person.email)
  if (changed) dropCachedSessions(person.id)
  return { token, person }
}
