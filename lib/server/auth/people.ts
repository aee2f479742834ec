import 'server-only'
import { and, eq, gt, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import * as z from 'zod'
import { AppError } from '@/lib/errors'
import { type Environment, environments, type Role, roles } from '@/lib/operations/define'
import type { SignInWay } from '@/lib/operations/people'
import { appendAudit } from '@/lib/server/audit/chain'
import { env } from '@/lib/server/config/env'
import { grants, people } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import { hashPassword, hashPublicPassword, whyWeak } from './passwords'

/** A person of the embedded demo, with the password that is shown beside the name. */
type DemoPerson = { email: string; name: string; roles: readonly Role[]; password: string }

const password = 'paydesk-demo'
const demo: readonly DemoPerson[] = [
  { email: 'admin@paydesk.test', name: 'Dana Admin', roles: ['admin'], password },
  // Who changes a policy, or says what became of an action an admin sent, needs another one beside the reviewer.
  { email: 'admin2@paydesk.test', name: 'Ada Admin', roles: ['admin'], password },
  { email: 'operator@paydesk.test', name: 'Omar Operator', roles: ['operator'], password },
  { email: 'reviewer@paydesk.test', name: 'Rhea Reviewer', roles: ['reviewer'], password },
  { email: 'viewer@paydesk.test', name: 'Vic Viewer', roles: ['viewer'], password },
]

/** The demo people; empty unless the embedded sandbox runs beside us. */
export const demoPeople = (): readonly DemoPerson[] => (env().embedded ? demo : [])

/** A right: this role in this environment, for one account or (without one) for the whole platform. */
export type Grant = { role: Role; environment: Environment; accountId: string | null }

export type Person = typeof people.$inferSelect

const newPerson = z.object({
  email: z.email('email: must be an address like name@company.com').max(200),
  name: z.string().trim().min(1, 'name: must not be empty').max(100, 'name: must be at most 100 characters'),
  role: z.enum(roles, `role: must be one of ${roles.join(', ')}`),
})

/** The person with this address who may still sign in, whatever the case it was typed in; null where there is none. */
export async function findPerson(db: Db, email: string): Promise<Person | null> {
  const [person] = await db
    .select()
    .from(people)
    .where(and(eq(sql`lower(${people.email})`, email.trim().toLowerCase()), isNull(people.disabledAt)))
  return person ?? null
}

/** The ways somebody signs in by: their password, and the identity provider where one is set and knows them. */
export const waysIn = ({ passwordHash, ssoSubject }: Pick<Person, 'passwordHash' | 'ssoSubject'>): SignInWay[] => [
  ...(passwordHash === null ? [] : (['password'] as const)),
  ...(ssoSubject === null || !env().sso ? [] : (['sso'] as const)),
]

/** That there is such a way. */
export const hasWayIn = () =>
  env().sso ? or(isNotNull(people.passwordHash), isNotNull(people.ssoSubject)) : isNotNull(people.passwordHash)

/** Everybody who can sign in, but the people of the demo: their addresses are nobody's. */
export const mailable = (db: Db): Promise<Person[]> =>
  db
    .select()
    .from(people)
    .where(and(isNull(people.disabledAt), hasWayIn(), not(people.demo)))

/** That a grant has not expired, by the clock of the store. Whoever reads grants to say what somebody may do asks for it. */
export const unexpired = () => or(isNull(grants.expiresAt), gt(grants.expiresAt, sql`now()`))

/** All rights a person has now. Those of a demo person, whose password is public, end with the sandbox, whatever the store says. */
export const grantsOf = (db: Db, personId: string): Promise<Grant[]> =>
  db
    .select({ role: grants.role, environment: grants.environment, accountId: grants.accountId })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(and(eq(grants.personId, personId), unexpired(), or(not(people.demo), eq(grants.environment, 'sandbox'))))

/**
 * Makes a person with one role for the whole platform in every environment, and its audit row. Throws `invalid_input` whose text names the
 * field and the fix; an address that is taken is such a field.
 */
export async function createPerson(input: { email: string; name: string; role: string; password: string }): Promise<string> {
  const parsed = newPerson.safeParse(input)
  if (!parsed.success) throw new AppError('invalid_input', parsed.error.issues.map((issue) => issue.message).join('\n'))
  const weak = whyWeak(input.password)
  if (weak) throw new AppError('invalid_input', weak)
  const passwordHash = await hashPassword(input.password)
  const db = await database()
  return db.transaction(async (tx) => {
    if (await findPerson(tx, parsed.data.email)) throw new AppError('invalid_input', 'email: a person with this address already exists')
    const id = await insertPerson(tx, { ...parsed.data, passwordHash, demo: false, roles: [parsed.data.role] })
    await appendAudit(tx, { code: 'people.create.applied', actor: null, subject: id })
    return id
  })
}

type Insert = { email: string; name: string; passwordHash: string; demo: boolean; roles: readonly Role[] }

async function insertPerson(tx: Db, person: Insert): Promise<string> {
  const [row] = await tx
    .insert(people)
    .values({ email: person.email, name: person.name, passwordHash: person.passwordHash, demo: person.demo })
    .onConflictDoNothing()
    .returning({ id: people.id })
  if (!row) return ''
  const where: readonly Environment[] = person.demo ? ['sandbox'] : environments
  await tx.insert(grants).values(person.roles.flatMap((role) => where.map((environment) => ({ personId: row.id, role, environment }))))
  return row.id
}

/** Makes the demo people where they are missing, for the sandbox alone. Their password is printed anyway, so one hash serves all four. */
export async function ensureDemoPeople(): Promise<void> {
  const db = await database()
  const missing: DemoPerson[] = []
  for (const person of demoPeople()) if (!(await findPerson(db, person.email))) missing.push(person)
  const [first] = missing
  if (!first) return
  const passwordHash = await hashPublicPassword(first.password)
  await db.transaction(async (tx) => {
    for (const person of missing) await insertPerson(tx, { ...person, passwordHash, demo: true })
  })
}
