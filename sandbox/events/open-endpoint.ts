import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateFile } from '@/sandbox/store/store'
import type { Endpoint } from './webhook-sender'

/** Allowed size of a signing secret in bytes (Standard Webhooks). */
const fewestBytes = 24
const mostBytes = 64

const prefix = 'whsec_'

export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(prefix.length)
  const bytes = Buffer.from(encoded, 'base64')
  const hasValidLength = bytes.length >= fewestBytes && bytes.length <= mostBytes
  return text.startsWith(prefix) && hasValidLength && bytes.toString('base64') === encoded
}

export const webhookSecretFile = (folder: string): string => join(folder, 'webhook-secret')

/**
 * Returns the webhook endpoint, or undefined if no URL is set. If `secret` is missing, generates one once and stores it in the data folder,
 * readable by its owner only.
 */
export function openEndpoint(url: string | undefined, secret: string | undefined, folder: string): Endpoint | undefined {
  if (url === undefined) return undefined
  const makeSecret = () => prefix + randomBytes(fewestBytes).toString('base64')
  return { url, secret: secret ?? readOrCreateFile(webhookSecretFile(folder), makeSecret) }
}
