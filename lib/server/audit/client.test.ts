import { describe, expect, test } from 'vitest'
import { clientAddressHeader, getClientAddress, readClientAddress, toNetworkPrefix } from './client'

describe('the client address', () => {
  test.each([
    ['the socket alone', '203.0.113.9', undefined, 0, '203.0.113.9'],
    ['a header nobody was trusted to write', '203.0.113.9', '1.1.1.1', 0, '203.0.113.9'],
    ['an IPv4 client on an IPv6 socket', '::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
    ['a link-local zone', 'fe80::1%eth0', undefined, 0, 'fe80::1'],
    ['one proxy', '10.0.0.1', '198.51.100.7', 1, '198.51.100.7'],
    ['one proxy behind a forger', '10.0.0.1', '1.1.1.1, 198.51.100.7', 1, '198.51.100.7'],
    [
      'two proxies behind a forger',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.7, 10.0.0.2',
      2,
      '198.51.100.7',
    ],
    ['fewer entries than proxies', '10.0.0.1', '198.51.100.7', 2, '10.0.0.1'],
    ['an unreadable entry', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['an entry with a port', '10.0.0.1', '198.51.100.7:4711', 1, '198.51.100.7'],
    ['an IPv6 entry with a port', '10.0.0.1', '[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['nothing', undefined, undefined, 0, null],
  ])('%s', (_name, socket, forwarded, proxies, address) =>
    expect(getClientAddress(socket, forwarded, proxies)).toBe(address),
  )

  test('comes from Paydesk’s own header, only if it is a valid address', () => {
    expect(readClientAddress(new Headers({ [clientAddressHeader]: '203.0.113.9' }))).toBe(
      '203.0.113.9',
    )
    expect(
      readClientAddress(new Headers({ [clientAddressHeader]: '203.0.113.9, 1.1.1.1' })),
    ).toBeNull()
    expect(readClientAddress(new Headers({ 'x-forwarded-for': '1.1.1.1' }))).toBeNull()
  })
})

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:12:3456:789a::1', '2001:db8:12:3400::/56'],
  ['2001:db8:12:34ff:1:2:3:4', '2001:db8:12:3400::/56'],
  ['2001:DB8::1', '2001:db8:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/56'],
  ['no address', 'unknown'],
])('the network of %s', (address, network) => expect(toNetworkPrefix(address)).toBe(network))
