import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '@/sandbox/operations'
import { sandboxPerFile } from '@/sandbox/testing/sandbox-per-file'
import { happyCalls } from './happy-calls'
import { openStage, type Stage } from './stage'
import { expectRefusal, fieldsOf, happyCall, isOnObject, pathOf, send } from './try-operation'

const { client, process } = sandboxPerFile()
let opened: Stage | undefined
beforeAll(async () => {
  opened = await openStage(client())
})

const stage = (): Stage => {
  if (!opened) throw new Error('the stage is opened before the tests')
  return opened
}

const nobody = () => randomUUID()
const writes = operations.filter(({ method }) => method !== 'GET')
const scoped = operations.filter(({ account }) => account !== 'forbidden')
const withBody = operations.filter(({ input }) => input)
const withMetadata = withBody.filter((operation) => fieldsOf(operation).all.includes('metadata'))
const requiredFields = withBody.flatMap((operation) => fieldsOf(operation).required.map((field) => ({ ...operation, operation, field })))

test('every operation has an accepted request here, and nothing else has', () => {
  expect(Object.keys(happyCalls).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
})

describe('what every operation does', () => {
  test.each(operations)('$id accepts what is right', async (operation) => {
    const answer = await send(stage(), operation, await happyCall(stage(), operation))
    expect([answer.status, answer.json.response_type]).toEqual([operation.status ?? 200, operation.answers])
  })

  test.each(operations)('$id is 401 without a key', async (operation) => {
    expect((await send(stage(), operation, { id: nobody() }, { key: null })).status).toBe(401)
  })

  test.each(operations)('$id is 400 with a parameter that is not known', async (operation) => {
    const call = await happyCall(stage(), operation)
    await expectRefusal(stage(), operation, call, { query: '?stauts=paid' }, { status: 400, reference: 'stauts' })
  })

  test.each(operations)('the path of $id is 405 with a method that no operation has', async (operation) => {
    const path = pathOf(operation, nobody())
    const patterns = operations.map((other) => ({ method: other.method, pattern: new RegExp(`^${other.path.replace(/:\w+/g, '[^/]+')}$`) }))
    const taken: string[] = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    const method = ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].find((one) => !taken.includes(one))
    const answer = await client().ask(path, { method: method ?? '' })
    expect([answer.status, answer.headers.get('allow')?.split(', ')]).toEqual([405, expect.arrayContaining([operation.method])])
  })
})

describe('what every write does', () => {
  test.each(writes)('$id is 403 with a key that may only read', async (operation) => {
    const call = await happyCall(stage(), operation)
    await expectRefusal(stage(), operation, call, { key: process().keys.read_only }, { status: 403 })
  })

  test.each(writes)('$id is 400 with an Idempotency-Key of 9 characters', async (operation) => {
    const call = await happyCall(stage(), operation)
    const answer = await send(stage(), operation, call, { headers: { 'idempotency-key': 'too-short' } })
    expect([answer.status, answer.json]).toMatchObject([400, { status: 400, items: [{ reference: 'Idempotency-Key' }] }])
  })

  test.each(writes)('$id is replayed with its key, and 409 with another body', async (operation) => {
    const call = await happyCall(stage(), operation)
    const headers = { 'idempotency-key': nobody() }
    const first = await send(stage(), operation, call, { headers })
    const again = await send(stage(), operation, call, { headers })
    const other = await send(stage(), operation, call, { headers, body: '{"other":true}' })
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([operation.status ?? 200, null])
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([first.status, first.text, 'true'])
    expect([other.status, other.json]).toMatchObject([409, { status: 409, type: '/conflict' }])
  })
})

