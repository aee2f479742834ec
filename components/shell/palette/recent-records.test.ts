import { expect, test } from 'vitest'
import { addRecentRecord, listRecentRecords, parseRecordUrl } from './recent-records'

const buildId = (n: number) => `018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e${String(n).padStart(2, '0')}`
const parseRecordAt = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://desk')
  return parseRecordUrl(pathname, searchParams)
}

test('a record is recognized on its own page and as the open row of a list', () => {
  expect(parseRecordAt(`/sandbox/payouts/${buildId(1)}?account=acct_y&of=acct_x`)).toEqual({
    environment: 'sandbox',
    resource: 'payouts',
    id: buildId(1),
    account: 'acct_x',
  })
  expect(parseRecordAt(`/sandbox/linked-bank-accounts/${buildId(1)}`)).toMatchObject({
    resource: 'linked_bank_accounts',
    account: null,
  })
  expect(parseRecordAt(`/sandbox/customers?open=${buildId(2)}`)).toMatchObject({
    resource: 'customers',
    id: buildId(2),
  })
})

test.each([
  '/sandbox/payouts',
  '/sandbox/payouts/new',
  `/sandbox/payments?open=${buildId(1)}`,
  `/sandbox/home/${buildId(1)}`,
  '/sign-in',
  '/',
])('%s is not a record', (url) => expect(parseRecordAt(url)).toBeNull())

test('keeps the newest eight records without duplicates, separately for each environment', () => {
  const records = Array.from({ length: 10 }, (_, n) =>
    parseRecordAt(`/sandbox/customers/${buildId(n)}`),
  )
  for (const record of records) if (record) addRecentRecord(record)
  expect(listRecentRecords('sandbox').map((record) => record.id)).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2].map(buildId),
  )
  const reopenedRecord = parseRecordAt(`/sandbox/customers/${buildId(5)}`)
  if (reopenedRecord) addRecentRecord(reopenedRecord)
  expect(listRecentRecords('sandbox').map((record) => record.id)).toEqual(
    [5, 9, 8, 7, 6, 4, 3, 2].map(buildId),
  )
  expect(listRecentRecords('production')).toEqual([])
  for (const record of records)
    if (record) addRecentRecord({ ...record, environment: 'production' })
  expect(listRecentRecords('production').map((record) => record.id)).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2].map(buildId),
  )
  expect(listRecentRecords('sandbox').map((record) => record.id)).toEqual(
    [5, 9, 8, 7, 6, 4, 3, 2].map(buildId),
  )
})
