import * as z from 'zod'
import { listResources } from '@/lib/routes'
import { id } from './common.schema'
import { requiredLine } from './input.schema'
import { excludedParams, type SavedView } from './saved-view'

/** Resources of the lists whose views can be saved: all. */
export const viewLists = listResources

const viewList = z.enum(viewLists, `Must be one of ${viewLists.join(', ')}.`)

const name = requiredLine(60, 'Name the view.')

/** The query of a URL. Account and page are removed, because they depend on the person who opens the view. */
const search = z
  .string('Must be the query of a URL.')
  .max(2000, 'The filters are too long to save.')
  .transform((value) => {
    const query = new URLSearchParams(value)
    for (const parameter of excludedParams) query.delete(parameter)
    query.sort()
    return query.toString()
  })

/**
 * The accounts of a shared view: people with access to all of them see the view. Null, or no value in a new view, means all accounts that
 * its owner sees.
 */
const accounts = z
  .array(z.string().regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Must be acct_ and a UUID.'), 'Must be a list of accounts.')
  .min(1, 'Choose at least one account, or leave it out.')
  .max(100, 'Must be at most 100 accounts.')
  .refine((ids) => new Set(ids).size === ids.length, 'Choose each account once.')
  .nullable()
  .optional()

const isSharedIfLimited = (view: { shared?: boolean | undefined; accounts?: string[] | null | undefined }) =>
  !view.accounts || view.shared !== false

const unsharedIssue = { error: 'Only a shared view has this: share the view, or leave it out.', path: ['accounts'] }

export const newView = z
  .strictObject({ list: viewList, name, search, shared: z.boolean().default(false), accounts })
  .refine(isSharedIfLimited, unsharedIssue)

export const viewChange = z
  .strictObject({ id, name: name.optional(), search: search.optional(), shared: z.boolean().optional(), accounts })
  .refine(isSharedIfLimited, unsharedIssue)

const view = z.custom<SavedView>()

export const viewSchemas = {
  'views.list': { input: z.strictObject({ list: viewList }), output: z.custom<SavedView[]>() },
  'views.create': { input: newView, output: view },
  'views.update': { input: viewChange, output: view },
  'views.delete': { input: z.strictObject({ id }), output: z.custom<{ id: string }>() },
}
