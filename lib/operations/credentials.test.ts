import { expect, test } from 'vitest'
import { type JsonObject, toWireSchema } from '@/tests/operations/answer-violations'
import { getServiceOperation, serviceOperationIds } from './service-operations'

/**
 * Matches names of fields that may contain a credential. A harmless field with such a name must be
 * listed in `nonCredentialNames`.
 */
const credentialNamePattern =
  /token|secret|password|passphrase|credential|session|jwt|bearer|(^|_)(pin|otp|key|link_url)$|^paykey$/i

const nonCredentialNames = new Set<string>([])

function listFieldNames(schema: JsonObject): string[] {
  const innerSchemas = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? (list as JsonObject[]) : [],
  )
  const itemSchemas = schema.items ? [schema.items as JsonObject] : []
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
  return [
    ...fields.flatMap(([name, field]) => [name, ...listFieldNames(field)]),
    ...[...innerSchemas, ...itemSchemas].flatMap(listFieldNames),
  ]
}

const listCredentialFields = (shape: JsonObject) =>
  listFieldNames(shape).filter(
    (name) => credentialNamePattern.test(name) && !nonCredentialNames.has(name),
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
