import 'server-only'
import { and, asc, count, eq, or } from 'drizzle-orm'
import type * as z from 'zod'
import { AppError } from '@/lib/errors'
import type { Environment, Role } from '@/lib/operations/define'
import type { SavedView } from '@/lib/operations/saved-view'
import type { newView, viewChange } from '@/lib/operations/saved-view.schema'
import { accountsGranted } from './scoped-account'
import type { Actor } from './session-rows'
import { savedViews } from './store/desk-schema'
import { people } from './store/schema'
import { database } from './store/store'

/** A bound that no person's work reaches and that keeps one from filling the store. */
const mostViews = 100

/** Those whose views others may see: a viewer keeps theirs. */
const sharers: readonly Role[] = ['operator', 'reviewer', 'admin']

const rolesHere = (actor: Actor, environment: Environment) =>
  actor.grants.filter((grant) => grant.environment === environment).map((grant) => grant.role)

type Row = typeof savedViews.$inferSelect

/** Filters whose value is an id, a reference or words: what they find may be in an account the reader holds no role for. */
const naming = /_id$|^(?:search_text|name|trace_number)$/

/** Whether a person sees a view: their own; a shared one, unless it names something and they are limited to some accounts. */
function sees(actor: Actor, { ownerId, shared, search, environment }: Row): boolean {
  if (ownerId === actor.id) return true
  const names = [...new URLSearchParams(search).keys()].some((filter) => naming.test(filter))
  return shared && !(names && accountsGranted(actor.grants, environment))
}

const isAdmin = (actor: Actor, environment: Environment) => rolesHere(actor, environment).includes('admin')
const mayChange = (row: Row, actor: Actor) => row.ownerId === actor.id || (row.shared && isAdmin(actor, row.environment))

function viewOf(row: Row, owner: string, actor: Actor): SavedView {
  const { id, list, name, search, shared } = row
  return { id, list, name, search, shared, owner, own: row.ownerId === actor.id, mayChange: mayChange(row, actor) }
}

/** Refuses an environment the person has no role in. Throws `forbidden`. */
export function requireRoleIn(actor: Actor, environment: Environment): void {
  if (rolesHere(actor, environment).length === 0) throw new AppError('forbidden', `You have no role in ${environment}`)
}

function refuseSharing(actor: Actor, environment: Environment): void {
  if (rolesHere(actor, environment).some((role) => sharers.includes(role))) return
  throw new AppError('forbidden', 'Only an operator, a reviewer or an admin can share a view.')
}

/** The views of a list a person sees, by name: their own and the shared ones. */
export async function viewsOf(actor: Actor, environment: Environment, list: string): Promise<SavedView[]> {
  const db = await database()
  const rows = await db
    .select({ view: savedViews, owner: people.name })
    .from(savedViews)
    .innerJoin(people, eq(people.id, savedViews.ownerId))
    .where(
      and(
        eq(savedViews.environment, environment),
        eq(savedViews.list, list),
        or(eq(savedViews.ownerId, actor.id), eq(savedViews.shared, true)),
      ),
    )
    .orderBy(asc(savedViews.name))
  return rows.filter(({ view }) => sees(actor, view)).map(({ view, owner }) => viewOf(view, owner, actor))
}

const taken = () => {
  const detail = 'you have a view of this name already'
  return new AppError('invalid_input', `name: ${detail}`, { items: [{ reference: 'name', detail }] })
}

/** Keeps a view. Throws `invalid_input` for a name the person uses already and `too_many` beyond a hundred views. */
export async function addView(actor: Actor, environment: Environment, asked: z.output<typeof newView>): Promise<SavedView> {
  if (asked.shared) refuseSharing(actor, environment)
  const db = await database()
  const [held] = await db.select({ views: count() }).from(savedViews).where(eq(savedViews.ownerId, actor.id))
  if ((held?.views ?? 0) >= mostViews) throw new AppError('too_many', `You keep ${mostViews} views: remove one first`)
  const [row] = await db
    .insert(savedViews)
    .values({ ...asked, environment, ownerId: actor.id })
    .onConflictDoNothing()
    .returning()
  if (!row) throw taken()
  return viewOf(row, actor.name, actor)
}

const absent = () => new AppError('not_found', 'There is no such view')

/** The view to change or remove; one the person does not see is not there. Throws `not_found` or `forbidden`. */
async function changeable(actor: Actor, environment: Environment, id: string): Promise<Row> {
  const db = await database()
  const [row] = await db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), eq(savedViews.environment, environment)))
  if (!row || !sees(actor, row)) throw absent()
  if (!mayChange(row, actor)) throw new AppError('forbidden', 'Only its owner or an admin can change a shared view.')
  return row
}

/** Renames, shares or replaces a view. Throws as `addView` does, and `not_found` or `forbidden` for one that is somebody else's. */
export async function changeView(
  actor: Actor,
  environment: Environment,
  id: string,
  change: z.output<typeof viewChange>,
): Promise<SavedView> {
  const row = await changeable(actor, environment, id)
  if (change.shared) refuseSharing(actor, environment)
  const views = await viewsOf(actor, environment, row.list)
  const { name } = change
  if (name && views.some((view) => view.own && view.id !== id && view.name.toLowerCase() === name.toLowerCase())) throw taken()
  const db = await database()
  const [changed] = await db
    .update(savedViews)
    .set({ ...row, ...change })
    .where(eq(savedViews.id, id))
    .returning()
  if (!changed) throw absent()
  return viewOf(changed, views.find((view) => view.id === id)?.owner ?? actor.name, actor)
}

/** Removes a view. Throws `not_found` or `forbidden` for one that is somebody else's. */
export async function removeView(actor: Actor, environment: Environment, id: string): Promise<void> {
  await changeable(actor, environment, id)
  const db = await database()
  await db.delete(savedViews).where(eq(savedViews.id, id))
}
