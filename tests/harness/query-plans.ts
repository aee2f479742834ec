import { vi } from 'vitest'
import { getDatabase } from '@/lib/server/store/store'

type SentStatement = { text: string; values: unknown[] }
type QueryClient = {
  query: (
    statement: string | { text: string },
    values?: unknown[],
    how?: unknown,
  ) => Promise<{ rows: Record<string, string>[] }>
}

export const getStoreClient = async () =>
  ((await getDatabase()) as unknown as { $client: QueryClient }).$client

/** Runs `work`. Returns the SQL statements that it sends to the store. */
export async function recordStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sentStatements: SentStatement[] = []
  const client = await getStoreClient()
  const sendQuery = client.query.bind(client)
  const querySpy = vi.spyOn(client, 'query').mockImplementation((statement, values = [], how) => {
    sentStatements.push({
      text: typeof statement === 'string' ? statement : statement.text,
      values,
    })
    return sendQuery(statement, values, how)
  })
  await work().finally(() => querySpy.mockRestore())
  return sentStatements
}

/** Runs `work`. Returns the query plan of each statement with which `work` reads the table. */
export async function explainStatements(
  table: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const sentStatements = (await recordStatements(work)).filter(({ text }) =>
    text.includes(`from "${table}"`),
  )
  const client = await getStoreClient()
  const planPromises = sentStatements.map(async ({ text, values }) =>
    (await client.query(`explain ${text}`, values)).rows.map((row) => row['QUERY PLAN']).join('\n'),
  )
  return Promise.all(planPromises)
}
