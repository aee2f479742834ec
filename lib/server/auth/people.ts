import 'server-only'
import { and, eq, gt, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import * as z from 'zod'
import { AppError, createFieldError } from '@/lib/errors'
import { type Environment, environments, type Role, roles } from '@/lib/operations/define'
import type { SignInMethod } from '@/lib/operations/people'
import { appendAudit } from '@/lib/server/audit/chain'
import { env } from '@/lib/server/config/env'
import { grants, people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { findPasswordFault, hashPassword, hashPublicPassword } from './passwords'

/** A person for trying out the embedded sandbox. */
type DemoPerson = { email: string; name: string; roles: readonly Role[]; password: string }

const demoPassword = 'paydesk-demo'
const allDemoPeople: readonly DemoPerson[] = [
  { email: 'admin@paydesk.test', name: 'Dana Admin', roles: ['admin'], password: demoPassword },
  // A second admin: the first cannot confirm their own policy change or decide on their own action.
  { email: 'admin2@paydesk.test', name: 'Ada Admin', roles: ['admin'], password: demoPassword },
  {
    email: 'operator@paydesk.test',
    name: 'Omar Operator',
    roles: ['operator'],
    password: demoPassword,
  },
  {
    email: 'reviewer@paydesk.test',
    name: 'Rhea Reviewer',
    roles: ['reviewer'],
    password: demoPassword,
  },
  { email: 'viewer@paydesk.test', name: 'Vic Viewer', roles: ['viewer'], password: demoPassword },
]

export const listDemoPeople = (): readonly DemoPerson[] => (env().embedded ? allDemoPeople : [])

/** `accountId: null` means the whole platform. */
export type Grant = { role: Role; environment: Environment; accountId: string | null }

export type Person = typeof people.$inferSelect

const newPersonShape = z.object({
  email: z.email('email: must be an address like name@company.com').max(200),
  name: z
    .string()
    .trim()
    .min(1, 'name: must not be empty')
    .max(100, 'name: must be at most 100 characters'),
  role: z.enum(roles, `role: must be one of ${roles.join(', ')}`),
})

/** Ignores the letter case. Null if there is no such person or the person is disabled. */
export async function findPerson(db: Db, email: string): Promise<Person | null> {
  const [person] = await db
    .select()
    .from(people)
    .where(
      and(eq(sql`lower(${people.email})`, email.trim().toLowerCase()), isNull(people.disabledAt)),
    )
  return person ?? null
}

export const listSignInMethods = ({
  passwordHash,
  ssoSubject,
}: Pick<Person, 'passwordHash' | 'ssoSubject'>): SignInMethod[] => [
  ...(passwordHash === null ? [] : (['password'] as const)),
  ...(ssoSubject === null || !env().sso ? [] : (['sso'] as const)),
]

export const buildCanSignInCondition = () =>
  env().sso
    ? or(isNotNull(people.passwordHash), isNotNull(people.ssoSubject))
    : isNotNull(people.passwordHash)

/** Demo people are left out: their addresses are not real. */
export const listPeopleWithEmail = (db: Db): Promise<Person[]> =>
  db
    .select()
    .from(people)
    .where(and(isNull(people.disabledAt), buildCanSignInCondition(), not(people.demo)))

/** Every permission check that reads grants needs this condition. It uses the database clock. */
export const buildUnexpiredCondition = () =>
  or(isNull(grants.expiresAt), gt(grants.expiresAt, sql`now()`))

/**
 * SQL condition: the grant is valid, and its person can sign in and use it. Everything that counts
 * people with a role needs it: an invited person without a password cannot approve anything.
 */
export const buildUsableGrantCondition = () =>
  and(
    buildUnexpiredCondition(),
    isNull(people.disabledAt),
    buildCanSignInCondition(),
    env().embedded ? undefined : not(people.demo),
  )

/**
 * Returns unexpired grants. A demo person, whose password is public, gets only grants for the
 * sandbox, whatever is stored.
 */
export const listGrants = (db: Db, personId: string): Promise<Grant[]> =>
  db
    .select({ role: grants.role, environment: grants.environment, accountId: grants.accountId })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        eq(grants.personId, personId),
        buildUnexpiredCondition(),
        or(not(people.demo), eq(grants.environment, 'sandbox')),
      ),
    )

/**
 * The person gets the role for the whole platform in every environment. Throws `invalid_input` with
 * the field and the fix, also if the email address is taken.
 */
export async function createPerson(input: {
  email: string
  name: string
  role: string
  password: string
}): Promise<string> {
  const parseResult = newPersonShape.safeParse(input)
  if (!parseResult.success)
    throw new AppError(
      'invalid_input',
      parseResult.error.issues.map((issue) => issue.message).join('\n'),
    )
  const whyTooWeak = findPasswordFault(input.password)
  if (whyTooWeak) throw createFieldError('password', whyTooWeak)
  const passwordHash = await hashPassword(input.password)
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    if (await findPerson(tx, parseResult.data.email))
      throw new AppError('invalid_input', 'email: a person with this address already exists')
    const id = await insertPerson(tx, {
      ...parseResult.data,
      passwordHash,
      demo: false,
      roles: [parseResult.data.role],
    })
    await appendAudit(tx, { code: 'people.create.applied', actor: null, subject: id })
    return id
  })
}

type NewPersonRow = {
  email: string
  name: string
  passwordHash: string
  demo: boolean
  roles: readonly Role[]
}

async function insertPerson(tx: Db, person: NewPersonRow): Promise<string> {
  const [row] = await tx
    .insert(people)
    .values({
      email: person.email,
      name: person.name,
      passwordHash: person.passwordHash,
      demo: person.demo,
    })
    .onConflictDoNothing()
    .returning({ id: people.id })
  if (!row) return ''
  const personEnvironments: readonly Environment[] = person.demo ? ['sandbox'] : environments
  await tx
    .insert(grants)
    .values(
      person.roles.flatMap((role) =>
        personEnvironments.map((environment) => ({ personId: row.id, role, environment })),
      ),
    )
  return row.id
}

/**
 * Creates the missing demo people. Their password is public, so they get roles in the sandbox only,
 * and all share one password hash.
 */
export async function ensureDemoPeople(): Promise<void> {
  const db = await getDatabase()
  const missingPeople: DemoPerson[] = []
  for (const person of listDemoPeople())
    if (!(await findPerson(db, person.email))) missingPeople.push(person)
  const [firstMissing] = missingPeople
  if (!firstMissing) return
  const passwordHash = await hashPublicPassword(firstMissing.password)
  await db.transaction(async (tx) => {
    for (const person of missingPeople)
      await insertPerson(tx, { ...person, passwordHash, demo: true })
  })
}
