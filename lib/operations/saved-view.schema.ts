import * as z from 'zod'
import { listResources } from '@/lib/routes'
import { id } from './common.schema'
import { createOneLineTextSchema } from './input.schema'
import { type SavedView, unsavedUrlParams } from './saved-view'

export const listsWithViews = listResources

const viewListName = z.enum(listsWithViews, `Must be one of ${listsWithViews.join(', ')}.`)

const viewName = createOneLineTextSchema(60, 'Name the view.')

/** Account and page are removed, because they depend on the person who opens the view. */
const viewSearch = z
  .string('Must be the query of a URL.')
  .max(2000, 'The filters are too long to save.')
  .transform((value) => {
    const query = new URLSearchParams(value)
    for (const parameter of unsavedUrlParams) query.delete(parameter)
    query.sort()
    return query.toString()
  })

/**
 * Only people with access to all these accounts see the view. Null, or omitted for a new view,
 * means all accounts that its owner can see.
 */
const viewAccounts = z
  .array(
    z
      .string()
      .regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Must be acct_ and a UUID.'),
    'Must be a list of accounts.',
  )
  .min(1, 'Choose at least one account, or leave it out.')
  .max(100, 'Must be at most 100 accounts.')
  .refine((ids) => new Set(ids).size === ids.length, 'Choose each account once.')
  .nullable()
  .optional()

const isSharedIfAccountsGiven = (view: {
  shared?: boolean | undefined
  accounts?: string[] | null | undefined
}) => !view.accounts || view.shared !== false

const accountsWithoutSharingIssue = {
  error: 'Only a shared view has this: share the view, or leave it out.',
  path: ['accounts'],
}

export const newView = z
  .strictObject({
    list: viewListName,
    name: viewName,
    search: viewSearch,
    shared: z.boolean().default(false),
    accounts: viewAccounts,
  })
  .refine(isSharedIfAccountsGiven, accountsWithoutSharingIssue)

export const viewChange = z
  .strictObject({
    id,
    name: viewName.optional(),
    search: viewSearch.optional(),
    shared: z.boolean().optional(),
    accounts: viewAccounts,
  })
  .refine(isSharedIfAccountsGiven, accountsWithoutSharingIssue)

const savedView = z.custom<SavedView>()

export const viewSchemas = {
  'views.list': { input: z.strictObject({ list: viewListName }), output: z.custom<SavedView[]>() },
  'views.create': { input: newView, output: savedView },
  'views.update': { input: viewChange, output: savedView },
  'views.delete': { input: z.strictObject({ id }), output: z.custom<{ id: string }>() },
}
