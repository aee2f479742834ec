import 'server-only'
import type * as z from 'zod'

/** Variables whose empty value has a meaning. Any other empty variable counts as not set. */
const emptyAllowedVariableNames: ReadonlySet<string> = new Set(['SERVICE_ACCOUNT_PREFIX'])

export type Variables = Record<string, string | undefined>

/** Throws one Error with a line per wrong variable: its name and what it must be. */
export function parseVariables<S extends z.ZodType>(schema: S, variables: Variables): z.output<S> {
  const isDefinedVariable = ([name, value]: [string, string | undefined]) =>
    value !== undefined && (value !== '' || emptyAllowedVariableNames.has(name))
  const definedVariables = Object.fromEntries(Object.entries(variables).filter(isDefinedVariable))
  const parsed = schema.safeParse(definedVariables)
  if (parsed.success) return parsed.data
  const errorByVariable = new Map<string, string>()
  for (const { code, path, message } of parsed.error.issues) {
    // For a list variable, `path` also contains the index of the wrong entry.
    const variableName = String(path[0])
    // Report only the first issue of a variable, because the others follow from it.
    if (!errorByVariable.has(variableName))
      errorByVariable.set(
        variableName,
        code === 'invalid_type' && !Object.hasOwn(definedVariables, variableName)
          ? 'must be set'
          : message,
      )
  }
  throw new Error([...errorByVariable].map(([name, what]) => `${name}: ${what}`).join('\n'))
}
