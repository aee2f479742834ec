import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Operation } from '@/sandbox/operation'
import {
  buildMultipartBody,
  type RequestOptions,
  type SandboxResponse,
} from '@/tests/sandbox/sandbox-client'
import type { HappyCall, OperationTestContext } from './stage'

export type RequestOverrides = {
  id?: string
  query?: string
  headers?: Record<string, string>
  body?: string
  key?: string | null
  type?: string
}

export const buildPath = ({ path }: Operation, id: string): string => path.replace(/:\w+/, id)

function buildBodyAndHeaders(
  { takesFile, input }: Operation,
  call: HappyCall,
  { body, type = 'application/json' }: RequestOverrides,
): Pick<RequestOptions, 'body' | 'headers'> {
  if (takesFile) return buildMultipartBody('proof.pdf', Buffer.from(body ?? '%PDF-1.7 proof'))
  if (body !== undefined) return { body, headers: { 'content-type': type } }
  return input && call.body
    ? { body: JSON.stringify(call.body), headers: { 'content-type': type } }
    : {}
}

export function sendOperation(
  { client }: OperationTestContext,
  operation: Operation,
  call: HappyCall,
  change: RequestOverrides = {},
): Promise<SandboxResponse> {
  const { id = call.id ?? '', query = '', headers = {}, key } = change
  const { body, headers: content } = buildBodyAndHeaders(operation, call, change)
  const options: RequestOptions = {
    method: operation.method,
    headers: { ...call.headers, ...content, ...headers },
  }
  if (body !== undefined && operation.method !== 'GET') options.body = body
  if (key !== undefined) options.key = key
  return client.ask(`${buildPath(operation, id)}${query}`, options)
}

export type ExpectedRefusal = { status: number; reference?: string | undefined }

/**
 * Sends the accepted request `call` with a change that makes it invalid. Checks that the response
 * has the status and names the invalid field, and that the request changed nothing.
 */
export async function expectRefusal(
  testContext: OperationTestContext,
  operation: Operation,
  call: HappyCall,
  change: RequestOverrides,
  refusal: ExpectedRefusal,
): Promise<void> {
  const idempotencyKey = randomUUID()
  const { headers = {} } = change
  const response = await sendOperation(testContext, operation, call, {
    ...change,
    headers: { 'idempotency-key': idempotencyKey, ...headers },
  })
  const errorItems = (response.json.error?.items ?? []) as { reference: string; detail: string }[]
  const isInvalidFieldNamed =
    refusal.reference === undefined ||
    errorItems.some(({ reference, detail }) => reference === refusal.reference && detail !== '')
  expect([response.status, isInvalidFieldNamed || response.json.error]).toEqual([
    refusal.status,
    true,
  ])
  const { data } = await testContext.client.control(`journal?idempotency_key=${idempotencyKey}`)
  expect(data).toEqual([])
}

type JsonSchema = {
  properties?: Record<string, unknown>
  required?: string[]
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
}

/**
 * Returns the names of all fields and of the required fields in an operation's body. If the body is
 * a union of schemas, uses the first schema.
 */
export function listBodyFields({ input }: Operation): { all: string[]; required: string[] } {
  if (!input) return { all: [], required: [] }
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const { properties = {}, required = [] } = schema.oneOf?.[0] ?? schema.anyOf?.[0] ?? schema
  return { all: Object.keys(properties), required }
}
