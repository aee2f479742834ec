import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Operation } from '@/sandbox/operation'
import { type Answer, multipart, type RequestOptions } from '@/tests/sandbox/sandbox-client'
import type { HappyCall, OperationTestContext } from './stage'

export type RequestChange = {
  id?: string
  query?: string
  headers?: Record<string, string>
  body?: string
  key?: string | null
  type?: string
}

export const buildPath = ({ path }: Operation, id: string): string => path.replace(/:\w+/, id)

function buildContent(
  { takesFile, input }: Operation,
  call: HappyCall,
  { body, type = 'application/json' }: RequestChange,
): Pick<RequestOptions, 'body' | 'headers'> {
  if (takesFile) return multipart('proof.pdf', Buffer.from(body ?? '%PDF-1.7 proof'))
  if (body !== undefined) return { body, headers: { 'content-type': type } }
  return input && call.body ? { body: JSON.stringify(call.body), headers: { 'content-type': type } } : {}
}

export function sendOperation(
  { client }: OperationTestContext,
  operation: Operation,
  call: HappyCall,
  change: RequestChange = {},
): Promise<Answer> {
  const { id = call.id ?? '', query = '', headers = {}, key } = change
  const { body, headers: content } = buildContent(operation, call, change)
  const options: RequestOptions = { method: operation.method, headers: { ...call.headers, ...content, ...headers } }
  if (body !== undefined && operation.method !== 'GET') options.body = body
  if (key !== undefined) options.key = key
  return client.ask(`${buildPath(operation, id)}${query}`, options)
}

export type Refusal = { status: number; reference?: string | undefined }

/** Sends a changed request. Checks that the response has the status, names the invalid field, and that nothing changed. */
export async function expectRefusal(
  stage: OperationTestContext,
  operation: Operation,
  call: HappyCall,
  change: RequestChange,
  refusal: Refusal,
): Promise<void> {
  const key = randomUUID()
  const { headers = {} } = change
  const answer = await sendOperation(stage, operation, call, { ...change, headers: { 'idempotency-key': key, ...headers } })
  const items = (answer.json.error?.items ?? []) as { reference: string; detail: string }[]
  const isNamed = refusal.reference === undefined || items.some(({ reference, detail }) => reference === refusal.reference && detail !== '')
  expect([answer.status, isNamed || answer.json.error]).toEqual([refusal.status, true])
  const { data } = await stage.client.control(`journal?idempotency_key=${key}`)
  expect(data).toEqual([])
}

type JsonSchema = { properties?: Record<string, unknown>; required?: string[]; oneOf?: JsonSchema[]; anyOf?: JsonSchema[] }

/** Returns the names of all fields of an operation's body, and of the required ones. For a union of schemas, those of the first. */
export function listBodyFields({ input }: Operation): { all: string[]; required: string[] } {
  if (!input) return { all: [], required: [] }
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const { properties = {}, required = [] } = schema.oneOf?.[0] ?? schema.anyOf?.[0] ?? schema
  return { all: Object.keys(properties), required }
}
