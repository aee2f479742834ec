import { expect, test } from 'vitest'
import { type Json, toWireSchema } from '@/tests/operations/answer-violations'
import { serviceOperation, serviceOperationIds } from './service-operations'

/** Names of fields whose value is a credential, or may be one and needs a review. */
const tokenNamePattern = /token|secret|password|passphrase|credential|session|jwt|bearer|(^|_)(pin|otp|key|link_url)$|^paykey$/i

const harmlessNames = new Set<string>([])

function listFieldNames(schema: Json): string[] {
  const innerSchemas = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? (list as Json[]) : []))
  const items = schema.items ? [schema.items as Json] : []
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  return [...fields.flatMap(([name, field]) => [name, ...listFieldNames(field)]), ...[...innerSchemas, ...items].flatMap(listFieldNames)]
}

const findSuspects = (shape: Json) => listFieldNames(shape).filter((name) => tokenNamePattern.test(name) && !harmlessNames.has(name))

test.each(serviceOperationIds)('%s returns a credential only if it is defined to', (id) => {
  expect(findSuspects(toWireSchema(id)).length > 0).toBe(serviceOperation(id).credential === true)
})

test.each(['bridge_token', 'link_token', 'client_secret', 'access_key', 'session_id', 'paykey', 'pin'])(
  '%s counts as a credential at any depth',
  (name) => {
    const field = { type: 'string' }
    expect(findSuspects({ properties: { data: { anyOf: [{ items: { properties: { [name]: field } } }, { type: 'null' }] } } })).toEqual([
      name,
    ])
  },
)
