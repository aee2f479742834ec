import { describe, expect, test } from 'vitest'
import { readCustomerReview, type TestCustomer } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

describe('a seeded review', () => {
  const listSeededCustomers = async (status: string) => {
    const customersInStatus = (await client().ask(`/v1/customers?status=${status}&page_size=1000`))
      .json.data as TestCustomer[]
    return Promise.all(
      customersInStatus
        .filter(({ external_id }) => String(external_id).startsWith('cust-'))
        .map(({ id }) => readCustomerReview(client(), id)),
    )
  }

  test('explains each code that it uses, and all reviews cover every kind of finding', async () => {
    const customersInReview = await listSeededCustomers('review')
    for (const { identity_details } of customersInReview) {
      expect(identity_details.decision).toBe('review')
      const usedIdentityCodes = new Set(
        JSON.stringify({ ...identity_details, messages: {} }).match(
          /(?<=")(I|R|BI|BR|BV)\d+(?=")/g,
        ),
      )
      expect([...usedIdentityCodes].toSorted()).toEqual(
        Object.keys(identity_details.messages).toSorted(),
      )
    }
    const reviewsText = JSON.stringify(
      customersInReview.map(({ identity_details }) => identity_details),
    )
    const expectedFindingTexts = [
      '"list_name"',
      '"ssn":false',
      'R1014',
      'R29',
      'R551',
      'R901',
      'BR301',
      '"card_stopped_transactions_count":1',
    ]
    expect(expectedFindingTexts.filter((trace) => !reviewsText.includes(trace))).toEqual([])
  })

  test('includes a hostile name of every kind', async () => {
    const customerNames = (await listSeededCustomers('review')).map(({ customer_details }) =>
      String(customer_details.name),
    )
    const hostileNamePatterns = [
      /<script>/,
      /\u202E/,
      /\p{Extended_Pictographic}/u,
      /DROP TABLE/,
      /^.{200}$/,
      /[\u0600-\u06FF]/,
    ]
    expect(
      hostileNamePatterns.filter((pattern) => !customerNames.some((name) => pattern.test(name))),
    ).toEqual([])
  })

  test('exists for a rejected, inactive and verified customer, but not for a pending one', async () => {
    for (const status of ['rejected', 'inactive', 'verified', 'pending']) {
      const [customer] = (await client().ask(`/v1/customers?status=${status}&sort_by=created_at`))
        .json.data as TestCustomer[]
      const { identity_details } = await readCustomerReview(client(), customer?.id ?? '')
      expect(identity_details === null, status).toBe(status === 'pending')
    }
  })
})
