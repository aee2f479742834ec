import { expect, test } from 'vitest'
import { noteRecord, recentRecords, recordIn } from './recent-records'

const id = (n: number) => `018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e${String(n).padStart(2, '0')}`
const at = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://desk')
  return recordIn(pathname, searchParams)
}

test('a record is recognized on its own page and as the open row of a list', () => {
  expect(at(`/sandbox/payouts/${id(1)}?account=acct_y&of=acct_x`)).toEqual({
    environment: 'sandbox',
    resource: 'payouts',
    id: id(1),
    account: 'acct_x',
  })
  expect(at(`/sandbox/linked-bank-accounts/${id(1)}`)).toMatchObject({ resource: 'linked_bank_accounts', account: null })
  expect(at(`/sandbox/customers?open=${id(2)}`)).toMatchObject({ resource: 'customers', id: id(2) })
})

test.each(['/sandbox/payouts', '/sandbox/payouts/new', `/sandbox/payments?open=${id(1)}`, `/sandbox/home/${id(1)}`, '/sign-in', '/'])(
  '%s is not a record',
  (url) => expect(at(url)).toBeNull(),
)

test('keeps the newest eight records without duplicates, separately for each environment', () => {
  const records = Array.from({ length: 10 }, (_, n) => at(`/sandbox/customers/${id(n)}`))
  for (const record of records) if (record) noteRecord(record)
  expect(recentRecords('sandbox').map((record) => record.id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map(id))
  const reopenedRecord = at(`/sandbox/customers/${id(5)}`)
  if (reopenedRecord) noteRecord(reopenedRecord)
  expect(recentRecords('sandbox').map((record) => record.id)).toEqual([5, 9, 8, 7, 6, 4, 3, 2].map(id))
  expect(recentRecords('production')).toEqual([])
})
