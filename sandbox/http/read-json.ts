import type { z } from 'zod'
import { badRequest, Problem, unprocessable } from './problem'
import type { RawBody } from './read-body'

const jsonTypes = /^(application\/json|text\/json|application\/[\w.+-]*\+json)\s*(;|$)/i

/**
 * Parses a JSON body by a schema. An empty body counts as `{}` if every field is optional, otherwise it is a 400. A wrong Content-Type or
 * broken JSON is a 400; a missing, invalid or unknown field is a 422 with its name.
 */
export function readJson<S extends z.ZodType>(schema: S, body: RawBody | undefined, contentType: string): z.infer<S> {
  if (body?.tooLarge) throw badRequest('The body is too large: a JSON body may have up to 1 MiB.')
  if (body?.unreadable !== undefined) throw badRequest(`The body ${body.unreadable}.`, [{ reference: 'body', detail: body.unreadable }])
  const text = body?.text ?? ''
  if (text !== '' && !jsonTypes.test(contentType)) {
    throw badRequest('The Content-Type must be application/json.', [{ reference: 'Content-Type', detail: 'must be application/json' }])
  }
  const parsed = schema.safeParse(parseText(text))
  if (parsed.success) return parsed.data
  if (text.trim() === '') throw badRequest('The body is empty: send the fields as JSON.', [{ reference: 'body', detail: 'is required' }])
  throw unprocessable('One or more fields are not valid.', parsed.error.issues.flatMap(itemsOf))
}

function itemsOf(issue: z.core.$ZodIssue): { reference: string; detail: string }[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ reference: [...issue.path, key].join('.'), detail: 'is not a field of this request' }))
  }
  // The schema of a whole body has no error text of its own.
  if (issue.code === 'invalid_type' && issue.path.length === 0) return [{ reference: 'body', detail: 'must be a JSON object' }]
  return [{ reference: issue.path.join('.') || 'body', detail: issue.message }]
}

function parseText(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    // Reject `__proto__`: copying an object drops such a key silently.
    return JSON.parse(text, (key, value) => {
      if (key === '__proto__')
        throw badRequest('__proto__ is not taken as a name.', [{ reference: '__proto__', detail: 'choose another name' }])
      return value
    })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw badRequest('The body is not valid JSON.', [{ reference: 'body', detail: 'is not valid JSON' }])
  }
}
