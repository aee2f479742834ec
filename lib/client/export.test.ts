import { expect, test } from 'vitest'
import { createRecordCounter } from './export'

const countRecords = (...pieces: string[]) => {
  const counter = createRecordCounter()
  for (const piece of pieces) counter.take(piece)
  return counter.count()
}

test.each([
  [['a,b\r\n1,2\r\n'], 2],
  [['a,b\r\n1,', '2\r\n3', ',4\r\n'], 3],
  [['a\r\n"two\r\nlines"\r\n'], 2],
  [['a\r\n"a ""quoted"" word', '\n"\r\nlast without an end'], 3],
  [[''], 0],
] as const)('%j has %i records', (pieces, records) => expect(countRecords(...pieces)).toBe(records))

test('collects the IDs of unreadable payments, whatever the other fields contain', () => {
  const counter = createRecordCounter()
  for (const piece of [
    'id,type,status\r\npay_7',
    '7,,Not readable,\r\n1,payout,paid,"\r\nx,,Not readable,"\r\nno id,,Not readable,,\r\n',
  ])
    counter.take(piece)
  expect(counter.unreadable()).toEqual(['pay_77', 'no id'])
  expect(counter.count()).toBe(4)
})
