import { expect, test } from 'vitest'
import { idIn } from './id-in'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'

test.each([id, ` ${id}\n`, `"${id}"`, id.toUpperCase()])('%j is an id of anything', (text) => {
  expect(idIn(text)).toEqual({ id, isAccount: false })
})

test('the prefix makes it an account', () => expect(idIn(`acct_${id}`)).toEqual({ id, isAccount: true }))

test.each(['', 'abc', id.slice(1), `${id}0`, `cust_${id}`, `${id}/..`, `https://x/${id}`])('%j is none', (text) => {
  expect(idIn(text)).toBeNull()
})
