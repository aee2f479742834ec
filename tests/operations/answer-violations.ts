import * as z from 'zod'
import { getSchemas } from '@/lib/operations/registry'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

export type JsonObject = { [name: string]: unknown }

/**
 * A sample of each kind of secret: a value, and a part of it. A text that contains the part leaks
 * the secret.
 */
export const secretSamples = {
  token: [
    'a1b2c3d4.02.5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e',
    '5e5e5e5e',
  ],
  email: ['canary.person@example.com', 'canary.person'],
  phone: ['+15125550137', '512555'],
  account: ['900012345678', '90001234'],
  ssn: ['123-45-6789', '45-6789'],
  ein: ['12-3456789', '3456789'],
  dob: ['1980-02-28', '1980-02'],
  ssnEnd: ['4821', '4821'],
  tax: ['987650321', '98765'],
  address: ['203.0.113.77', '203.0.113'],
  street: ['1 Canary Lane', 'Canary Lane'],
} as const

const sampleByFieldName: Record<string, string> = {
  email: secretSamples.email[0],
  phone: secretSamples.phone[0],
  mobile_number: secretSamples.phone[0],
  account_number: secretSamples.account[0],
  account_mask: secretSamples.account[0],
  tan: secretSamples.account[0],
  ssn: secretSamples.ssn[0],
  ein: secretSamples.ein[0],
  dob: secretSamples.dob[0],
  ssn_last4: secretSamples.ssnEnd[0],
  tax_id: secretSamples.tax[0],
  company_id: secretSamples.tax[0],
  ip_address: secretSamples.address[0],
  accepted_ip: secretSamples.address[0],
  paykey: secretSamples.token[0],
  address1: secretSamples.street[0],
}

/**
 * True if a field's path belongs to the public contact data of a business, which may be shown
 * unmasked.
 */
const isPublicContact = (path: string) =>
  /business_profile\.(phone|support_channels\.(email|phone))$/.test(path)

function createSampleText(schema: JsonObject, path: string): string {
  const name = path.split('.').at(-1) ?? ''
  if (sampleByFieldName[name] && !isPublicContact(path)) return sampleByFieldName[name]
  if (schema.format === 'uuid' || name === 'id' || name === 'account_id')
    return '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f'
  if (/amount|balance|_count$/.test(name)) return '12500'
  return /_(at|date)$/.test(name) ? '2026-03-31T14:05:00Z' : `a ${name}`
}

const sampleByType: Record<string, unknown> = { number: 12, integer: 12, boolean: true }

/**
 * Returns sample data for a schema, with every field filled and nothing masked. Its objects contain
 * all secrets, even those that the schema does not mention.
 */
export function createUnmaskedSample(schema: JsonObject, path = ''): unknown {
  const [firstVariant] = (schema.anyOf ?? []) as JsonObject[]
  if (firstVariant) return createUnmaskedSample(firstVariant, path)
  const type = String(Array.isArray(schema.type) ? schema.type[0] : schema.type)
  if (type === 'array') return [createUnmaskedSample((schema.items ?? {}) as JsonObject, path)]
  if (type === 'object') return createSampleObject(schema, path)
  return sampleByType[type] ?? createSampleText(schema, path)
}

function createSampleObject(schema: JsonObject, path: string): JsonObject {
  if (!schema.properties)
    return {
      some_key: createUnmaskedSample(
        (schema.additionalProperties ?? {}) as JsonObject,
        `${path}.some_key`,
      ),
    }
  const fieldSchemas = Object.entries(schema.properties as Record<string, JsonObject>)
  return {
    ...sampleByFieldName,
    ...Object.fromEntries(
      fieldSchemas.map(([name, field]) => [name, createUnmaskedSample(field, `${path}.${name}`)]),
    ),
  }
}

/** Returns the JSON schema of an operation's response as the service sends it. */
export const toWireSchema = (id: ServiceOperationId): JsonObject =>
  z.toJSONSchema(getSchemas(id).output, { io: 'input', unrepresentable: 'any' }) as JsonObject
