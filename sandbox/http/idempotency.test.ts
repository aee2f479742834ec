import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const createIdempotencyKey = () => `rel_${randomUUID().replaceAll('-', '')}`
const expectedConflictError = {
  status: 409,
  type: '/conflict',
  title: 'Conflict',
  detail: expect.stringContaining('already used for a different request'),
}
const expectedInProgressError = {
  ...expectedConflictError,
  detail: expect.stringContaining('in progress'),
}

test('a new key runs the request, and a repetition returns the first response with all headers', async () => {
  const payout = await client().payout()
  const keyHeader = { 'idempotency-key': createIdempotencyKey() }
  const originalResponse = await client().put(
    `/v1/payouts/${payout.id}/release`,
    { reason: 'ok' },
    { ...keyHeader, 'request-id': 'one', 'correlation-id': 'c' },
  )
  const replayedResponse = await client().put(
    `/v1/payouts/${payout.id}/release`,
    { reason: 'ok' },
    { ...keyHeader, 'request-id': 'two' },
  )
  expect(originalResponse.status).toBe(200)
  expect(originalResponse.headers.get('idempotent-replayed')).toBeNull()
  expect(replayedResponse.status).toBe(200)
  expect(replayedResponse.text).toBe(originalResponse.text)
  expect(Object.fromEntries(replayedResponse.headers)).toMatchObject({
    'idempotent-replayed': 'true',
    'request-id': 'one',
    'correlation-id': 'c',
  })
  expect(await client().effects(payout.id)).toHaveLength(1)
})

describe('a key bound to a request', () => {
  test.each(['path', 'method', 'body'])('is rejected with another %s', async (part) => {
    const [payout, other] = [await client().payout(), await client().payout()]
    const headers = { 'idempotency-key': createIdempotencyKey() }
    await client().put(`/v1/payouts/${payout.id}/release`, { reason: 'ok' }, headers)
    const sendChangedRequest = {
      path: () => client().put(`/v1/payouts/${other.id}/release`, { reason: 'ok' }, headers),
      method: () =>
        client().ask(`/v1/payouts/${payout.id}/authorization`, {
          method: 'POST',
          ...buildMultipartBody('a.pdf', Buffer.from('%PDF-')),
          headers,
        }),
      body: () => client().put(`/v1/payouts/${payout.id}/release`, { reason: 'other' }, headers),
    }[part as 'path' | 'method' | 'body']
    const changedRequestResponse = await sendChangedRequest()
    expect(changedRequestResponse.status).toBe(409)
    // The 409 body is the error object alone, without an envelope.
    expect(changedRequestResponse.json).toEqual(expectedConflictError)
  })

  test('is bound to the bytes, not to their meaning', async () => {
    const payout = await client().payout()
    const sendRelease = (body: string) =>
      client().ask(`/v1/payouts/${payout.id}/release`, {
        method: 'PUT',
        body,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': 'same-key-other-spacing',
        },
      })
    expect((await sendRelease('{"reason":"a"}')).status).toBe(200)
    expect((await sendRelease('{"reason": "a"}')).json).toEqual(expectedConflictError)
  })
})

test('during the first request, a repetition is 409 in progress and another request 409 different', async () => {
  const payout = await client().payout()
  await client().fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'delay',
    ms: 2_000,
    at: 'mid',
  })
  const headers = { 'idempotency-key': createIdempotencyKey() }
  const path = `/v1/payouts/${payout.id}/release`
  const pendingRelease = client().put(path, { reason: 'a' }, headers)
  await expect
    .poll(async () =>
      (await client().control('requests')).data.some(
        (entry) => entry.path === path && entry.body_sha256 !== null,
      ),
    )
    .toBe(true)
  await expect
    .poll(async () => (await client().put(path, { reason: 'a' }, headers)).json)
    .toEqual(expectedInProgressError)
  expect((await client().put(path, { reason: 'b' }, headers)).json).toEqual(expectedConflictError)
  expect((await pendingRelease).status).toBe(200)
  expect(
    (await client().put(path, { reason: 'a' }, headers)).headers.get('idempotent-replayed'),
  ).toBe('true')
  expect(await client().effects(payout.id)).toHaveLength(1)
})

test.each([
  [9, 400],
  [10, 200],
  [40, 200],
  [41, 400],
])('a key of %i characters has the status %i', async (length, status) => {
  const payout = await client().payout()
  const releaseResponse = await client().put(
    `/v1/payouts/${payout.id}/release`,
    {},
    { 'idempotency-key': randomUUID().repeat(2).slice(0, length) },
  )
  expect(releaseResponse.status).toBe(status)
  if (status === 400)
    expect(releaseResponse.json).toMatchObject({
      status: 400,
      type: '/bad-request',
      items: [{ reference: 'Idempotency-Key' }],
    })
})

