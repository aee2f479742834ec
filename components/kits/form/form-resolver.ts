import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import * as z from 'zod'

/** Rules that turn a form's values into an operation's input. */
export type FormRules<V> = {
  /** The operation's own input schema, so form and server validate alike. */
  schema: z.ZodType
  toInput: (values: V) => Record<string, unknown>
  /** Further errors by field, before those of the schema: a typed confirmation, an invalid amount. */
  check?: ((values: V) => Readonly<Record<string, string>>) | undefined
  /** Maps an input error to a field; by default the field of the same name. */
  fieldOf?: ((reference: string) => string) | undefined
}

/**
 * Validates a form with its operation's schema. The typed texts are converted to the input, and each error is shown at the field it was
 * typed in. The form keeps the texts; the input is built again when it is sent.
 */
export const formResolver = <V extends FieldValues>(rules: FormRules<V>): Resolver<V> => {
  const resolve: Resolver<V> = zodResolver(schemaOf(rules), undefined, { mode: 'sync', raw: true })
  return async (...asked) => {
    const resolved = await resolve(...asked)
    for (const fault of Object.values(resolved.errors)) if (fault?.message === unsaid) fault.message = ''
    return resolved
  }
}

/** Placeholder for an empty message, which marks a field as invalid without text. Zod would replace an empty message with its own. */
const unsaid = 'unsaid'

/** A field shows one error, the first: that of `check`, else the schema's last issue, which is the narrowest. */
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
