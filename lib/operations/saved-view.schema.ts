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

/** A view as it is made. */
export const newView = z.strictObject({
  list: z.enum(viewLists, 'is not a list with views'),
  name,
  search,
  shared: z.boolean().default(false),
})

/** What may be changed of a view. */
export const viewChange = z.strictObject({ name: name.optional(), search: search.optional(), shared: z.boolean().optional() })

/** The search of a URL as a view keeps it, so that the two can be compared. */
export const viewSearch = (value: string): string => search.parse(value)