test('a key is valid for 24 hours of the clock', async () => {
  const payout = await client().payout()
  const headers = { 'idempotency-key': createIdempotencyKey() }
  const holdPayout = () => client().put(`/v1/payouts/${payout.id}/hold`, {}, headers)
  await client().control('clock', { advance_seconds: 1 })
  expect((await holdPayout()).status).toBe(422)
  await client().control('clock', { advance_seconds: 23.9 * 3600 })
  expect((await holdPayout()).headers.get('idempotent-replayed')).toBe('true')
  await client().control('clock', { advance_seconds: 0.2 * 3600 })
  const responseAfterExpiry = await holdPayout()
  expect([
    responseAfterExpiry.status,
    responseAfterExpiry.headers.get('idempotent-replayed'),
  ]).toEqual([422, null])
})

test.each([
  ['400', '{broken', '{"reason":"now right"}'],
  ['422', JSON.stringify({ reason: 'x'.repeat(501) }), '{"reason":"short"}'],
])(
  'a key used by a %s is replayed for the same request and rejected for a corrected one',
  async (status, wrong, right) => {
    const payout = await client().payout()
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': createIdempotencyKey(),
    }
    const releaseWithBody = (body: string) =>
      client().ask(`/v1/payouts/${payout.id}/release`, { method: 'PUT', body, headers })
    const firstRelease = await releaseWithBody(wrong)
    const repeatedRelease = await releaseWithBody(wrong)
    expect(firstRelease.status).toBe(Number(status))
    expect([
      repeatedRelease.status,
      repeatedRelease.text,
      repeatedRelease.headers.get('idempotent-replayed'),
    ]).toEqual([firstRelease.status, firstRelease.text, 'true'])
    expect((await releaseWithBody(right)).json).toEqual(expectedConflictError)
    expect(await client().effects(payout.id)).toHaveLength(0)
  },
)

test('an upload is replayed for the same bytes and rejected for another boundary', async () => {
  const payout = await client().payout()
  const path = `/v1/payouts/${payout.id}/authorization`
  const { body, headers } = buildMultipartBody('proof.pdf', Buffer.from('%PDF-1.7 proof'))
  const idempotencyHeader = { 'idempotency-key': createIdempotencyKey() }
  const firstUpload = await client().ask(path, {
    method: 'POST',
    body,
    headers: { ...headers, ...idempotencyHeader },
  })
  const repeatedUpload = await client().ask(path, {
    method: 'POST',
    body,
    headers: { ...headers, ...idempotencyHeader },
  })
  const bodyWithNewBoundary = new TextDecoder().decode(body).replaceAll('7d3f', '7d40')
  const changedBoundaryResponse = await client().ask(path, {
    method: 'POST',
    body: bodyWithNewBoundary,
    headers: {
      'content-type': 'multipart/form-data; boundary=test-boundary-7d40',
      ...idempotencyHeader,
    },
  })
  expect([
    firstUpload.status,
    repeatedUpload.status,
    repeatedUpload.text === firstUpload.text,
  ]).toEqual([201, 201, true])
  expect(changedBoundaryResponse.json).toEqual(expectedConflictError)
  const hashSha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(await client().effects(payout.id)).toMatchObject([
    {
      request_body_sha256: hashSha256(body),
      file_sha256: hashSha256(Buffer.from('%PDF-1.7 proof')),
      ...(idempotencyHeader && { idempotency_key: idempotencyHeader['idempotency-key'] }),
    },
  ])
})

test('fifty identical concurrent releases have one effect', async () => {
  const payout = await client().payout()
  const headers = { 'idempotency-key': createIdempotencyKey() }
  const concurrentResponses = await Promise.all(
    Array.from({ length: 50 }, () =>
      client().put(`/v1/payouts/${payout.id}/release`, { reason: 'go' }, headers),
    ),
  )
  expect(concurrentResponses.filter((answer) => ![200, 409].includes(answer.status))).toEqual([])
  expect(
    concurrentResponses.filter(
      (answer) => answer.status === 200 && answer.headers.get('idempotent-replayed') === null,
    ),
  ).toHaveLength(1)
  expect(await client().effects(payout.id)).toHaveLength(1)
})

test('a rejected API key, a missing permission and an exceeded rate do not use the key', async () => {
  const payout = await client().payout()
  const headers = { 'content-type': 'application/json', 'idempotency-key': createIdempotencyKey() }
  const releaseWithApiKey = (key?: string | null) =>
    client().ask(`/v1/payouts/${payout.id}/release`, { method: 'PUT', body: '{}', headers, key })
  expect((await releaseWithApiKey(null)).status).toBe(401)
  await client().control('rate-limit', { per_second: 0 })
  expect((await releaseWithApiKey()).status).toBe(429)
  await client().control('rate-limit', { per_second: null })
  const firstResponse = await releaseWithApiKey()
  expect([firstResponse.status, firstResponse.headers.get('idempotent-replayed')]).toEqual([
    200,
    null,
  ])
})
