import 'server-only'
import type * as z from 'zod'

/** Variables that may be empty. Any other empty variable counts as not set. */
const meaningfulWhenEmpty: ReadonlySet<string> = new Set(['SERVICE_ACCOUNT_PREFIX'])

export type Variables = Record<string, string | undefined>

/** Parses variables by a schema. Throws one Error with a line per variable and its requirement. */
export function parse<S extends z.ZodType>(schema: S, variables: Variables): z.output<S> {
  const isGiven = ([name, value]: [string, string | undefined]) => value !== undefined && (value !== '' || meaningfulWhenEmpty.has(name))
  const definedVariables = Object.fromEntries(Object.entries(variables).filter(isGiven))
  const parsed = schema.safeParse(definedVariables)
  if (parsed.success) return parsed.data
  const wrong = new Map<string, string>()
  for (const { code, path, message } of parsed.error.issues) {
    // For a list, names the variable, not the index.
    const name = String(path[0])
    // The first issue of a variable is the clearest; later ones only follow from it.
    if (!wrong.has(name)) wrong.set(name, code === 'invalid_type' && !Object.hasOwn(definedVariables, name) ? 'must be set' : message)
  }
  throw new Error([...wrong].map(([name, what]) => `${name}: ${what}`).join('\n'))
}
