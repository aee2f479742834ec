import type { z } from 'zod'
import type { AccountHeaderPolicy } from '@/sandbox/http/api-keys'
import type { JournalEffect } from '@/sandbox/http/journal'
import { requireFound } from '@/sandbox/http/problem'
import type { ColumnCondition, DocTable, TableEntry } from '@/sandbox/store/doc-table'
import {
  defineObjectOperation,
  definePagedList,
  type Operation,
  type OperationCall,
  type OperationTraits,
  type PagedListSpec,
  type SandboxOperationSchemas,
  type SearchableQuery,
} from './operation'
import type { Sandbox } from './sandbox'

type ResourceDescription<Target, Output extends z.ZodType> = {
  /** Name of the resource in operation ids and paths, such as `linked_bank_accounts`. */
  name: string
  account: AccountHeaderPolicy
  /** Name of the path parameter that contains the object's id; `id` by default. */
  parameter?: string
  output: Output
  /** Throws a 404 if the object does not exist or is outside the request's account. */
  find: (call: OperationCall) => Target
  view: (target: Target, sandbox: Sandbox) => z.infer<Output>
  /** Returns the values of an object for its journal row; `to` is the object's status. */
  journaled: (target: Target, sandbox: Sandbox) => Omit<JournalEffect, 'from'>
}

/** `tail` is the end of the operation's path. By default it is `/` and the verb. */
type ObjectOperationSpec = Pick<
  OperationTraits,
  'summary' | 'status' | 'only' | 'takesFile' | 'needsPlatform'
> & {
  verb: string
  /** The policy of the resource by default. */
  account?: AccountHeaderPolicy
  method?: OperationTraits['method']
  tail?: string
}

type OperationHandler<Target, Query, Input, Result> = (
  target: Target,
  call: OperationCall<z.infer<Query>, z.infer<Input>>,
) => Result

export function defineResource<Target, Output extends z.ZodType>(
  description: ResourceDescription<Target, Output>,
) {
  const { name, account, parameter = 'id', output, find, view, journaled } = description
  const defineOperation = <
    Query extends z.ZodObject,
    Input extends z.ZodType,
    Other extends z.ZodType,
  >(
    {
      verb,
      tail = `/${verb}`,
      ...spec
    }: ObjectOperationSpec & SandboxOperationSchemas<Query, Input, Other>,
    handle: OperationHandler<Target, Query, Input, z.infer<Other>>,
  ): Operation =>
    defineObjectOperation({
      ...{
        id: `${name}.${verb}`,
        method: 'GET',
        path: `/v1/${name}/:${parameter}${tail}`,
        account,
        ...spec,
      },
      handle: (call: OperationCall<z.infer<Query>, z.infer<Input>>) => handle(find(call), call),
    })
  return {
    ...description,
    /** Defines an operation on one object. Its method is GET by default. */
    operation: defineOperation,
    get: (summary: string) =>
      defineOperation({ verb: 'get', tail: '', summary, output }, (target, { sandbox }) =>
        view(target, sandbox),
      ),
    /**
     * Defines an operation that changes an object. `handle` returns the changed object for the
     * journal, or undefined if nothing changed.
     */
    change: <Query extends z.ZodObject, Input extends z.ZodType>(
      spec: ObjectOperationSpec & Omit<SandboxOperationSchemas<Query, Input, Output>, 'output'>,
      handle: OperationHandler<Target, Query, Input, Target | undefined>,
    ) =>
      defineOperation<Query, Input, Output>({ ...spec, output }, (target, call) => {
        const { to: from } = journaled(target, call.sandbox)
        const changedTarget = handle(target, call)
        if (changedTarget) call.effect({ ...journaled(changedTarget, call.sandbox), from })
        return view(changedTarget ?? target, call.sandbox)
      }),
    create: <Input extends z.ZodType>(
      spec: Pick<OperationTraits, 'summary' | 'needsPlatform'> & {
        account?: AccountHeaderPolicy
        input: Input
      },
      handle: (call: OperationCall<unknown, z.infer<Input>>) => Target,
    ): Operation =>
      defineObjectOperation({
        ...{
          id: `${name}.create`,
          method: 'POST',
          path: `/v1/${name}`,
          account,
          status: 201,
          output,
          ...spec,
        },
        handle: (call) => {
          const createdTarget = handle(call)
          call.effect({ ...journaled(createdTarget, call.sandbox), from: '' })
          return view(createdTarget, call.sandbox)
        },
      }),
  }
}

type TableResourceDescription<Doc extends { id: string }, Secret> = Pick<
  ResourceDescription<unknown, z.ZodType<Doc>>,
  'name' | 'account' | 'parameter' | 'output'
> & {
  noun: string
  table: (sandbox: Sandbox) => DocTable<Doc, Secret>
  /** Returns the id of the object's account; null if the platform owns the object. */
  owner: (entry: TableEntry<Doc, Secret>, sandbox: Sandbox) => string | null
}

/**
 * Defines a resource whose objects are rows of a table. In the journal, an object without a status
 * has the status `created`.
 */
export function defineTableResource<Doc extends { id: string; status?: string }, Secret>(
  description: TableResourceDescription<Doc, Secret>,
) {
  const { name, account, parameter = 'id', noun, table, owner } = description
  return {
    ...defineResource<TableEntry<Doc, Secret>, z.ZodType<Doc>>({
      ...description,
      find: ({ sandbox, params, account: scope }) =>
        requireFound(table(sandbox).get(params[parameter] ?? '', scope), noun),
      view: ({ doc }) => doc,
      journaled: (entry, sandbox) => {
        const { id, status = 'created' } = entry.doc
        return { target_id: id, account_id: owner(entry, sandbox), to: status }
      },
    }),
    /** Lists rows of the request's account that match `where` and the text search. */
    list: <Query extends z.ZodObject, Output extends z.ZodType>(
      spec: Omit<PagedListSpec<Query, Output>, 'id' | 'path' | 'account'>,
      where: (query: z.infer<Query>, sandbox: Sandbox) => ColumnCondition[],
      item: (doc: Doc) => z.infer<Output>,
    ) =>
      definePagedList<Query, Output>(
        { id: `${name}.list`, path: `/v1/${name}`, account, ...spec },
        (call, page) => {
          const { search_text } = call.query as SearchableQuery
          const pageFilter = {
            where: where(call.query, call.sandbox),
            account: call.account,
            search: search_text,
          }
          const { total, entries } = table(call.sandbox).page({ ...page, ...pageFilter })
          return { total, items: entries.map(({ doc }) => item(doc)) }
        },
      ),
  }
}
