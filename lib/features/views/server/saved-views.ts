import 'server-only'
import { and, arrayContained, asc, count, eq, or, type SQL } from 'drizzle-orm'
import type * as z from 'zod'
import { AppError, createFieldError } from '@/lib/errors'
import type { Environment, Role } from '@/lib/operations/define'
import type { SavedView } from '@/lib/operations/saved-view'
import type { newView, viewChange } from '@/lib/operations/saved-view.schema'
import { type AuditEntry, appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import {
  formatAccountId,
  getGrantedAccounts,
  getRolesIn,
  parseAccountId,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { toPseudonym } from '@/lib/server/store/hashes'
import { savedViews } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/** Far above normal use, to limit the size of the database. */
const maxViewsPerPerson = 100

const sharingRoles: readonly Role[] = ['operator', 'reviewer', 'admin']

type SavedViewRow = typeof savedViews.$inferSelect

/** Ids without `acct_`. People who see all of them see the view. Null means the whole platform. */
type AudienceAccounts = readonly string[] | null

/** Returns the roles that a person has in each of the accounts. */
function getRolesInAudience(
  actor: Actor,
  environment: Environment,
  audience: AudienceAccounts,
): Role[] {
  const [first = [], ...rest] = (audience ?? [null]).map((account) =>
    getRolesIn(actor.grants, environment, account),
  )
  return first.filter((role) => rest.every((roles) => roles.includes(role)))
}

const hasRoleInAllAccounts = (
  actor: Actor,
  environment: Environment,
  audience: AudienceAccounts,
): boolean =>
  (audience ?? [null]).every((account) => getRolesIn(actor.grants, environment, account).length > 0)

/** The person's own views, and shared views whose accounts the person can all see now. */
function toVisibleViewsCondition(actor: Actor, environment: Environment): SQL | undefined {
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  const audienceCondition =
    grantedAccounts === null ? undefined : arrayContained(savedViews.accounts, grantedAccounts)
  const sharedCondition =
    grantedAccounts?.length === 0 ? undefined : and(eq(savedViews.shared, true), audienceCondition)
  return and(
    eq(savedViews.environment, environment),
    or(eq(savedViews.ownerId, actor.id), sharedCondition),
  )
}

const canChangeView = (row: SavedViewRow, actor: Actor) =>
  row.ownerId === actor.id ||
  (row.shared && getRolesInAudience(actor, row.environment, row.accounts).includes('admin'))

function toSavedView(row: SavedViewRow, ownerName: string, actor: Actor): SavedView {
  const { id, list, name, search, shared } = row
  const formattedAccountIds = row.accounts?.map((account) => formatAccountId(account)) ?? null
  return {
    id,
    list,
    name,
    search,
    shared,
    accounts: formattedAccountIds,
    owner: ownerName,
    own: row.ownerId === actor.id,
    mayChange: canChangeView(row, actor),
  }
}

/**
 * Returns the audience of a shared view: the given accounts. Without them, it is all accounts that
 * the person sees, because the view's filters may contain data of any of them. Throws `forbidden`
 * for a viewer, and for accounts in which the person has no role.
 */
function resolveAudience(
  actor: Actor,
  environment: Environment,
  namedAccounts: readonly string[] | null | undefined,
): AudienceAccounts {
  if (
    !actor.grants.some(
      (grant) => grant.environment === environment && sharingRoles.includes(grant.role),
    )
  )
    throw new AppError('forbidden', 'Only an operator, a reviewer or an admin can share a view.')
  const requestedAccounts =
    namedAccounts?.map(parseAccountId).sort() ??
    getGrantedAccounts(actor.grants, environment)?.toSorted() ??
    null
  if (hasRoleInAllAccounts(actor, environment, requestedAccounts)) return requestedAccounts
  throw new AppError(
    'forbidden',
    'You can share a view only with people of accounts you have a role for.',
  )
}

export async function listViews(
  actor: Actor,
  environment: Environment,
  list: string,
): Promise<SavedView[]> {
  const db = await getDatabase()
  const viewRows = await db
    .select({ view: savedViews, owner: people.name })
    .from(savedViews)
    .innerJoin(people, eq(people.id, savedViews.ownerId))
    .where(and(toVisibleViewsCondition(actor, environment), eq(savedViews.list, list)))
    .orderBy(asc(savedViews.name))
  return viewRows.map(({ view, owner }) => toSavedView(view, owner, actor))
}

/**
 * The audit log gets only a keyed hash of the name and filters, which shows if two views are equal.
 */
const toViewAuditEntry = (
  verb: 'create' | 'update' | 'delete',
  actor: Actor,
  row: SavedViewRow,
): AuditEntry => ({
  code: `views.${verb}.applied`,
  ...toActorFields(actor),
  environment: row.environment,
  target: `views/${row.id}`,
  subject: toPseudonym(`view/${row.name}\n${row.search}`),
  shared: row.shared,
  ...(row.accounts ? { accounts: row.accounts } : {}),
})

const createNameTakenError = () =>
  createFieldError('name', 'You already have a view with this name.')

/** Throws `invalid_input` if the person has a view with this name, and `too_many` at 100 views. */
async function addView(
  actor: Actor,
  environment: Environment,
  { accounts: namedAccounts, ...asked }: z.output<typeof newView>,
): Promise<SavedView> {
  const audienceAccounts = asked.shared ? resolveAudience(actor, environment, namedAccounts) : null
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const [ownCount] = await tx
      .select({ views: count() })
      .from(savedViews)
      .where(eq(savedViews.ownerId, actor.id))
    if ((ownCount?.views ?? 0) >= maxViewsPerPerson)
      throw new AppError(
        'too_many',
        `You already have ${maxViewsPerPerson} views: remove one first`,
      )
    const [row] = await tx
      .insert(savedViews)
      .values({
        ...asked,
        accounts: audienceAccounts && [...audienceAccounts],
        environment,
        ownerId: actor.id,
      })
      .onConflictDoNothing()
      .returning()
    if (!row) throw createNameTakenError()
    await appendAudit(tx, toViewAuditEntry('create', actor, row))
    return toSavedView(row, actor.name, actor)
  })
}

