import 'server-only'
import { AppError } from '@/lib/errors'
import type { Sending } from '@/lib/server/service/client'
import type { Outcome } from './judge'

/** Fields of an input whose values are shown to nobody and kept nowhere once the bytes are gone. */
const secretFields =
  /^(account_number|tan|ssn|ssn_last4|ein|tax_id|dob|email|phone|mobile_number|(accepted_)?ip(_address)?|address[12]|paykey|.*_token)$/

/** Shorter values are parts of other words. */
const shortest = 4

function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return secretFields.test(name) && value.length >= shortest ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, Array.isArray(value) ? name : key))
}

/** An outcome whose words repeat nothing secret of what was sent: services like to quote the field they refuse, and a refusal is kept. */
export function withoutSecrets(outcome: Outcome, { body }: Pick<Sending, 'body'>): Outcome {
  if (!('error' in outcome) || !Buffer.isBuffer(body) || body.length === 0) return outcome
  const secrets = secretsIn(JSON.parse(body.toString('utf8'))).sort((one, other) => other.length - one.length)
  if (secrets.length === 0) return outcome
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
  const { error } = outcome
  const items = error.items.map(({ reference, detail }) => ({ reference, detail: clean(detail) }))
  const { status, requestId, apiRequestId, retryAfter, cause } = error
  return {
    ...outcome,
    error: new AppError(error.code, clean(error.message), { items, status, requestId, apiRequestId, retryAfter, cause }),
  }
}
