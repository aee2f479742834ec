import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { isUuid } from '@/lib/formats'
import type { Environment } from '@/lib/operations/define'
import { mirrorCustomers } from '@/lib/server/store/schema/mirror'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { getDatabase } from '@/lib/server/store/store'
import { type Conditions, parseAmountWord, splitWords, toLikePattern } from './conditions'
import { toUuidArraySql } from './forget'
import { toQueryWords, toTraceWord } from './search-words'

/**
 * If a word matches at most this many customers, their payments are found by index; otherwise by
 * one scan of all payments.
 */
const maxIndexedCustomers = 1000

/** Null if the word has no letters or digits. */
function toTsquery(word: string): string | null {
  const quotedWords = toQueryWords(word).map((part) => `'${part}'`)
  return quotedWords.length > 0 ? `(${quotedWords.join(' & ')}:*) | '${toTraceWord(word)}'` : null
}

/**
 * Returns the ids of the customers that match each word, at most `maxIndexedCustomers` + 1 per
 * word.
 */
async function findCustomerIdsByWord(
  environment: Environment,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map()
  const wordPatternPairs = sql.join(
    words.map((word) => sql`(${word}::text, ${toLikePattern(word)}::text)`),
    sql`, `,
  )
  const db = await getDatabase()
  const { rows } = (await db.execute(sql`
    select word, array(select c.id::text from ${mirrorCustomers} c
      where c.environment = ${environment} and c.search like pattern limit ${maxIndexedCustomers + 1}) as ids
    from (values ${wordPatternPairs}) typed (word, pattern)`)) as unknown as {
    rows: { word: string; ids: string[] }[]
  }
  return new Map(rows.map(({ word, ids }) => [word, ids]))
}

function toCustomerCondition(environment: Environment, word: string, ids: readonly string[]): SQL {
  const { customerId } = mirrorPayments
  if (ids.length <= maxIndexedCustomers) return sql`${customerId} = any(${toUuidArraySql(ids)})`
  return sql`${customerId} in (select c.id from ${mirrorCustomers} c where c.environment = ${environment} and c.search like ${toLikePattern(word)})`
}

/**
 * Every word must match: inside the customer's name, masked email or external id, at the start of a
 * word of the description or external id, as the amount, as a whole trace number, or as the full id
 * of the payment, its customer or its paykey.
 */
export async function buildPaymentSearchConditions(
  environment: Environment,
  text: string | undefined,
): Promise<Conditions> {
  const { id, customerId, paykeyId, words, amount } = mirrorPayments
  const searchWords = splitWords(text)
  const customerIdsByWord = await findCustomerIdsByWord(
    environment,
    searchWords.filter((word) => !isUuid(word)),
  )
  return searchWords.map((word) => {
    if (isUuid(word))
      return sql`(${id} = ${word} or ${customerId} = ${word} or ${paykeyId} = ${word})`
    const customerCondition = toCustomerCondition(
      environment,
      word,
      customerIdsByWord.get(word) ?? [],
    )
    const wordTsquery = toTsquery(word)
    const cents = parseAmountWord(word)
    return sql`(${sql.join(
      [
        customerCondition,
        ...(wordTsquery ? [sql`${words} @@ ${wordTsquery}::text::tsquery`] : []),
        ...(cents === null ? [] : [sql`${amount} = ${cents}`]),
      ],
      sql` or `,
    )})`
  })
}
