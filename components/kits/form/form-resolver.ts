import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import * as z from 'zod'

export type FormRules<V> = {
  /** The operation's own input schema, so that browser and server validate alike. */
  schema: z.ZodType
  toInput: (values: V) => Record<string, unknown>
  /** Finds errors that the schema cannot. They take precedence over the schema's own errors. */
  check?: ((values: V) => Readonly<Record<string, string>>) | undefined
  /** Returns the form field for an input field in an error. By default, the names are equal. */
  fieldOf?: ((reference: string) => string) | undefined
}

/** Validates the converted input with the operation's schema; the form keeps the typed texts. */
export const createFormResolver = <V extends FieldValues>(rules: FormRules<V>): Resolver<V> => {
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

/** Marks a field as invalid without a text: Zod replaces an empty message with its own. */
const emptyMessagePlaceholder = 'unsaid'

/**
 * The form shows the first error of a field: the one from `check`, otherwise the schema's last
 * issue, which is the most specific. The issues are therefore reversed.
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