const createViewNotFoundError = () => new AppError('not_found', 'There is no such view')

/** Throws `not_found` if the person may not see the view, and `forbidden` if not change it. */
async function lockChangeableView(
  tx: Db,
  actor: Actor,
  environment: Environment,
  id: string,
): Promise<{ row: SavedViewRow; owner: string }> {
  const [foundView] = await tx
    .select({ row: savedViews, owner: people.name })
    .from(savedViews)
    .innerJoin(people, eq(people.id, savedViews.ownerId))
    .where(and(toVisibleViewsCondition(actor, environment), eq(savedViews.id, id)))
    .for('update', { of: savedViews })
  if (!foundView) throw createViewNotFoundError()
  if (!canChangeView(foundView.row, actor))
    throw new AppError('forbidden', 'Only its owner or an admin can change a shared view.')
  return foundView
}

type ViewChange = Omit<z.output<typeof viewChange>, 'id'>

const createNotSharedError = () =>
  createFieldError('accounts', 'Only a shared view has this. Share the view, or leave it out.')

/**
 * A new name or filter may contain data of any account that the person sees. Therefore, if the
 * change has no `accounts`, the new audience is people who see all of these accounts.
 */
function resolveNewAudience(
  row: SavedViewRow,
  actor: Actor,
  { accounts, name, search, shared = row.shared }: ViewChange,
): AudienceAccounts {
  if (!shared && accounts) throw createNotSharedError()
  if (!shared) return null
  const isContentUnchanged =
    (name ?? row.name) === row.name && (search ?? row.search) === row.search
  if (row.shared && isContentUnchanged && accounts === undefined) return row.accounts
  return resolveAudience(actor, row.environment, accounts)
}

const auditedFields = ['accounts', 'name', 'search', 'shared'] as const
const toJson = (value: unknown) => JSON.stringify(value)

/** Throws the errors of `addView`, `not_found` and `forbidden`. */
async function changeView(
  actor: Actor,
  environment: Environment,
  id: string,
  change: ViewChange,
): Promise<SavedView> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const { row, owner } = await lockChangeableView(tx, actor, environment, id)
    const newAudienceAccounts = resolveNewAudience(row, actor, change)
    const changedView: SavedViewRow = {
      ...row,
      ...change,
      accounts: newAudienceAccounts && [...newAudienceAccounts],
    }
    const changedFields = auditedFields.filter(
      (field) => toJson(changedView[field]) !== toJson(row[field]),
    )
    if (changedFields.length === 0) return toSavedView(row, owner, actor)
    const sameListCondition = and(
      eq(savedViews.ownerId, row.ownerId),
      eq(savedViews.list, row.list),
      eq(savedViews.environment, environment),
    )
    const sameListViews = await tx
      .select({ id: savedViews.id, name: savedViews.name })
      .from(savedViews)
      .where(sameListCondition)
    if (
      sameListViews.some(
        (other) => other.id !== id && other.name.toLowerCase() === changedView.name.toLowerCase(),
      )
    )
      throw createNameTakenError()
    const [written] = await tx
      .update(savedViews)
      .set(changedView)
      .where(eq(savedViews.id, id))
      .returning()
    if (!written) throw createViewNotFoundError()
    await appendAudit(tx, { ...toViewAuditEntry('update', actor, written), changed: changedFields })
    return toSavedView(written, owner, actor)
  })
}

/** Throws `not_found` and `forbidden`. */
async function removeView(actor: Actor, environment: Environment, id: string): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    const { row } = await lockChangeableView(tx, actor, environment, id)
    await tx.delete(savedViews).where(eq(savedViews.id, id))
    await appendAudit(tx, toViewAuditEntry('delete', actor, row))
  })
}

export const viewHandlers: DeskOperationHandlers<
  'views.list' | 'views.create' | 'views.update' | 'views.delete'
> = {
  'views.list': async ({ actor, environment, input }) => ({
    data: await listViews(actor, environment, input.list),
  }),
  'views.create': async ({ actor, environment, input }) => ({
    data: await addView(actor, environment, input),
  }),
  'views.update': async ({ actor, environment, input: { id, ...change } }) => ({
    data: await changeView(actor, environment, id, change),
  }),
  'views.delete': async ({ actor, environment, input: { id } }) => {
    await removeView(actor, environment, id)
    return { data: { id } }
  },
}
