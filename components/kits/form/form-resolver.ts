import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import * as z from 'zod'

/** The rules of a form: validation, and conversion of its values to an operation's input. */
export type FormRules<V> = {
  /** The operation's own input schema, so that browser and server validate alike. */
  schema: z.ZodType
  toInput: (values: V) => Record<string, unknown>
  /**
   * Returns errors by field that the schema cannot find, such as a wrong typed confirmation. They take precedence over the schema's errors.
   */
  check?: ((values: V) => Readonly<Record<string, string>>) | undefined
  /** Returns the field for an input name in an error. The default is the field of the same name. */
  fieldOf?: ((reference: string) => string) | undefined
}

/**
 * Returns a resolver that validates a form with its operation's schema. It converts the typed texts to the input and sets each error at its
 * field. The form keeps the typed texts; its input is built again when it is sent.
 */
export const formResolver = <V extends FieldValues>(rules: FormRules<V>): Resolver<V> => {
  const resolve: Resolver<V> = zodResolver(createFormSchema(rules), undefined, { mode: 'sync', raw: true })
  return async (...asked) => {
    const resolverResult = await resolve(...asked)
    for (const fault of Object.values(resolverResult.errors)) if (fault?.message === emptyMessagePlaceholder) fault.message = ''
    return resolverResult
  }
}

/** Placeholder for an empty message, which marks a field as invalid without a text. Zod would replace an empty message with its own. */
const emptyMessagePlaceholder = 'unsaid'

/**
 * Returns a schema whose first error of a field is the one to show: that of `check`, otherwise the last issue of the operation's schema,
 * which is the most specific.
 */
const createFormSchema = <V>({ schema, toInput, check, fieldOf = toSameName }: FormRules<V>) =>
  z.custom<V>().superRefine((values, context) => {
    for (const [name, message] of Object.entries(check?.(values) ?? {})) addFault(context, name, message || emptyMessagePlaceholder)
    for (const issue of schema.safeParse(toInput(values)).error?.issues.reverse() ?? [])
      addFault(context, fieldOf(getIssueField(issue)), issue.message)
  })

const toSameName = (reference: string) => reference

const addFault = (context: z.core.$RefinementCtx, name: string, message: string) =>
  context.addIssue({ code: 'custom', path: name.split('.'), message })

const getIssueField = (issue: z.core.$ZodIssue) => (issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : issue.path.join('.'))
