import 'server-only'
import { and, asc, desc, eq, gt, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { toDayEnd, toDayStart } from '@/lib/dates'
import { AppError } from '@/lib/errors'
import {
  formatAuditCode,
  listCodeEndings,
  notDoneCodeEndings,
  toAuditOutcome,
} from '@/lib/features/audit/labels'
import type { AuditDetail, AuditRow } from '@/lib/operations/audit'
import type { AuditFilter } from '@/lib/operations/audit.schema'
import { type Environment, reviewRoles } from '@/lib/operations/define'
import { toAuditFieldSql } from '@/lib/server/audit/rows'
import { formatAccountId, tryParseAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { listConfiguredEnvironments } from '@/lib/server/config/env'
import { audit } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

export const rowsPerPage = 50

/** `accounts` null means all. `unplaced` includes rows without an environment, such as sign-ins. */
export type AuditReadScope = {
  environment: Environment
  accounts: readonly string[] | null
  unplaced: boolean
}

export function findAuditReadScope(actor: Actor, environment: Environment): AuditReadScope {
  const auditReaderGrants = actor.grants.filter(
    (grant) => grant.environment === environment && reviewRoles.includes(grant.role),
  )
  const platformGrants = auditReaderGrants.filter(({ accountId }) => accountId === null)
  return {
    environment,
    accounts:
      platformGrants.length > 0
        ? null
        : auditReaderGrants.flatMap(({ accountId }) => (accountId ? [accountId] : [])),
    unplaced: platformGrants.some(({ role }) => role === 'admin'),
  }
}

/** True for an admin of the whole platform in every environment. */
export const canReadWholeAudit = (actor: Actor): boolean =>
  listConfiguredEnvironments().every((name) => findAuditReadScope(actor, name).unplaced)

/** Collation "C" compares byte by byte: the `>=` and `<` conditions of the filters need it. */
const toByteOrderedField = (name: string): SQL<string> =>
  sql<string>`(${toAuditFieldSql(name)} collate "C")`
const codeEndingField = sql<string>`substring(${toAuditFieldSql('code')} from '[^.]+$')`

function toReadableCondition({ environment, accounts, unplaced }: AuditReadScope): SQL | undefined {
  const environmentCondition = eq(toAuditFieldSql('environment'), environment)
  if (accounts)
    return accounts.length === 0
      ? sql`false`
      : and(environmentCondition, inArray(toAuditFieldSql('account'), [...accounts]))
  return unplaced
    ? sql`(${environmentCondition} or ${toAuditFieldSql('environment')} is null)`
    : environmentCondition
}

const conditionByFilter: {
  readonly [K in Exclude<keyof AuditFilter, 'zone'>]-?: (
    value: NonNullable<AuditFilter[K]>,
    filter: AuditFilter,
  ) => SQL
} = {
  from: (day, { zone = 'UTC' }) =>
    sql`${toByteOrderedField('at')} >= ${new Date(toDayStart(day, zone)).toISOString()}`,
  to: (day, { zone = 'UTC' }) =>
    sql`${toByteOrderedField('at')} < ${new Date(toDayEnd(day, zone) + 1).toISOString()}`,
  person: (id) => eq(toAuditFieldSql('actor'), id),
  what: (asked) =>
    sql`(${toByteOrderedField('code')} >= ${`${asked}.`} and ${toByteOrderedField('code')} < ${`${asked}/`})`,
  outcome: (outcome) =>
    outcome === 'done'
      ? notInArray(codeEndingField, [...notDoneCodeEndings])
      : inArray(codeEndingField, listCodeEndings(outcome)),
  account: (account) => eq(toAuditFieldSql('account'), tryParseAccountId(account) ?? ''),
  target: (target) => eq(toAuditFieldSql('target'), target),
  action: (id) => eq(toAuditFieldSql('action'), id),
  request: (id) => eq(toAuditFieldSql('request_id'), id),
}

const toFilterCondition = (filter: AuditFilter): SQL | undefined =>
  and(
    ...Object.entries(conditionByFilter).map(([name, condition]) => {
      const filterValue = filter[name as keyof AuditFilter]
      return filterValue === undefined
        ? undefined
        : (condition as (value: string, filter: AuditFilter) => SQL)(filterValue, filter)
    }),
  )

export const toAuditRowsCondition = (
  scope: AuditReadScope | null,
  filter: AuditFilter,
): SQL | undefined => and(scope ? toReadableCondition(scope) : undefined, toFilterCondition(filter))

type StoredRow = typeof audit.$inferSelect
type AuditBody = Record<string, unknown>

const parseBody = ({ body }: StoredRow): AuditBody => JSON.parse(body) as AuditBody
const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

async function readPeopleNames(
  db: Db,
  bodies: readonly AuditBody[],
): Promise<ReadonlyMap<string, string>> {
  const personIds = [
    ...new Set(
      bodies
        .flatMap(({ actor, subject }) => [toTextOrNull(actor), toTextOrNull(subject)])
        .flatMap((id) => id ?? []),
    ),
  ].filter((id) => /^[0-9a-f-]{36}$/.test(id))
  if (personIds.length === 0) return new Map()
  const peopleRows = await db
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(inArray(people.id, personIds))
  return new Map(peopleRows.map(({ id, name }) => [id, name]))
}

function toAuditRow(
  { seq }: StoredRow,
  body: AuditBody,
  names: ReadonlyMap<string, string>,
): AuditRow {
  const code = toTextOrNull(body.code) ?? ''
  const actor = toTextOrNull(body.actor)
  const account = toTextOrNull(body.account)
  return {
    seq,
    at: toTextOrNull(body.at) ?? '',
    code,
    what: formatAuditCode(code),
    outcome: toAuditOutcome(code),
    actor:
      actor === null
        ? null
        : { id: actor, name: names.get(actor) ?? 'a person who is not there any more' },
    account: account && formatAccountId(account),
    target: toTextOrNull(body.target),
    action: toTextOrNull(body.action),
    request_id: toTextOrNull(body.request_id),
    repeated: typeof body.repeated === 'number' ? body.repeated : null,
  }
}

/** Row numbers between `after` and `before`, newest first. */
export type AuditRange = { before?: number; after?: number }

export type AuditPage = { rows: AuditRow[]; hasNewer: boolean; hasOlder: boolean }

export async function readAuditPage(
  scope: AuditReadScope,
  filter: AuditFilter,
  { before, after }: AuditRange = {},
): Promise<AuditPage> {
  const db = await getDatabase()
  const rowsCondition = toAuditRowsCondition(scope, filter)
  const isForwards = after !== undefined
  const auditRows = await db
    .select()
    .from(audit)
    .where(
      and(
        rowsCondition,
        isForwards ? gt(audit.seq, after) : undefined,
        before !== undefined ? lt(audit.seq, before) : undefined,
      ),
    )
    .orderBy(isForwards ? asc(audit.seq) : desc(audit.seq))
    .limit(rowsPerPage + 1)
  const pageRows = auditRows.slice(0, rowsPerPage)
  if (isForwards) pageRows.reverse()
  const hasMore = auditRows.length > rowsPerPage
  const auditBodies = pageRows.map(parseBody)
  const nameByPersonId = await readPeopleNames(db, auditBodies)
  return {
    rows: pageRows.map((row, at) => toAuditRow(row, auditBodies[at] ?? {}, nameByPersonId)),
    hasNewer: isForwards ? hasMore : before !== undefined,
    hasOlder: isForwards ? true : hasMore,
  }
}

function formatAuditValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(', ') || 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The audit log stores only keyed hashes of these fields about the origin of a request. */
const hashedFields: ReadonlySet<string> = new Set(['address', 'network', 'session'])

/** Throws `not_found` if the row does not exist or the person may not read it. */
export async function readAuditRow(scope: AuditReadScope, seq: number): Promise<AuditDetail> {
  const db = await getDatabase()
  const [stored] = await db
    .select()
    .from(audit)
    .where(and(eq(audit.seq, seq), toReadableCondition(scope)))
  if (!stored) throw new AppError('not_found', 'There is no such row of the audit')
  const body = parseBody(stored)
  const rowPeopleNames = await readPeopleNames(db, [body])
  const headerFields = new Set([
    'code',
    'at',
    'actor',
    'account',
    'target',
    'action',
    'request_id',
    'environment',
  ])
  const detailFields = Object.entries(body).filter(
    ([name, value]) => !headerFields.has(name) && value !== null,
  )
  return {
    row: toAuditRow(stored, body, rowPeopleNames),
    environment: toTextOrNull(body.environment),
    fields: detailFields.map(([name, value]) => ({
      name: hashedFields.has(name) ? `${name}_hash` : name,
      value:
        name === 'subject'
          ? (rowPeopleNames.get(formatAuditValue(value)) ?? formatAuditValue(value))
          : formatAuditValue(value),
    })),
    body: stored.body,
    prev: stored.prev,
    hash: stored.hash,
  }
}
