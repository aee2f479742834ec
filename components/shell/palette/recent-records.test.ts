import { expect, test } from 'vitest'
import { listRecentRecords, noteRecord, parseRecordUrl } from './recent-records'

const id = (n: number) => `018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e${String(n).padStart(2, '0')}`
const parseRecordAt = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://desk')
  return parseRecordUrl(pathname, searchParams)
}

test('a record is recognized on its own page and as the open row of a list', () => {
  expect(parseRecordAt(`/sandbox/payouts/${id(1)}?account=acct_y&of=acct_x`)).toEqual({
    environment: 'sandbox',
    resource: 'payouts',
    id: id(1),
    account: 'acct_x',
  })
  expect(parseRecordAt(`/sandbox/linked-bank-accounts/${id(1)}`)).toMatchObject({ resource: 'linked_bank_accounts', account: null })
  expect(parseRecordAt(`/sandbox/customers?open=${id(2)}`)).toMatchObject({ resource: 'customers', id: id(2) })
})

test.each(['/sandbox/payouts', '/sandbox/payouts/new', `/sandbox/payments?open=${id(1)}`, `/sandbox/home/${id(1)}`, '/sign-in', '/'])(
  '%s is not a record',
  (url) => expect(parseRecordAt(url)).toBeNull(),
)

test('keeps the newest eight records without duplicates, separately for each environment', () => {
  const records = Array.from({ length: 10 }, (_, n) => parseRecordAt(`/sandbox/customers/${id(n)}`))
  for (const record of records) if (record) noteRecord(record)
  expect(listRecentRecords('sandbox').map((record) => record.id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map(id))
  const reopenedRecord = parseRecordAt(`/sandbox/customers/${id(5)}`)
  if (reopenedRecord) noteRecord(reopenedRecord)
  expect(listRecentRecords('sandbox').map((record) => record.id)).toEqual([5, 9, 8, 7, 6, 4, 3, 2].map(id))
  expect(listRecentRecords('production')).toEqual([])
})
