import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import * as z from 'zod'

/** How what is typed in a form becomes what an operation takes. */
export type FormRules<V> = {
  /** The operation's own input schema: what the server checks is what the form checks. */
  schema: z.ZodType
  toInput: (values: V) => Record<string, unknown>
  /** Further faults, by field, which go before those of the schema: a typed confirmation, an amount that is none. */
  check?: ((values: V) => Readonly<Record<string, string>>) | undefined
  /** The field an error of the input belongs to; by default the one of the same name. */
  fieldOf?: ((reference: string) => string) | undefined
}

/**
 * Checks a form by the schema of its operation: texts as they are typed are made into the input, and what is wrong with that is named at the field it was
 * typed in. The form keeps its texts; its input is made from them when it is sent.
 */
export const formResolver = <V extends FieldValues>(rules: FormRules<V>): Resolver<V> => {
  const resolve: Resolver<V> = zodResolver(schemaOf(rules), undefined, { mode: 'sync', raw: true })
  return async (...asked) => {
    const resolved = await resolve(...asked)
    for (const fault of Object.values(resolved.errors)) if (fault?.message === unsaid) fault.message = ''
    return resolved
  }
}

/** Stands for an empty message, which says that a field is at fault and nothing more; the schema would write one of its own in its place. */
const unsaid = 'unsaid'

/** A field tells one fault, the first: the one of `check`, or else the last of the schema, which is the narrowest. */
const schemaOf = <V>({ schema, toInput, check, fieldOf = same }: FormRules<V>) =>
  z.custom<V>().superRefine((values, context) => {
    for (const [name, message] of Object.entries(check?.(values) ?? {})) fault(context, name, message || unsaid)
    for (const issue of schema.safeParse(toInput(values)).error?.issues.reverse() ?? [])
      fault(context, fieldOf(nameOf(issue)), issue.message)
  })

const same = (reference: string) => reference

const fault = (context: z.core.$RefinementCtx, name: string, message: string) =>
  context.addIssue({ code: 'custom', path: name.split('.'), message })

const nameOf = (issue: z.core.$ZodIssue) => (issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : issue.path.join('.'))
