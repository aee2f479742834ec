import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import * as z from 'zod'

/** The rules of a form: validation, and conversion of its values to an operation's input. */
export type FormRules<V> = {
  /** The operation's own input schema, so that browser and server validate alike. */
  schema: z.ZodType
  toInput: (values: V) => Record<string, unknown>
  /**
   * Returns the errors that the schema cannot find, by field name, such as a wrong typed
   * confirmation. They take precedence over the errors of the schema.
   */
  check?: ((values: V) => Readonly<Record<string, string>>) | undefined
  /**
   * Returns the form field for the name of an input field in an error. By default, both have the
   * same name.
   */
  fieldOf?: ((reference: string) => string) | undefined
}

/**
 * Returns a resolver that validates a form with the schema of its operation. It converts the typed
 * texts to the input of the operation, validates that, and sets each error at its field. The values
 * of the form stay the typed texts.
 */
export const formResolver = <V extends FieldValues>(rules: FormRules<V>): Resolver<V> => {
  const resolve: Resolver<V> = zodResolver(createFormSchema(rules), undefined, {
    mode: 'sync',
    raw: true,
  })
  return async (...asked) => {
    const resolverResult = await resolve(...asked)
    for (const fault of Object.values(resolverResult.errors))
      if (fault?.message === emptyMessagePlaceholder) fault.message = ''
    return resolverResult
  }
}

/**
 * Placeholder for an empty message, which marks a field as invalid without a text. Zod would
 * replace an empty message with its own.
 */
const emptyMessagePlaceholder = 'unsaid'

/**
 * Returns a schema for the values of a form. For each field, the form shows the first error: the
 * one from `check`, otherwise the last issue of the operation's schema. The issues are reversed,
 * because the last one is the most specific.
 */
const createFormSchema = <V>({ schema, toInput, check, fieldOf = toSameName }: FormRules<V>) =>
  z.custom<V>().superRefine((values, context) => {
    for (const [name, message] of Object.entries(check?.(values) ?? {}))
      addFieldError(context, name, message || emptyMessagePlaceholder)
    for (const issue of schema.safeParse(toInput(values)).error?.issues.reverse() ?? [])
      addFieldError(context, fieldOf(getIssueField(issue)), issue.message)
  })

const toSameName = (reference: string) => reference

const addFieldError = (context: z.core.$RefinementCtx, name: string, message: string) =>
  context.addIssue({ code: 'custom', path: name.split('.'), message })

const getIssueField = (issue: z.core.$ZodIssue) =>
  issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : issue.path.join('.')
