import 'server-only'
import type * as z from 'zod'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { newView, viewChange, viewLists } from '@/lib/operations/saved-view.schema'
import { environmentOf, refuseOtherSites } from './guard'
import { itemsOf, jsonFields } from './proxy/input'
import { respond, respondError } from './proxy/respond'
import { newRequestId } from './request-id'
import { addView, changeView, removeView, requireRoleIn, viewsOf } from './saved-views'
import { requireActor } from './session'
import type { Actor } from './session-rows'

type Context = { params: Promise<{ environment: string; id?: string }> }
type Asked = { request: Request; actor: Actor; environment: Environment; id: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Session, environment and, for a change, our own pages; then the work, and one error shape for what goes wrong. */
async function serveViews(request: Request, context: Context, work: (asked: Asked) => Promise<unknown>): Promise<Response> {
  const requestId = newRequestId()
  try {
    const { environment: word, id = '' } = await context.params
    const environment = environmentOf(word)
    if (request.method !== 'GET') refuseOtherSites(request)
    const actor = await requireActor(request)
    requireRoleIn(actor, environment)
    if (id !== '' && !uuid.test(id)) throw new AppError('not_found', 'There is no such view')
    const data = await work({ request, actor, environment, id })
    return respond(200, { response_type: Array.isArray(data) ? 'array' : 'object', meta: { request_id: requestId }, data })
  } catch (error) {
    return respondError(error, requestId)
  }
}

async function parsed<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  const result = schema.safeParse(await jsonFields(request))
  if (result.success) return result.data
  const items = itemsOf(result.error)
  throw new AppError('invalid_input', items.map((item) => `${item.reference}: ${item.detail}`).join('; '), { items })
}

/** Serves the views of one list (`?list=payments`): the person's own and the shared ones. */
export const serveViewList = (request: Request, context: Context): Promise<Response> =>
  serveViews(request, context, async ({ actor, environment }) => {
    const list = new URL(request.url).searchParams.get('list') ?? ''
    const known: readonly string[] = viewLists
    if (!known.includes(list)) throw new AppError('invalid_input', `list: must be one of ${viewLists.join(', ')}`)
    return viewsOf(actor, environment, list)
  })

/** Keeps a new view. */
export const serveNewView = (request: Request, context: Context): Promise<Response> =>
  serveViews(request, context, async ({ actor, environment }) => addView(actor, environment, await parsed(request, newView)))

/** Renames, shares or replaces a view. */
export const serveViewChange = (request: Request, context: Context): Promise<Response> =>
  serveViews(request, context, async ({ actor, environment, id }) => changeView(actor, environment, id, await parsed(request, viewChange)))

/** Removes a view. */
export const serveViewRemoval = (request: Request, context: Context): Promise<Response> =>
  serveViews(request, context, async ({ actor, environment, id }) => {
    await removeView(actor, environment, id)
    return { id }
  })
