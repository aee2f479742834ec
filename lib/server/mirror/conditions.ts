import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** Conditions that must all hold. A filter that is not set adds none. */
export type Conditions = readonly SQL[]

type Scalar = string | number | boolean

export const equals = (column: AnyColumn, value: Scalar | undefined): Conditions => (value === undefined ? [] : [sql`${column} = ${value}`])

/** The column has one of the values. An empty list adds no condition. */
export function among(column: AnyColumn, values: readonly string[] | undefined): Conditions {
  if (!values || values.length === 0) return []
  const list = sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )
  return [sql`${column} in (${list})`]
}

/** The column has none of the values. */
export const notAmong = (column: AnyColumn, values: readonly string[]): Conditions =>
  among(column, values).map((condition) => sql`not ${condition}`)

/** Both bounds are inclusive. */
export const between = <T extends string | number>(column: AnyColumn, from: T | undefined, to: T | undefined): Conditions => [
  ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
  ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
]

/** Rounds down to milliseconds, the precision of the service. */
const momentIn = (text: string | undefined): string | undefined => (text === undefined ? undefined : new Date(text).toISOString())

export const betweenTimes = (column: AnyColumn, from: string | undefined, to: string | undefined): Conditions =>
  between(column, momentIn(from), momentIn(to))

/** Matches a flag that equals the value or is null: older services do not send the flag. */
export const unlessContradicted = (column: AnyColumn, value: boolean | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} is not ${sql.raw(String(!value))}`]

/** The array column contains the value. */
export const having = (column: AnyColumn, value: string | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} @> array[${value}]::${sql.raw(column.getSQLType())}`]

export const inside = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A lowercase column contains the text. */
export const containing = (column: AnyColumn, text: string | undefined): Conditions =>
  text ? [sql`${column} like ${inside(text.toLowerCase())}`] : []

export const typed = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)

/** A lowercase column contains every word of the search. */
export const containingAll = (column: AnyColumn, text: string | undefined): Conditions =>
  typed(text).flatMap((word) => containing(column, word))
