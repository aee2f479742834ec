import { z } from 'zod'
import { badRequest } from './problem'
import { maxPageSize } from './wire-answer'

/** A whole number in a query. */
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number)

/** `true` or `false`. */
export const yesNo = z.enum(['true', 'false'], 'must be true or false').transform((word) => word === 'true')

/** A date, `YYYY-MM-DD`. */
export const day = z.iso.date('must be a date, YYYY-MM-DD')

/** A date or date-time; without a zone it is taken as UTC. Gives milliseconds. */
export const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/, 'must be an ISO 8601 date-time')
  .transform((text) => Date.parse(/[Zz]$|[+-]\d{2}:\d{2}$/.test(text) || text.length === 10 ? text : `${text}Z`))
  .refine((at) => !Number.isNaN(at), 'must be an ISO 8601 date-time')

/** Page and order, common to all lists: 100 a page unless asked, 1000 at most. `default_*` are the server's own and ignored. */
export const paging = <const K extends readonly [string, ...string[]]>(sortKeys: K) => ({
  page_number: wholeNumber.pipe(z.number().min(1, 'must be 1 or more')).default(1),
  page_size: wholeNumber.pipe(z.number().min(1, 'must be 1 or more').max(maxPageSize, `must be at most ${maxPageSize}`)).default(100),
  sort_by: z.enum(sortKeys, `must be one of ${sortKeys.join(', ')}`).optional(),
  sort_order: z.enum(['asc', 'desc'], 'must be asc or desc').default('asc'),
  default_page_size: z.string().optional(),
  default_sort: z.string().optional(),
  default_sort_order: z.string().optional(),
})

/** A filter that may be given several times, or once with commas between the values: both forms are in use. */
export const listOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.array(z.enum(values, `must be one of ${values.join(', ')}`)).optional()

function gather(params: URLSearchParams, lists: readonly string[]): Record<string, string | string[]> {
  const gathered: Record<string, string | string[]> = {}
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name).filter((value) => value !== '')
    if (lists.includes(name)) gathered[name] = values.flatMap((value) => value.split(',').map((part) => part.trim()))
    else if (values.length > 1) throw badRequest(`${name} was given more than once.`, [{ reference: name, detail: 'give it once' }])
    else if (values[0] !== undefined) gathered[name] = values[0]
  }
  return gathered
}

const isList = (type: unknown): boolean => type instanceof z.ZodOptional && type.unwrap() instanceof z.ZodArray

/**
 * Reads a query by a strict schema. A parameter without a value counts as absent; one that is unknown, malformed or repeated is a
 * 400 naming it, since a filter that is silently dropped would show everything.
 */
export function readQuery<S extends z.ZodObject>(schema: S, params: URLSearchParams): z.infer<S> {
  const lists = Object.keys(schema.shape).filter((name) => isList(schema.shape[name]))
  const parsed = schema.safeParse(gather(params, lists))
  if (parsed.success) return parsed.data
  const items = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ reference: key, detail: 'is not a parameter of this operation' }))
      : [{ reference: String(issue.path[0] ?? ''), detail: issue.message }],
  )
  throw badRequest(items.map((item) => `${item.reference} ${item.detail}`).join('; '), items)
}
