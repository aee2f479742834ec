import type { z } from 'zod'
import type { AccountPolicy } from '@/sandbox/http/api-keys'
import type { Effect } from '@/sandbox/http/journal'
import { notFound } from '@/sandbox/http/problem'
import type { DocTable, Entry } from '@/sandbox/store/doc-table'
import { type Call, type Operation, objectOperation, type Schemas, type Traits } from './operation'
import type { Sandbox } from './sandbox'

/** What the operations of one resource have in common. */
type Description<Target, Output extends z.ZodType> = {
  /** First part of ids and paths, such as `linked_bank_accounts`. */
  name: string
  account: AccountPolicy
  /** Name of the path's parameter; `id` by default. */
  parameter?: string
  output: Output
  /** Returns the object of a request's path. Throws a 404 if it does not exist or is not in the request's account. */
  find: (call: Call) => Target
  view: (target: Target, sandbox: Sandbox) => z.infer<Output>
  /** The journal's values for an object; `to` is its state. */
  journaled: (target: Target, sandbox: Sandbox) => Omit<Effect, 'from'>
}

/** An operation on one object. `tail` is the end of its path, `/` and the verb by default. */
type Verb = Pick<Traits, 'summary' | 'status' | 'only' | 'takesFile'> & { verb: string; method?: Traits['method']; tail?: string }

type Handle<Target, Query, Input, Result> = (target: Target, call: Call<z.infer<Query>, z.infer<Input>>) => Result

/** Makes the operations of a resource. */
export function resource<Target, Output extends z.ZodType>(description: Description<Target, Output>) {
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
    /** Finds the object of the path and does what `handle` says; a GET by default. */
    operation,
    get: (summary: string) => operation({ verb: 'get', tail: '', summary, output }, (target, { sandbox }) => view(target, sandbox)),
    /** Writes the change to the journal, unless `handle` returns undefined because nothing changed. */
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
    /** Writes the new object to the journal. */
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

/** Describes a resource in a table; `owner` is the account id for the journal. An object without a state counts as `created`. */
export const inTable = <Doc extends { id: string; status?: string }, Secret>(
  noun: string,
  table: (sandbox: Sandbox) => DocTable<Doc, Secret>,
  owner: (entry: Entry<Doc, Secret>, sandbox: Sandbox) => string,
) => ({
  find: ({ sandbox, params, account }: Call): Entry<Doc, Secret> => {
    const entry = table(sandbox).get(Object.values(params)[0] ?? '', account)
    if (!entry) throw notFound(noun)
    return entry
  },
  view: ({ doc }: Entry<Doc, Secret>) => doc,
  journaled: (entry: Entry<Doc, Secret>, sandbox: Sandbox) => ({
    ...{ target_id: entry.doc.id, account_id: owner(entry, sandbox), to: entry.doc.status ?? 'created' },
  }),
})