describe('what every operation on an object does', () => {
  const onObjects = operations.filter(isOnObject)

  test.each(onObjects)('$id is 404 for an object nobody has', async (operation) => {
    const call = await happyCall(stage(), operation)
    await expectRefusal(stage(), operation, call, { id: nobody() }, { status: 404 })
  })

  test.each(onObjects)('$id is 400 for what is no UUID', async (operation) => {
    const call = await happyCall(stage(), operation)
    const reference = /:(\w+)/.exec(operation.path)?.[1]
    await expectRefusal(stage(), operation, call, { id: '17' }, { status: 400, reference })
  })

  test.each(onObjects.filter(({ account }) => account !== 'forbidden'))(
    '$id is 404 for an object of another account',
    async (operation) => {
      const call = await happyCall(stage(), operation)
      await expectRefusal(stage(), operation, call, { headers: stage().other.headers }, { status: 404 })
    },
  )
})

describe('the account header', () => {
  const reference = 'Service-Account-Id'
  const refuse = async (operation: (typeof operations)[number], value: string, refusal: { status: number; reference?: string }) => {
    const call = await happyCall(stage(), operation)
    await expectRefusal(stage(), operation, call, { headers: { 'service-account-id': value } }, refusal)
  }

  test.each(scoped)('of $id is 400 when it is malformed, 404 when nobody has the account', async (operation) => {
    await refuse(operation, 'acct_17', { status: 400, reference })
    await refuse(operation, `acct_${nobody()}`, { status: 404 })
  })

  test.each(operations.filter(({ account }) => account === 'forbidden'))('is 400 when it is sent to $id', async (operation) => {
    await refuse(operation, `acct_${stage().account.id}`, { status: 400, reference })
  })

  test.each(operations.filter(({ account }) => account === 'required'))('is 400 when $id does without', async (operation) => {
    const { headers: _headers, ...call } = await happyCall(stage(), operation)
    await expectRefusal(stage(), operation, call, {}, { status: 400, reference })
  })
})

describe('the body', () => {
  test.each(withBody)('of $id is 400 when it is broken, or not said to be JSON', async (operation) => {
    const call = await happyCall(stage(), operation)
    await expectRefusal(stage(), operation, call, { body: '{"a"' }, { status: 400, reference: 'body' })
    await expectRefusal(stage(), operation, call, { type: 'text/plain' }, { status: 400, reference: 'Content-Type' })
  })

  test.each(withBody)('of $id is 422 with a field that is not known', async (operation) => {
    const call = await happyCall(stage(), operation)
    const body = JSON.stringify({ ...call.body, zebra: 1 })
    await expectRefusal(stage(), operation, call, { body }, { status: 422, reference: 'zebra' })
  })

  test.each(requiredFields)('of $id is 422 without $field, and with a list in its place', async ({ operation, field }) => {
    const call = await happyCall(stage(), operation)
    const { [field]: _left, ...rest } = call.body ?? {}
    for (const body of [{ ...rest }, { ...rest, [field]: [] }]) {
      await expectRefusal(stage(), operation, call, { body: JSON.stringify(body) }, { status: 422, reference: field })
    }
  })

  test.each(withMetadata)('of $id takes 20 keys of 40 characters, and no more', async (operation) => {
    const call = await happyCall(stage(), operation)
    const entry = (place: number) => [`${place}`.padStart(40, 'k'), 'v'.repeat(40)] as const
    const most = Object.fromEntries(Array.from({ length: 20 }, (_, place) => entry(place)))
    const long = 'k'.repeat(41)
    const wrong: [reference: string, metadata: unknown][] = [
      ['metadata', { ...most, one: 'more' }],
      [`metadata.${long}`, { [long]: 'v' }],
      ['metadata.key', { key: 'v'.repeat(41) }],
      ['metadata.key', { key: 7 }],
      ['metadata', 'text'],
    ]
    for (const [reference, metadata] of wrong) {
      const body = JSON.stringify({ ...call.body, metadata })
      await expectRefusal(stage(), operation, call, { body }, { status: 422, reference })
    }
    const taken = await send(stage(), operation, call, { body: JSON.stringify({ ...call.body, metadata: most }) })
    expect([taken.status, taken.json.error]).toEqual([operation.status ?? 200, undefined])
  })
})
