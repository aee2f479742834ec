import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateFile } from '@/sandbox/store/store'
import type { WebhookEndpoint } from './webhook-sender'

/** Bytes, as Standard Webhooks requires. */
const minSecretBytes = 24
const maxSecretBytes = 64

const secretPrefix = 'whsec_'

export function isWebhookSecret(text: string): boolean {
  const encodedSecret = text.slice(secretPrefix.length)
  const secretBytes = Buffer.from(encodedSecret, 'base64')
  const hasValidLength =
    secretBytes.length >= minSecretBytes && secretBytes.length <= maxSecretBytes
  return (
    text.startsWith(secretPrefix) &&
    hasValidLength &&
    secretBytes.toString('base64') === encodedSecret
  )
}

export const getWebhookSecretPath = (folder: string): string => join(folder, 'webhook-secret')

/** Without `secret`, uses that of the data folder, which only its owner can read. */
export function createWebhookEndpoint(
  url: string | undefined,
  secret: string | undefined,
  folder: string,
): WebhookEndpoint | undefined {
  if (url === undefined) return undefined
  const makeSecret = () => secretPrefix + randomBytes(minSecretBytes).toString('base64')
  return { url, secret: secret ?? readOrCreateFile(getWebhookSecretPath(folder), makeSecret) }
}
