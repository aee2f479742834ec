import 'server-only'
import { resolve } from 'node:path'
import * as z from 'zod'
import { parse } from './parse'
import { databaseUrlFault, listOf, publicSigningKey, signingKey } from './setting-forms'

/** The settings that commands on the store need, and the server too. */
export const storeShape = z.object({
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be like postgres://user@host/name', abort: true })
    .superRefine((value, context) => {
      const message = databaseUrlFault(value)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  AUDIT_SIGNING_KEY: signingKey.optional(),
  AUDIT_SIGNING_KEYS_PREVIOUS: listOf(publicSigningKey),
  NODE_TLS_REJECT_UNAUTHORIZED: z.literal('1', 'must not be set: with it nobody checks whose certificate is shown').optional(),
})

/** Where the store is: a PostgreSQL address, or a folder; and the keys of the audit, which are kept outside it. Commands that need the store alone ask for no more than this. */
export function storeSettings(): {
  databaseUrl: string | undefined
  dataDir: string
  auditSigningKey: string | undefined
  previousAuditKeys: readonly string[]
} {
  const value = parse(storeShape, process.env)
  return {
    databaseUrl: value.DATABASE_URL,
    dataDir: resolve(value.DATA_DIR),
    auditSigningKey: value.AUDIT_SIGNING_KEY,
    previousAuditKeys: value.AUDIT_SIGNING_KEYS_PREVIOUS,
  }
}
