import * as z from 'zod'

type Words = readonly [string, ...string[]]

const split = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(',')).filter((part) => part !== ''))

/** Lists in a URL: repeated keys or comma-joined, both accepted. For open words. */
export const someWords = split.pipe(z.array(z.string().regex(/^[\w-]{1,60}$/, 'must be plain words')).max(30)).optional()

/** One word of a known set; the message lists them. */
export const oneOf = <const V extends Words>(values: V) => z.enum(values, `must be one of ${values.join(', ')}`)

/** Several words of a known set, in either form a URL may hold. */
export const someOf = <const V extends Words>(values: V) => split.pipe(z.array(oneOf(values)).max(30, 'name at most 30')).optional()

/** A bound of amounts in cents. */
export const centsBound = z.coerce
  .number('must be a whole number of cents')
  .int('must be a whole number of cents')
  .min(0, 'must be 0 or more')
  .max(2_147_483_647, 'must be at most 2147483647')
  .optional()

/** A calendar date, never shifted. */
export const dayBound = z.iso.date('must be a date like 2026-03-31').optional()

/** A point in time. */
export const timeBound = z.iso.datetime({ offset: true, error: 'must be a time like 2026-03-31T14:05:00Z' }).optional()

/** `true` or `false`, as a URL writes it. */
export const yesNo = z
  .union([z.boolean(), z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')])
  .optional()

/** A short text to look for. */
export const shortText = z.string('must be text').trim().max(100, 'must be at most 100 characters').optional()

/** Page and order of a list: 50 a page unless asked, 1000 at most (provider facts 5), sorted by `usual` unless asked. */
export const paging = <const V extends Words>(sortKeys: V, usual: V[number], order: 'asc' | 'desc' = 'desc') => ({
  page_number: z.coerce.number('must be a page number').int('must be a page number').min(1, 'begins at 1').max(1_000_000).default(1),
  page_size: z.coerce
    .number('must be a number from 1 to 1000')
    .int('must be a number from 1 to 1000')
    .min(1, 'must be a number from 1 to 1000')
    .max(1000, 'must be at most 1000')
    .default(50),
  sort_by: oneOf(sortKeys).prefault(usual),
  sort_order: oneOf(['asc', 'desc']).default(order),
})
