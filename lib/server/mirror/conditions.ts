import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { foldText } from '@/lib/domain/text-forms'
import { isUuid } from '@/lib/formats'
import { parseCents } from '@/lib/money'

/** SQL conditions that must all be true. A filter that is not set adds no condition. */
export type Conditions = readonly SQL[]

type Scalar = string | number | boolean

export const equals = (column: AnyColumn, value: Scalar | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} = ${value}`]

/** Returns no condition if the list is empty or missing. */
export function inList(column: AnyColumn, values: readonly string[] | undefined): Conditions {
  if (!values || values.length === 0) return []
  const sqlList = sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )
  return [sql`${column} in (${sqlList})`]
}

export const notInList = (column: AnyColumn, values: readonly string[]): Conditions =>
  inList(column, values).map((condition) => sql`not ${condition}`)

export const between = <T extends string | number>(
  column: AnyColumn,
  from: T | undefined,
  to: T | undefined,
): Conditions => [
  ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
  ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
]

/** Cuts a time to milliseconds, because the service also compares times in milliseconds. */
const truncateToMs = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : new Date(text).toISOString()

export const betweenTimes = (
  column: AnyColumn,
  from: string | undefined,
  to: string | undefined,
): Conditions => between(column, truncateToMs(from), truncateToMs(to))

/** Null matches too, because older services do not send these flags. */
export const equalsValueOrIsNull = (column: AnyColumn, value: boolean | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} is not ${sql.raw(String(!value))}`]

export const arrayContains = (column: AnyColumn, value: string | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} @> array[${value}]::${sql.raw(column.getSQLType())}`]

export const toLikePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The column must contain folded text. */
export const containsText = (column: AnyColumn | SQL, text: string | undefined): Conditions =>
  text ? [sql`${column} like ${toLikePattern(foldText(text))}`] : []

/** Returns the folded words, separated by blanks. */
export const splitWords = (text: string | undefined): string[] =>
  foldText(text ?? '')
    .split(' ')
    .filter(Boolean)

/**
 * Returns the cents of a word that looks like an amount: with a dollar sign, a point or a comma. A
 * bare number is more often a part of a reference.
 */
export const parseAmountWord = (word: string): number | null =>
  /[$.,]/.test(word) ? parseCents(word) : null

type SearchColumns = { search: AnyColumn; id?: AnyColumn; amount?: AnyColumn }

/**
 * Each word of the text must be in the column `search`, or be the id, or the amount (cents). Omit
 * `id` if `search` contains it.
 */
export const containsAllWords = (
  { search, id, amount }: SearchColumns,
  text: string | undefined,
): Conditions =>
  splitWords(text).map((word) => {
    const cents = amount ? parseAmountWord(word) : null
    return sql`(${sql.join(
      [
        ...containsText(search, word),
        ...(id && isUuid(word) ? equals(id, word) : []),
        ...(amount && cents !== null ? equals(amount, cents) : []),
      ],
      sql` or `,
    )})`
  })
