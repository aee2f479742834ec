import type { z } from 'zod'
import type { AccountPolicy } from '@/sandbox/http/api-keys'
import type { Effect } from '@/sandbox/http/journal'
import { requireFound } from '@/sandbox/http/problem'
import type { ColumnCondition, DocTable, Entry } from '@/sandbox/store/doc-table'
import {
  type Call,
  type List,
  type Operation,
  objectOperation,
  pagedList,
  type Schemas,
  type SearchableQuery,
  type Traits,
} from './operation'
import type { Sandbox } from './sandbox'

/** The common parts of a resource's operations. */
type Description<Target, Output extends z.ZodType> = {
  /** First part of ids and paths, such as `linked_bank_accounts`. */
  name: string
  account: AccountPolicy
  /** Name of the id's parameter in the path; `id` by default. */
  parameter?: string
  output: Output
  /** Returns the object that the path names. Throws a 404 if it does not exist or is outside the request's account. */
  find: (call: Call) => Target
  view: (target: Target, sandbox: Sandbox) => z.infer<Output>
  /** Returns an object's values for the journal; `to` is its status. */
  journaled: (target: Target, sandbox: Sandbox) => Omit<Effect, 'from'>
}

/** An operation on one object. `tail` is the end of its path: by default `/` and the verb. */
type Verb = Pick<Traits, 'summary' | 'status' | 'only' | 'takesFile'> & { verb: string; method?: Traits['method']; tail?: string }

type Handle<Target, Query, Input, Result> = (target: Target, call: Call<z.infer<Query>, z.infer<Input>>) => Result

export function defineResource<Target, Output extends z.ZodType>(description: Description<Target, Output>) {
  const { name, account, parameter = 'id', output, find, view, journaled } = description
  const operation = <Query extends z.ZodObject, Input extends z.ZodType, Other extends z.ZodType>(
    { verb, tail = `/${verb}`, ...spec }: Verb & Schemas<Query, Input, Other>,
    handle: Handle<Target, Query, Input, z.infer<Other>>,
  ): Operation =>
    objectOperation({
      ...{ id: `${name}.${verb}`, method: 'GET', path: `/v1/${name}/:${parameter}${tail}`, account, ...spec },
      handle: (call: Call<z.infer<Query>, z.infer<Input>>) => handle(find(call), call),
    })
  return {
    ...description,
    /** Defines an operation on the object that the path names. The method is GET by default. */
    operation,
    get: (summary: string) => operation({ verb: 'get', tail: '', summary, output }, (target, { sandbox }) => view(target, sandbox)),
    /**
     * Defines an operation that changes the object. `handle` returns the changed object, which is written to the journal, or undefined if
     * nothing changed.
     */
    change: <Query extends z.ZodObject, Input extends z.ZodType>(
      spec: Verb & Omit<Schemas<Query, Input, Output>, 'output'>,
      handle: Handle<Target, Query, Input, Target | undefined>,
    ) =>
      operation<Query, Input, Output>({ ...spec, output }, (target, call) => {
        const { to: from } = journaled(target, call.sandbox)
        const changed = handle(target, call)
        if (changed) call.effect({ ...journaled(changed, call.sandbox), from })
        return view(changed ?? target, call.sandbox)
      }),
    /** Defines the operation that creates an object, and writes the new object to the journal. */
    create: <Input extends z.ZodType>(
      spec: Pick<Traits, 'summary'> & { account?: AccountPolicy; input: Input },
      handle: (call: Call<unknown, z.infer<Input>>) => Target,
    ): Operation =>
      objectOperation({
        ...{ id: `${name}.create`, method: 'POST', path: `/v1/${name}`, account, status: 201, output, ...spec },
        handle: (call) => {
          const target = handle(call)
          call.effect({ ...journaled(target, call.sandbox), from: '' })
          return view(target, call.sandbox)
        },
      }),
  }
}

type TableDescription<Doc extends { id: string }, Secret> = Pick<
  Description<unknown, z.ZodType<Doc>>,
  'name' | 'account' | 'parameter' | 'output'
> & {
  noun: string
  table: (sandbox: Sandbox) => DocTable<Doc, Secret>
  owner: (entry: Entry<Doc, Secret>, sandbox: Sandbox) => string
}

/** Returns the operations of a resource that is stored in a table. The journal uses `created` for an object without a status. */
export function tableResource<Doc extends { id: string; status?: string }, Secret>(description: TableDescription<Doc, Secret>) {
  const { name, account, parameter = 'id', noun, table, owner } = description
  return {
    ...defineResource<Entry<Doc, Secret>, z.ZodType<Doc>>({
      ...description,
      find: ({ sandbox, params, account: scope }) => requireFound(table(sandbox).get(params[parameter] ?? '', scope), noun),
      view: ({ doc }) => doc,
      journaled: (entry, sandbox) => {
        const { id, status = 'created' } = entry.doc
        return { target_id: id, account_id: owner(entry, sandbox), to: status }
      },
    }),
    /**
     * Defines the list operation. It returns the rows of the request's account that match `where` and the text search. `item` converts a
     * row to a list item.
     */
    list: <Query extends z.ZodObject, Output extends z.ZodType>(
      spec: Omit<List<Query, Output>, 'id' | 'path' | 'account'>,
      where: (query: z.infer<Query>, sandbox: Sandbox) => ColumnCondition[],
      item: (doc: Doc) => z.infer<Output>,
    ) =>
      pagedList<Query, Output>({ id: `${name}.list`, path: `/v1/${name}`, account, ...spec }, (call, page) => {
        const { search_text } = call.query as SearchableQuery
        const pageFilter = { where: where(call.query, call.sandbox), account: call.account, search: search_text }
        const { total, entries } = table(call.sandbox).page({ ...page, ...pageFilter })
        return { total, items: entries.map(({ doc }) => item(doc)) }
      }),
  }
}
