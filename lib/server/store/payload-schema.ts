import 'server-only'
import { sql } from 'drizzle-orm'
import { customType, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
})
const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

/** Uploaded files. Hash, size, type and name are kept permanently; the bytes are in chunks until the outcome is known. */
export const payloads = pgTable('payloads', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull().default(0),
  sha256: text('sha256'),
  createdAt: at('created_at').notNull().default(now),
  /** When the chunks were deleted; null while they are kept. */
  releasedAt: at('released_at'),
})

/** The encrypted bytes of a payload, in order. */
export const payloadChunks = pgTable(
  'payload_chunks',
  {
    payloadId: uuid('payload_id')
      .notNull()
      .references(() => payloads.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payloadId, table.number] })],
)
