import { expect, test } from 'vitest'
import { parseId } from './pasted-ids'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const otherId = '118f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'

test.each([
  id,
  ` ${id}\n`,
  `"${id}"`,
  id.toUpperCase(),
  `${id},`,
  `(${id})`,
  `[${id}]`,
  `“${id}”`,
  `‘${id}’;`,
  `<${id}>`,
  `\u200B${id}.`,
  id.replaceAll('-', '\u2011'),
  `https://desk.example.com/sandbox/charges/${id}`,
  `https://desk.example.com/sandbox/charges/${id}?account=acct_${otherId}#timeline`,
  `<https://desk.example.com/sandbox/accounts/${otherId}/people/${id}>`,
  `https://desk.example.com/sandbox/accounts/${id}/limits`,
  `https://desk.example.com/sandbox/payouts?account=acct_${otherId}&open=${id}`,
  `/sandbox/payouts/${id}`,
  `payouts/${id}`,
])('%j is an ID of any kind', (text) => {
  expect(parseId(text)).toEqual({ id, isAccount: false })
})

test.each([`acct_${id}`, ` “acct_${id}”,`])('%j is an account ID', (text) =>
  expect(parseId(text)).toEqual({ id, isAccount: true }),
)

test.each([
  '',
  'abc',
  id.slice(1),
  `${id}0`,
  `cust_${id}`,
  `${id}, ${otherId}`,
  'https://desk.example.com/sandbox/payouts',
  'http://[',
])('%j is not an ID', (text) => {
  expect(parseId(text)).toBeNull()
})
