import 'server-only'
import { and, eq, gt, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import * as z from 'zod'
import { AppError } from '@/lib/errors'
import { type Environment, environments, type Role, roles } from '@/lib/operations/define'
import type { SignInMethod } from '@/lib/operations/people'
import { appendAudit } from '@/lib/server/audit/chain'
import { env } from '@/lib/server/config/env'
import { grants, people } from '@/lib/server/store/schema/people'
import { type Db, database } from '@/lib/server/store/store'
import { hashPassword, hashPublicPassword, whyWeak } from './passwords'

/** A person of the embedded demo, with the password that is shown beside the name. */
type DemoPerson = { email: string; name: string; roles: readonly Role[]; password: string }

const demoPassword = 'paydesk-demo'
const allDemoPeople: readonly DemoPerson[] = [
  { email: 'admin@paydesk.test', name: 'Dana Admin', roles: ['admin'], password: demoPassword },
  // A policy change, or a decision on an admin's action, needs another admin besides the reviewer.
  { email: 'admin2@paydesk.test', name: 'Ada Admin', roles: ['admin'], password: demoPassword },
  { email: 'operator@paydesk.test', name: 'Omar Operator', roles: ['operator'], password: demoPassword },
  { email: 'reviewer@paydesk.test', name: 'Rhea Reviewer', roles: ['reviewer'], password: demoPassword },
  { email: 'viewer@paydesk.test', name: 'Vic Viewer', roles: ['viewer'], password: demoPassword },
]

/** Returns the demo people; empty unless the embedded sandbox runs. */
export const listDemoPeople = (): readonly DemoPerson[] => (env().embedded ? allDemoPeople : [])

/** A role in an environment, for one account or (if null) for the whole platform. */
export type Grant = { role: Role; environment: Environment; accountId: string | null }

export type Person = typeof people.$inferSelect

const newPerson = z.object({
  email: z.email('email: must be an address like name@company.com').max(200),
  name: z.string().trim().min(1, 'name: must not be empty').max(100, 'name: must be at most 100 characters'),
  role: z.enum(roles, `role: must be one of ${roles.join(', ')}`),
})

/** Returns the active person with this email address, in upper or lower case, or null. */
export async function findPerson(db: Db, email: string): Promise<Person | null> {
  const [person] = await db
    .select()
    .from(people)
    .where(and(eq(sql`lower(${people.email})`, email.trim().toLowerCase()), isNull(people.disabledAt)))
  return person ?? null
}

/** Returns a person's ways to sign in: a password, and the identity provider if one is configured and the person is linked to it. */
export const listSignInWays = ({ passwordHash, ssoSubject }: Pick<Person, 'passwordHash' | 'ssoSubject'>): SignInMethod[] => [
  ...(passwordHash === null ? [] : (['password'] as const)),
  ...(ssoSubject === null || !env().sso ? [] : (['sso'] as const)),
]

/** SQL condition: the person can sign in. */
export const canSignIn = () =>
  env().sso ? or(isNotNull(people.passwordHash), isNotNull(people.ssoSubject)) : isNotNull(people.passwordHash)

/** Returns all people who can sign in, except demo people: their addresses are not real. */
export const listPeopleWithEmail = (db: Db): Promise<Person[]> =>
  db
    .select()
    .from(people)
    .where(and(isNull(people.disabledAt), canSignIn(), not(people.demo)))

/** SQL condition: the grant has not expired, by the database clock. Every permission check that reads grants needs it. */
export const isUnexpired = () => or(isNull(grants.expiresAt), gt(grants.expiresAt, sql`now()`))

/** Returns a person's current grants. Those of a demo person, whose password is public, are limited to the sandbox, whatever is stored. */
export const listGrants = (db: Db, personId: string): Promise<Grant[]> =>
  db
    .select({ role: grants.role, environment: grants.environment, accountId: grants.accountId })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(and(eq(grants.personId, personId), isUnexpired(), or(not(people.demo), eq(grants.environment, 'sandbox'))))

/**
 * Creates a person with one role for the whole platform in every environment, and an audit row. Throws `invalid_input` with the field and
 * the fix, also if the email address is taken.
 */
export async function createPerson(input: { email: string; name: string; role: string; password: string }): Promise<string> {
  const parsed = newPerson.safeParse(input)
  if (!parsed.success) throw new AppError('invalid_input', parsed.error.issues.map((issue) => issue.message).join('\n'))
  const whyTooWeak = whyWeak(input.password)
  if (whyTooWeak) throw new AppError('invalid_input', whyTooWeak)
  const passwordHash = await hashPassword(input.password)
  const db = await database()
  return db.transaction(async (tx) => {
    if (await findPerson(tx, parsed.data.email)) throw new AppError('invalid_input', 'email: a person with this address already exists')
    const id = await insertPerson(tx, { ...parsed.data, passwordHash, demo: false, roles: [parsed.data.role] })
    await appendAudit(tx, { code: 'people.create.applied', actor: null, subject: id })
    return id
  })
}

type NewPersonRow = { email: string; name: string; passwordHash: string; demo: boolean; roles: readonly Role[] }

async function insertPerson(tx: Db, person: NewPersonRow): Promise<string> {
  const [row] = await tx
    .insert(people)
    .values({ email: person.email, name: person.name, passwordHash: person.passwordHash, demo: person.demo })
    .onConflictDoNothing()
    .returning({ id: people.id })
  if (!row) return ''
  const personEnvironments: readonly Environment[] = person.demo ? ['sandbox'] : environments
  await tx
    .insert(grants)
    .values(person.roles.flatMap((role) => personEnvironments.map((environment) => ({ personId: row.id, role, environment }))))
  return row.id
}

/** Creates missing demo people, with roles in the sandbox only. They all get the same hash, because their password is public. */
export async function ensureDemoPeople(): Promise<void> {
  const db = await database()
  const missingPeople: DemoPerson[] = []
  for (const person of listDemoPeople()) if (!(await findPerson(db, person.email))) missingPeople.push(person)
  const [firstMissing] = missingPeople
  if (!firstMissing) return
  const passwordHash = await hashPublicPassword(firstMissing.password)
  await db.transaction(async (tx) => {
    for (const person of missingPeople) await insertPerson(tx, { ...person, passwordHash, demo: true })
  })
}
