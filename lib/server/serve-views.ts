import 'server-only'
import type * as z from 'zod'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { newView, viewChange, viewLists } from '@/lib/operations/saved-view.schema'
import { environmentOf } from './guard'
import { handler } from './http/handler'
import { itemsOf, jsonFields } from './proxy/input'
import { respond } from './proxy/respond'
import { addView, changeView, removeView, requireRoleIn, viewsOf } from './saved-views'
import type { Actor } from './session-rows'

type Params = { environment: string; id?: string }
type Asked = { request: Request; actor: Actor; environment: Environment; id: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const viewHandler = (rules: Parameters<typeof handler>[0], work: (asked: Asked) => Promise<unknown>) =>
  handler<Params>(rules, async ({ request, params, actor, requestId }) => {
    const environment = environmentOf(params.environment)
    const { id = '' } = params
    requireRoleIn(actor, environment)
    if (id !== '' && !uuid.test(id)) throw new AppError('not_found', 'There is no such view')
    const data = await work({ request, actor, environment, id })
    return respond(200, { response_type: Array.isArray(data) ? 'array' : 'object', meta: { request_id: requestId }, data })
  })

async function parsed<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  const result = schema.safeParse(await jsonFields(request))
  if (result.success) return result.data
  const items = itemsOf(result.error)
  throw new AppError('invalid_input', items.map((item) => `${item.reference}: ${item.detail}`).join('; '), { items })
}

/** Serves the views of one list (`?list=payments`): the person's own and the shared ones. */
export const serveViewList = viewHandler({ name: 'views.list' }, async ({ request, actor, environment }) => {
  const list = new URL(request.url).searchParams.get('list') ?? ''
  const known: readonly string[] = viewLists
  if (!known.includes(list)) throw new AppError('invalid_input', `list: must be one of ${viewLists.join(', ')}`)
  return viewsOf(actor, environment, list)
})

/** Keeps a new view. */
export const serveNewView = viewHandler({ name: 'views.create', from: 'own pages' }, async ({ request, actor, environment }) =>
  addView(actor, environment, await parsed(request, newView)),
)

/** Renames, shares or replaces a view. */
export const serveViewChange = viewHandler({ name: 'views.update', from: 'own pages' }, async ({ request, actor, environment, id }) =>
  changeView(actor, environment, id, await parsed(request, viewChange)),
)

/** Removes a view. */
export const serveViewRemoval = viewHandler({ name: 'views.delete', from: 'own pages' }, async ({ actor, environment, id }) => {
  await removeView(actor, environment, id)
  return { id }
})
