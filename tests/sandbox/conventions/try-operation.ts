import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Operation } from '@/sandbox/operation'
import { type Answer, type Ask, multipart } from '@/tests/sandbox/sandbox-client'
import type { HappyCall, Stage } from './stage'

export type Change = { id?: string; query?: string; headers?: Record<string, string>; body?: string; key?: string | null; type?: string }

export const pathOf = ({ path }: Operation, id: string): string => path.replace(/:\w+/, id)

function contentOf(
  { takesFile, input }: Operation,
  call: HappyCall,
  { body, type = 'application/json' }: Change,
): Pick<Ask, 'body' | 'headers'> {
  if (takesFile) return multipart('proof.pdf', Buffer.from(body ?? '%PDF-1.7 proof'))
  if (body !== undefined) return { body, headers: { 'content-type': type } }
  return input && call.body ? { body: JSON.stringify(call.body), headers: { 'content-type': type } } : {}
}

export function send({ client }: Stage, operation: Operation, call: HappyCall, change: Change = {}): Promise<Answer> {
  const { id = call.id ?? '', query = '', headers = {}, key } = change
  const { body, headers: content } = contentOf(operation, call, change)
  const ask: Ask = { method: operation.method, headers: { ...call.headers, ...content, ...headers } }
  if (body !== undefined && operation.method !== 'GET') ask.body = body
  if (key !== undefined) ask.key = key
  return client.ask(`${pathOf(operation, id)}${query}`, ask)
}

export type Refusal = { status: number; reference?: string | undefined }

/** Sends a changed request. Checks that the response has the status, names the invalid field, and that nothing changed. */
export async function expectRefusal(stage: Stage, operation: Operation, call: HappyCall, change: Change, refusal: Refusal): Promise<void> {
  const key = randomUUID()
  const { headers = {} } = change
  const answer = await send(stage, operation, call, { ...change, headers: { 'idempotency-key': key, ...headers } })
  const items = (answer.json.error?.items ?? []) as { reference: string; detail: string }[]
  const named = refusal.reference === undefined || items.some(({ reference, detail }) => reference === refusal.reference && detail !== '')
  expect([answer.status, named || answer.json.error]).toEqual([refusal.status, true])
  const { data } = await stage.client.control(`journal?idempotency_key=${key}`)
  expect(data).toEqual([])
}

type JsonSchema = { properties?: Record<string, unknown>; required?: string[]; oneOf?: JsonSchema[]; anyOf?: JsonSchema[] }

/** Returns the names of all fields of an operation's body, and of the required ones. For a union of schemas, those of the first. */
export function fieldsOf({ input }: Operation): { all: string[]; required: string[] } {
  if (!input) return { all: [], required: [] }
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const { properties = {}, required = [] } = schema.oneOf?.[0] ?? schema.anyOf?.[0] ?? schema
  return { all: Object.keys(properties), required }
}
