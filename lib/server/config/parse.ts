import 'server-only'
import type * as z from 'zod'

/** Variables whose empty value has a meaning. Any other empty variable counts as not set. */
const allowedEmptyNames: ReadonlySet<string> = new Set(['SERVICE_ACCOUNT_PREFIX'])

export type Variables = Record<string, string | undefined>

/**
 * Parses variables by a schema. Throws one Error with a line per wrong variable: its name and what
 * it must be.
 */
export function parseVariables<S extends z.ZodType>(schema: S, variables: Variables): z.output<S> {
  const isGiven = ([name, value]: [string, string | undefined]) =>
    value !== undefined && (value !== '' || allowedEmptyNames.has(name))
  const definedVariables = Object.fromEntries(Object.entries(variables).filter(isGiven))
  const parsed = schema.safeParse(definedVariables)
  if (parsed.success) return parsed.data
  const errorByVariable = new Map<string, string>()
  for (const { code, path, message } of parsed.error.issues) {
    // The first part of the path is the name of the variable. For a list, an index follows.
    const name = String(path[0])
    // Report only the first issue of a variable, because the others follow from it.
    if (!errorByVariable.has(name))
      errorByVariable.set(
        name,
        code === 'invalid_type' && !Object.hasOwn(definedVariables, name) ? 'must be set' : message,
      )
  }
  throw new Error([...errorByVariable].map(([name, what]) => `${name}: ${what}`).join('\n'))
}
