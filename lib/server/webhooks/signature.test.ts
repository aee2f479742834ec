import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type DeliveryHeaders,
  hasValidSignature,
  isRecent,
  parseDeliveryHeaders,
} from './signature'

/** Test vector from the Standard Webhooks libraries. */
const publishedExample = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: Buffer.from('{"test": 2432232314}'),
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}
const otherSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

function parseHeaders(headers: Record<string, string>): DeliveryHeaders {
  const deliveryHeaders = parseDeliveryHeaders(new Headers(headers))
  if (!deliveryHeaders) throw new Error('no headers of a delivery')
  return deliveryHeaders
}

afterEach(() => vi.useRealTimers())

describe('a signature', () => {
  const headers = parseHeaders(publishedExample.headers)

  test('of the published example is valid with either of two secrets', () => {
    expect(hasValidSignature(publishedExample.body, headers, [publishedExample.secret])).toBe(true)
    expect(
      hasValidSignature(publishedExample.body, headers, [otherSecret, publishedExample.secret]),
    ).toBe(true)
    expect(hasValidSignature(publishedExample.body, headers, [otherSecret])).toBe(false)
  })

  test('is invalid if any bit of the body differs', () => {
    for (let bit = 0; bit < publishedExample.body.length * 8; bit += 1) {
      const body = Buffer.from(publishedExample.body)
      body.writeUInt8(body.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(hasValidSignature(body, headers, [publishedExample.secret])).toBe(false)
    }
  })

  test('is invalid with another ID or time', () => {
    expect(
      hasValidSignature(publishedExample.body, { ...headers, id: 'msg_other' }, [
        publishedExample.secret,
      ]),
    ).toBe(false)
    expect(
      hasValidSignature(publishedExample.body, { ...headers, sentAt: '01614265330' }, [
        publishedExample.secret,
      ]),
    ).toBe(false)
  })

  test('is found among several, and under alternative header names', () => {
    const severalSignatures = `v1a,AAAA v1,${Buffer.alloc(32).toString('base64')} ${publishedExample.headers['webhook-signature']}`
    expect(
      hasValidSignature(
        publishedExample.body,
        parseHeaders({ ...publishedExample.headers, 'webhook-signature': severalSignatures }),
        [publishedExample.secret],
      ),
    ).toBe(true)
    const svixHeaders = Object.fromEntries(
      Object.entries(publishedExample.headers).map(([name, value]) => [
        name.replace('webhook', 'svix'),
        value,
      ]),
    )
    expect(
      hasValidSignature(publishedExample.body, parseHeaders(svixHeaders), [
        publishedExample.secret,
      ]),
    ).toBe(true)
  })
})

test.each([
  ['webhook-id', ''],
  ['webhook-id', 'msg.1'],
  ['webhook-timestamp', '1e9'],
  ['webhook-timestamp', '-5'],
  ['webhook-signature', 'v1,c2hvcnQ='],
  ['webhook-signature', 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
])('%s: %j is not a valid delivery header', (name, value) => {
  expect(
    parseDeliveryHeaders(new Headers({ ...publishedExample.headers, [name]: value })),
  ).toBeNull()
})

test.each([
  [0, true],
  [300, true],
  [-300, true],
  [301, false],
  [-301, false],
])('a delivery with a clock difference of %i seconds is recent: %s', (off, fits) => {
  vi.useFakeTimers({ now: (1_614_265_330 + off) * 1000 })
  expect(isRecent(parseHeaders(publishedExample.headers))).toBe(fits)
})
