import 'server-only'
import type * as z from 'zod'

/** The variables whose empty value is a value; every other one that is empty counts as not set. */
const meaningfulWhenEmpty: ReadonlySet<string> = new Set(['SERVICE_ACCOUNT_PREFIX'])

export type Variables = Record<string, string | undefined>

/** Parses variables by a shape. Throws one Error whose lines each name a variable and what it must be. */
export function parse<S extends z.ZodType>(schema: S, variables: Variables): z.output<S> {
  const isGiven = ([name, value]: [string, string | undefined]) => value !== undefined && (value !== '' || meaningfulWhenEmpty.has(name))
  const given = Object.fromEntries(Object.entries(variables).filter(isGiven))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = new Map<string, string>()
  for (const { code, path, message } of parsed.error.issues) {
    // Of a list the variable is named, not the place in it.
    const name = String(path[0])
    // The first complaint about a variable is the plainest; those that follow from it would only hide it.
    if (!wrong.has(name)) wrong.set(name, code === 'invalid_type' && !Object.hasOwn(given, name) ? 'must be set' : message)
  }
  throw new Error([...wrong].map(([name, what]) => `${name}: ${what}`).join('\n'))
}
