import { expect, test } from 'vitest'
import { isPasted, parseTerm } from './search-term'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'

test.each([
  [id, { kind: 'id', id, isAccount: false }],
  [` acct_${id}\n`, { kind: 'id', id, isAccount: true }],
  ['ron@stone.example', { kind: 'email', text: 'ron@stone.example' }],
  [' "ron@stone.example" ', { kind: 'email', text: 'ron@stone.example' }],
  [
    `https://desk.example.com/sandbox/charges/${id}?account=x`,
    { kind: 'id', id, isAccount: false },
  ],
  ['6789', { kind: 'digits', text: '6789' }],
  ['7,449.43', { kind: 'amount', text: '7,449.43' }],
  ['$500', { kind: 'amount', text: '$500' }],
  ['(7449.43)', { kind: 'amount', text: '7449.43' }],
  ['12,50', { kind: 'key', text: '12,50' }],
  ['“INV-2026-001”,', { kind: 'key', text: 'INV-2026-001' }],
  ['[091000019000123]', { kind: 'key', text: '091000019000123' }],
  ['INV-2026-001', { kind: 'key', text: 'INV-2026-001' }],
  ['req_0123456789abcdef', { kind: 'key', text: 'req_0123456789abcdef' }],
  ['67890', { kind: 'key', text: '67890' }],
  ['Ron Stone', { kind: 'words', text: 'Ron Stone' }],
])('%j is parsed as %j', (typed, term) => expect(parseTerm(typed)).toEqual(term))

test.each(['', '   ', 'abc', '678', 'ron@', 'ron@stone', '"ab"'])('%j is not looked up', (typed) =>
  expect(parseTerm(typed)).toBeNull(),
)

test('a complete ID, email address or number is looked up without a delay', () => {
  const pastedFlags = [id, '6789', 'INV-2026-001', 'ron@stone.example'].map((typed) => {
    const term = parseTerm(typed)
    return term && isPasted(term)
  })
  expect(pastedFlags).toEqual([true, true, false, false])
})
