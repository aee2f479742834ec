import * as z from 'zod'
import { recordResources } from '@/lib/routes'

/** Lists whose views can be saved, by the resource that names their page: all there are. */
export const viewLists = ['payments', ...recordResources] as const

/** A name people can tell views by. */
const name = z.string('must be a text').trim().min(1, 'name the view').max(60, 'must be at most 60 characters')

/** The search of a URL: no scope and no page, which belong to whoever opens the view. */
const search = z
  .string('must be the search of a URL')
  .max(2000, 'the filters are too long to keep')
  .transform((value) => {
    const query = new URLSearchParams(value)
    for (const left of ['account', 'page', 'open']) query.delete(left)
    query.sort()
    return query.toString()
  })

/** The accounts whose people a view is shared with; null, as left out for a new one, are people who see as much as who shares it. */
const accounts = z
  .array(z.string().regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be acct_ and a UUID'), 'must be a list of accounts')
  .min(1, 'name at least one account, or leave it out')
  .max(100, 'must be at most 100 accounts')
  .refine((ids) => new Set(ids).size === ids.length, 'names an account twice')
  .nullable()
  .optional()

const isSharedForThem = (view: { shared?: boolean | undefined; accounts?: string[] | null | undefined }) =>
  !view.accounts || view.shared !== false

const unshared = { error: 'is for a shared view: share it, or leave it out', path: ['accounts'] }

/** A view as it is made. */
export const newView = z
  .strictObject({ list: z.enum(viewLists, 'is not a list with views'), name, search, shared: z.boolean().default(false), accounts })
  .refine(isSharedForThem, unshared)

/** What may be changed of a view. */
export const viewChange = z
  .strictObject({ name: name.optional(), search: search.optional(), shared: z.boolean().optional(), accounts })
  .refine(isSharedForThem, unshared)

/** The search of a URL as a view keeps it, so that the two can be compared. */
export const viewSearch = (value: string): string => search.parse(value)
