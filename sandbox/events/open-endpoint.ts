import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrMake } from '@/sandbox/store/private-file'
import type { Endpoint } from './poster'

/** Bounds of a signing secret in bytes, as Standard Webhooks sets them. */
const fewestBytes = 24
const mostBytes = 64

const prefix = 'whsec_'

/** True for `whsec_` followed by 24 to 64 bytes in base64, written as an encoder writes them. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(prefix.length)
  const bytes = Buffer.from(encoded, 'base64')
  const fits = bytes.length >= fewestBytes && bytes.length <= mostBytes
  return text.startsWith(prefix) && fits && bytes.toString('base64') === encoded
}

/** Where a secret that was made here lies in a data folder. */
export const webhookSecretFile = (folder: string): string => join(folder, 'webhook-secret')

/** The endpoint asked for at start, if any. A secret that is not given is made once and kept in the data folder, for its owner's eyes only. */
export function openEndpoint(url: string | undefined, secret: string | undefined, folder: string): Endpoint | undefined {
  if (url === undefined) return undefined
  const make = () => prefix + randomBytes(fewestBytes).toString('base64')
  return { url, secret: secret ?? readOrMake(webhookSecretFile(folder), make) }
}
