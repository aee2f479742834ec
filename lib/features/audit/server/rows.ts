import 'server-only'
import { and, asc, desc, eq, gt, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { listCodeEnds, notDoneEnds, toAuditOutcome, toCodeText } from '@/lib/features/audit/labels'
import type { AuditDetail, AuditRow } from '@/lib/operations/audit'
import type { AuditFilter } from '@/lib/operations/audit.schema'
import { type Environment, reviewRoles } from '@/lib/operations/define'
import { auditField } from '@/lib/server/audit/rows'
import { accountText, tryParseAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { configuredEnvironments } from '@/lib/server/config/env'
import { audit } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { type Db, database } from '@/lib/server/store/store'

export const rowsPerPage = 50

/**
 * The audit rows that a person may read in one environment. `accounts` null means all accounts. `unplaced` true includes rows without an
 * environment, such as sign-ins.
 */
export type AuditReadScope = { environment: Environment; accounts: readonly string[] | null; unplaced: boolean }

export function findReadScope(actor: Actor, environment: Environment): AuditReadScope {
  const grants = actor.grants.filter((grant) => grant.environment === environment && reviewRoles.includes(grant.role))
  const platformGrants = grants.filter(({ accountId }) => accountId === null)
  return {
    environment,
    accounts: platformGrants.length > 0 ? null : grants.flatMap(({ accountId }) => (accountId ? [accountId] : [])),
    unplaced: platformGrants.some(({ role }) => role === 'admin'),
  }
}

/** True if a person may read every row, as an admin of the whole platform in every environment. */
export const canReadAll = (actor: Actor): boolean => configuredEnvironments().every((name) => findReadScope(actor, name).unplaced)

/** SQL: the field in the collation "C". It compares texts byte by byte, as the ranges below require. */
const byteOrdered = (name: string): SQL<string> => sql<string>`(${auditField(name)} collate "C")`
const codeEnd = sql<string>`substring(${auditField('code')} from '[^.]+$')`

function readableWhere({ environment, accounts, unplaced }: AuditReadScope): SQL | undefined {
  const environmentCondition = eq(auditField('environment'), environment)
  if (accounts) return accounts.length === 0 ? sql`false` : and(environmentCondition, inArray(auditField('account'), [...accounts]))
  return unplaced ? sql`(${environmentCondition} or ${auditField('environment')} is null)` : environmentCondition
}

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** The SQL conditions of the filters, by filter. */
const conditions: { readonly [K in keyof AuditFilter]-?: (value: NonNullable<AuditFilter[K]>) => SQL } = {
  from: (day) => sql`${byteOrdered('at')} >= ${day}`,
  to: (day) => sql`${byteOrdered('at')} < ${nextDay(day)}`,
  person: (id) => eq(auditField('actor'), id),
  what: (asked) => sql`(${byteOrdered('code')} >= ${`${asked}.`} and ${byteOrdered('code')} < ${`${asked}/`})`,
  outcome: (outcome) => (outcome === 'done' ? notInArray(codeEnd, [...notDoneEnds]) : inArray(codeEnd, listCodeEnds(outcome))),
  account: (account) => eq(auditField('account'), tryParseAccount(account) ?? ''),
  target: (target) => eq(auditField('target'), target),
  action: (id) => eq(auditField('action'), id),
  request: (id) => eq(auditField('request_id'), id),
}

const filterWhere = (filter: AuditFilter): SQL | undefined =>
  and(
    ...Object.entries(conditions).map(([name, condition]) => {
      const value = filter[name as keyof AuditFilter]
      return value === undefined ? undefined : (condition as (value: string) => SQL)(value)
    }),
  )

export const rowsCondition = (scope: AuditReadScope | null, filter: AuditFilter): SQL | undefined =>
  and(scope ? readableWhere(scope) : undefined, filterWhere(filter))

type StoredRow = typeof audit.$inferSelect
type Body = Record<string, unknown>

const parseBody = ({ body }: StoredRow): Body => JSON.parse(body) as Body
const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

async function readNames(db: Db, bodies: readonly Body[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(bodies.flatMap(({ actor, subject }) => [toText(actor), toText(subject)]).flatMap((id) => id ?? []))].filter(
    (id) => /^[0-9a-f-]{36}$/.test(id),
  )
  if (ids.length === 0) return new Map()
  const rows = await db.select({ id: people.id, name: people.name }).from(people).where(inArray(people.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function toAuditRow({ seq }: StoredRow, body: Body, names: ReadonlyMap<string, string>): AuditRow {
  const code = toText(body.code) ?? ''
  const actor = toText(body.actor)
  const account = toText(body.account)
  return {
    seq,
    at: toText(body.at) ?? '',
    code,
    what: toCodeText(code),
    outcome: toAuditOutcome(code),
    actor: actor === null ? null : { id: actor, name: names.get(actor) ?? 'a person who is not there any more' },
    account: account && accountText(account),
    target: toText(body.target),
    action: toText(body.action),
    request_id: toText(body.request_id),
    repeated: typeof body.repeated === 'number' ? body.repeated : null,
  }
}

/** A part of the audit, newest first: the rows with numbers between `after` and `before`. */
export type AuditPart = { before?: number; after?: number }

export type AuditPage = { rows: AuditRow[]; hasNewer: boolean; hasOlder: boolean }

export async function auditPage(scope: AuditReadScope, filter: AuditFilter, { before, after }: AuditPart = {}): Promise<AuditPage> {
  const db = await database()
  const where = rowsCondition(scope, filter)
  const forwards = after !== undefined
  const found = await db
    .select()
    .from(audit)
    .where(and(where, forwards ? gt(audit.seq, after) : undefined, before !== undefined ? lt(audit.seq, before) : undefined))
    .orderBy(forwards ? asc(audit.seq) : desc(audit.seq))
    .limit(rowsPerPage + 1)
  const stored = found.slice(0, rowsPerPage)
  if (forwards) stored.reverse()
  const hasMore = found.length > rowsPerPage
  const bodies = stored.map(parseBody)
  const names = await readNames(db, bodies)
  return {
    rows: stored.map((row, at) => toAuditRow(row, bodies[at] ?? {}, names)),
    hasNewer: forwards ? hasMore : before !== undefined,
    hasOlder: forwards ? true : hasMore,
  }
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Fields about the origin of a request. Only their keyed hashes are stored. */
const hashed: ReadonlySet<string> = new Set(['address', 'network', 'session'])

/** Returns one row with all its fields. Throws `not_found` if it does not exist or the person may not read it. */
export async function auditRow(scope: AuditReadScope, seq: number): Promise<AuditDetail> {
  const db = await database()
  const [stored] = await db
    .select()
    .from(audit)
    .where(and(eq(audit.seq, seq), readableWhere(scope)))
  if (!stored) throw new AppError('not_found', 'There is no such row of the audit')
  const body = parseBody(stored)
  const names = await readNames(db, [body])
  const headerFields = new Set(['code', 'at', 'actor', 'account', 'target', 'action', 'request_id', 'environment'])
  const fields = Object.entries(body).filter(([name, value]) => !headerFields.has(name) && value !== null)
  return {
    row: toAuditRow(stored, body, names),
    environment: toText(body.environment),
    fields: fields.map(([name, value]) => ({
      name: hashed.has(name) ? `${name}_hash` : name,
      value: name === 'subject' ? (names.get(formatValue(value)) ?? formatValue(value)) : formatValue(value),
    })),
    body: stored.body,
    prev: stored.prev,
    hash: stored.hash,
  }
}
