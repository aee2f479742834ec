import 'server-only'
import { createHash } from 'node:crypto'

/** SHA-256 in hex. */
export const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')
