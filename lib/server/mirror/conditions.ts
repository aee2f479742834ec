import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** SQL conditions that must all be true. A filter that is not set adds no condition. */
export type Conditions = readonly SQL[]

type Scalar = string | number | boolean

export const equals = (column: AnyColumn, value: Scalar | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} = ${value}`]

/**
 * Returns the condition that the column has one of the values. Returns none if the list is empty or
 * missing.
 */
export function inList(column: AnyColumn, values: readonly string[] | undefined): Conditions {
  if (!values || values.length === 0) return []
  const sqlList = sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )
  return [sql`${column} in (${sqlList})`]
}

/** Returns the condition that the column has none of the values. */
export const notInList = (column: AnyColumn, values: readonly string[]): Conditions =>
  inList(column, values).map((condition) => sql`not ${condition}`)

/** Both bounds are inclusive. A missing bound adds no condition. */
export const between = <T extends string | number>(
  column: AnyColumn,
  from: T | undefined,
  to: T | undefined,
): Conditions => [
  ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
  ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
]

/** Returns an ISO time rounded down to milliseconds, the precision of the service. */
const truncateToMs = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : new Date(text).toISOString()

export const betweenTimes = (
  column: AnyColumn,
  from: string | undefined,
  to: string | undefined,
): Conditions => between(column, truncateToMs(from), truncateToMs(to))

/**
 * Returns the condition that the column equals the value or is null. Null matches too, because
 * older services do not send these flags.
 */
export const equalsOrNull = (column: AnyColumn, value: boolean | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} is not ${sql.raw(String(!value))}`]

/** Returns the condition that the array column contains the value. */
export const arrayContains = (column: AnyColumn, value: string | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} @> array[${value}]::${sql.raw(column.getSQLType())}`]

export const toLikePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns the condition that a column with lowercase text contains the text. */
export const containsText = (column: AnyColumn, text: string | undefined): Conditions =>
  text ? [sql`${column} like ${toLikePattern(text.toLowerCase())}`] : []

export const splitWords = (text: string | undefined): string[] =>
  (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)

/** Returns the conditions that a column with lowercase text contains every word of the search. */
export const containsAllWords = (column: AnyColumn, text: string | undefined): Conditions =>
  splitWords(text).flatMap((word) => containsText(column, word))
