import type { z } from 'zod'
import type { Call } from '@/sandbox/operation'
import { badRequest, unprocessable } from './problem'

const jsonTypes = /^(application\/json|text\/json|application\/[\w.+-]*\+json)\s*(;|$)/i

/**
 * Reads a JSON body by a schema. An empty body counts as `{}`, because the bodies so far are optional. A wrong Content-Type or broken
 * JSON is 400; a field that is missing, wrong or unknown is 422 with an item naming it.
 */
export function readJson<S extends z.ZodType>(schema: S, { body, contentType }: Call): z.infer<S> {
  if (body?.tooLarge) throw badRequest('The body is too large: a JSON body may have up to 1 MiB.')
  const text = body?.text ?? ''
  if (text !== '' && !jsonTypes.test(contentType)) {
    throw badRequest('The Content-Type must be application/json.', [{ reference: 'Content-Type', detail: 'must be application/json' }])
  }
  const parsed = schema.safeParse(parseText(text))
  if (parsed.success) return parsed.data
  const items = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ reference: key, detail: 'is not a field of this request' }))
      : [{ reference: issue.path.join('.') || 'body', detail: issue.message }],
  )
  throw unprocessable('One or more fields are not valid.', items)
}

function parseText(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON.', [{ reference: 'body', detail: 'is not valid JSON' }])
  }
}
