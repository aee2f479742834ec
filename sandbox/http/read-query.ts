import { z } from 'zod'
import { makeBadRequestProblem, makeMalformedProblem } from './problem'
import { type ListResult, maxPageSize } from './send-response'

/**
 * A query value is a text, which this schema converts. Without `meta`, the OpenAPI document would
 * describe the text instead of the converted type. The schemas below have a `meta` for the same
 * reason.
 */
export const wholeNumberParameter = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .meta({ type: 'integer', pattern: undefined })

export const booleanParameter = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((word) => word === 'true')
  .meta({ type: 'boolean', enum: undefined })

export const searchTextParameter = z.string().max(200, 'must be at most 200 characters').optional()

export const dayParameter = z.iso.date('must be a date, YYYY-MM-DD')

/** A date or time in a query, parsed to milliseconds. A time without a zone is UTC. */
export const dateTimeParameter = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/, {
    error: 'must be an ISO 8601 date-time',
    // Skip the checks below after this error, so that a value has only one error.
    abort: true,
  })
  // Check the day separately: Date.parse accepts February 30 and returns March 2.
  .refine(
    (text) => dayParameter.safeParse(text.slice(0, 10)).success,
    'must be a day of the calendar',
  )
  .transform((text) =>
    Date.parse(/[Zz]$|[+-]\d{2}:\d{2}$/.test(text) || text.length === 10 ? text : `${text}Z`),
  )
  .refine((at) => !Number.isNaN(at), 'must be an ISO 8601 date-time')
  .meta({
    description: 'ISO 8601 date or date-time; without a zone it is taken as UTC.',
    pattern: undefined,
  })

const ignoredParameter = z
  .string()
  .optional()
  .meta({ description: 'Accepted and ignored.', deprecated: true })

/** Query parameters of a paged list. The `default_*` parameters are accepted but have no effect. */
export const makePagingParameters = <const K extends readonly [string, ...string[]]>(
  sortKeys: K,
) => ({
  page_number: wholeNumberParameter
    .pipe(z.number().min(1, 'must be 1 or more'))
    .default(1)
    .meta({ minimum: 1, default: 1, description: 'From 1.' }),
  page_size: wholeNumberParameter
    .pipe(z.number().min(1, 'must be 1 or more').max(maxPageSize, `must be at most ${maxPageSize}`))
    .default(100)
    .meta({ minimum: 1, maximum: maxPageSize, default: 100, description: 'How many on a page.' }),
  sort_by: z.enum(sortKeys, `must be one of ${sortKeys.join(', ')}`).optional(),
  sort_order: z.enum(['asc', 'desc'], 'must be asc or desc').default('asc'),
  default_page_size: ignoredParameter,
  default_sort: ignoredParameter,
  default_sort_order: ignoredParameter,
})

/**
 * A query parameter with several values. Clients may repeat the parameter or separate its values by
 * commas.
 */
export const makeEnumListSchema = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.array(z.enum(values, `must be one of ${values.join(', ')}`)).optional()

const unknownParameterDetail = 'is not a parameter of this operation'

const makeUnknownParameterError = (name: string) =>
  makeMalformedProblem(`${name} ${unknownParameterDetail}.`, name, unknownParameterDetail)

function readParameterValues(params: URLSearchParams, name: string): string[] {
  if (name === '__proto__') throw makeUnknownParameterError(name)
  const values = params.getAll(name).filter((value) => value !== '')
  // Reject NUL: SQLite ends a search pattern there, so the filter would match too much.
  if (values.some((value) => value.includes('\0'))) {
    throw makeMalformedProblem(`${name} must not contain a NUL.`, name, 'must not contain a NUL')
  }
  return values
}

function collectParameterValues(
  params: URLSearchParams,
  listNames: readonly string[],
): Record<string, string | string[]> {
  const gatheredValues: Record<string, string | string[]> = {}
  for (const name of new Set(params.keys())) {
    const parameterValues = readParameterValues(params, name)
    if (listNames.includes(name))
      gatheredValues[name] = parameterValues.flatMap((value) =>
        value.split(',').map((part) => part.trim()),
      )
    else if (parameterValues.length > 1)
      throw makeMalformedProblem(`${name} was given more than once.`, name, 'give it once')
    else if (parameterValues[0] !== undefined) gatheredValues[name] = parameterValues[0]
  }
  return gatheredValues
}

const isListSchema = (type: unknown): boolean =>
  type instanceof z.ZodOptional && type.unwrap() instanceof z.ZodArray

/**
 * Parses the query. A parameter without a value counts as missing. Throws a 400 that names each
 * wrong parameter, because a silently ignored filter would return all rows.
 */
export function readQuery<S extends z.ZodObject>(schema: S, params: URLSearchParams): z.infer<S> {
  const listParameterNames = Object.keys(schema.shape).filter((name) =>
    isListSchema(schema.shape[name]),
  )
  const parsed = schema.safeParse(collectParameterValues(params, listParameterNames))
  if (parsed.success) return parsed.data
  const problemItems = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ reference: key, detail: unknownParameterDetail }))
      : [{ reference: String(issue.path[0] ?? ''), detail: issue.message }],
  )
  throw makeBadRequestProblem(
    problemItems.map((item) => `${item.reference} ${item.detail}`).join('; '),
    problemItems,
  )
}

export type PagingQuery = {
  page_number: number
  page_size: number
  sort_by?: string | undefined
  sort_order: 'asc' | 'desc'
}

export const toRequestedPage = (query: PagingQuery, defaultSort: string) => ({
  sort: query.sort_by ?? defaultSort,
  order: query.sort_order,
  offset: (query.page_number - 1) * query.page_size,
  limit: query.page_size,
})

export const toListResult = <Item>(
  query: PagingQuery,
  defaultSort: string,
  total: number,
  items: Item[],
): ListResult<Item> => ({
  ...{ items, total, page: query.page_number, size: query.page_size },
  ...{ sortBy: query.sort_by ?? defaultSort, sortOrder: query.sort_order },
})
