import type { z } from 'zod'
import { type Paged, pageOf, pageRequested } from '@/sandbox/http/read-query'
import type { DocTable, Where } from '@/sandbox/store/doc-table'
import { type Call, listOperation, type Operation, type Traits } from './operation'
import type { Sandbox } from './sandbox'

type Searched = Paged & { search_text?: string | undefined }

type List<Query extends z.ZodObject, Output extends z.ZodType> = Pick<Traits, 'id' | 'path' | 'summary' | 'account'> & {
  query: Query & z.ZodType<Searched>
  output: Output
  /** Default order; `id` unless given. */
  sort?: string
}

/** Defines a list; `rows` returns a page of it and the number of all matches. */
export const pagedList = <Query extends z.ZodObject, Output extends z.ZodType>(
  { sort = 'id', ...spec }: List<Query, Output>,
  rows: (call: Call<z.infer<Query>>, page: ReturnType<typeof pageRequested>) => { total: number; items: z.infer<Output>[] },
): Operation =>
  listOperation({
    ...spec,
    method: 'GET',
    handle: (call: Call<z.infer<Query>>) => {
      const query = call.query as Searched
      const { total, items } = rows(call, pageRequested(query, sort))
      return pageOf(query, sort, total, items)
    },
  })

/** Defines the list of a table's rows: those of the request's account that match `where` and the free search. */
export const tableList = <Query extends z.ZodObject, Output extends z.ZodType, Doc extends { id: string }, Secret>(
  spec: List<Query, Output>,
  table: (sandbox: Sandbox) => DocTable<Doc, Secret>,
  where: (query: z.infer<Query>, sandbox: Sandbox) => Where[],
  item: (doc: Doc) => z.infer<Output>,
): Operation =>
  pagedList(spec, ({ sandbox, query, account }, page) => {
    const { search_text } = query as Searched
    const { total, entries } = table(sandbox).page({ ...page, account, where: where(query, sandbox), search: search_text })
    return { total, items: entries.map(({ doc }) => item(doc)) }
  })
