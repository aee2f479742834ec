import { expect } from 'vitest'
import type { DeskAndStore } from './desk-and-store'

type RunSql = DeskAndStore['sql']

/**
 * Returns the decrypted values of the columns that can contain request or response data. Fails if
 * the store has a bytea column that is not in the list, so that no new column stays unchecked.
 */
export async function readDecryptedValues(
  sql: RunSql,
  decrypt: (encrypted: Buffer, place: string) => Buffer,
): Promise<{ where: string; text: string }[]> {
  const byteaColumns = await sql(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by 1`)
  expect(byteaColumns.map(({ name }) => name)).toEqual([
    ...[
      'actions.answer',
      'actions.body',
      'actions.proof',
      'actions.seen',
      'factor_enrollments.value',
      'kept_keys.value',
      'notes.text',
    ],
    ...['passkeys.public_key', 'payload_chunks.bytes', 'totp_secrets.secret'],
  ])
  const encryptedRows = await sql(`
    select 'actions/' || id || '/body' as place, operation as what, body as value from actions where body is not null
    union all select 'actions/' || id || '/answer', operation, answer from actions where answer is not null
    union all select 'actions/' || id || '/proof', operation, proof from actions where proof is not null
    union all select 'actions/' || id || '/seen', operation, seen from actions where seen is not null
    union all select 'payload_chunks/' || payload_id || '/' || number, 'file', bytes from payload_chunks
    union all select 'notes/' || id || '/text', 'note', text from notes where text is not null
    union all select 'kept_keys/' || name, 'key', value from kept_keys`)
  return encryptedRows.map(({ place, what, value }) => ({
    where: `${what} ${place}`,
    text: decrypt(Buffer.from(value as Uint8Array), String(place)).toString('latin1'),
  }))
}

/** Returns all rows of all tables as text. Encrypted values stay encrypted. */
export async function readStoreText(sql: RunSql): Promise<string> {
  const tables = await sql(`select tablename as name from pg_tables where schemaname = 'public'`)
  const tableTexts: string[] = []
  for (const { name } of tables)
    tableTexts.push(JSON.stringify(await sql(`select t::text as row from "${name}" t`)))
  return tableTexts.join('\n')
}
