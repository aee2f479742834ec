import { expect, test } from 'vitest'
import { type Json, toWireSchema } from '@/tests/operations/answer-violations'
import { getServiceOperation, serviceOperationIds } from './service-operations'

/**
 * Matches names of fields that may contain a credential. A harmless field with such a name must be
 * listed in `harmlessNames`.
 */
const credentialNamePattern =
  /token|secret|password|passphrase|credential|session|jwt|bearer|(^|_)(pin|otp|key|link_url)$|^paykey$/i

const harmlessNames = new Set<string>([])

function listFieldNames(schema: Json): string[] {
  const innerSchemas = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? (list as Json[]) : [],
  )
  const items = schema.items ? [schema.items as Json] : []
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  return [
    ...fields.flatMap(([name, field]) => [name, ...listFieldNames(field)]),
    ...[...innerSchemas, ...items].flatMap(listFieldNames),
  ]
}

const listCredentialFields = (shape: Json) =>
  listFieldNames(shape).filter(
    (name) => credentialNamePattern.test(name) && !harmlessNames.has(name),
  )

test.each(serviceOperationIds)('%s returns a credential only if it is defined to', (id) => {
  expect(listCredentialFields(toWireSchema(id)).length > 0).toBe(
    getServiceOperation(id).credential === true,
  )
})

test.each([
  'bridge_token',
  'link_token',
  'client_secret',
  'access_key',
  'session_id',
  'paykey',
  'pin',
])('%s counts as a credential at any depth', (name) => {
  const field = { type: 'string' }
  expect(
    listCredentialFields({
      properties: {
        data: { anyOf: [{ items: { properties: { [name]: field } } }, { type: 'null' }] },
      },
    }),
  ).toEqual([name])
})
