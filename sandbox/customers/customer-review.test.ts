import { describe, expect, test } from 'vitest'
import { judgeMove } from '@/sandbox/machine'
import { createOwnCustomer, findAccountWith, type OwnCustomer } from '@/tests/sandbox/own-customer'
import { sandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { type CustomerStatus, customerStatuses } from './customer-schema'
import { customerMachine, statusAfterMove } from './customer-store'

const { client } = sandboxPerFile()

type Review = { customer_details: OwnCustomer; identity_details: Record<string, unknown> & { messages: Record<string, string> } }

const read = async (id: string) => (await client().ask(`/v1/customers/${id}`)).json.data as OwnCustomer
const review = async (id: string) => (await client().ask(`/v1/customers/${id}/review`)).json.data as Review
const refresh = (id: string) => client().ask(`/v1/customers/${id}/refresh_review`, { method: 'PUT' })
const wait = (seconds: number) => client().control('clock', { advance_seconds: seconds })
const events = async (id: string) => (await client().control(`events?object_id=${id}`)).data.map((event) => event.type)

const json = { 'content-type': 'application/json' }
const decide = (id: string, status: string) =>
  client().ask(`/v1/customers/${id}/review`, { method: 'PATCH', body: JSON.stringify({ status }), headers: json })

const update = (customer: OwnCustomer, overrides: Record<string, unknown> = {}) =>
  client().put(`/v1/customers/${customer.id}`, {
    ...{ name: customer.name, email: customer.email, phone: customer.phone, status: customer.status },
    device: { ip_address: '0.0.0.0' },
    ...overrides,
  })

async function makeCustomerInStatus(status: CustomerStatus): Promise<OwnCustomer> {
  const account = await findAccountWith(client())
  const inactive = status === 'inactive'
  const config = status === 'pending' ? { processing_method: 'background' } : { sandbox_outcome: inactive ? 'verified' : status }
  const createdCustomer = await createOwnCustomer(client(), account, { config })
  if (inactive) await update(createdCustomer, { status })
  return read(createdCustomer.id)
}

const moveRequests = {
  decide_verified: ({ id }: OwnCustomer) => decide(id, 'verified'),
  decide_rejected: ({ id }: OwnCustomer) => decide(id, 'rejected'),
  set_pending: (customer: OwnCustomer) => update(customer, { status: 'pending' }),
  set_review: (customer: OwnCustomer) => update(customer, { status: 'review' }),
  set_verified: (customer: OwnCustomer) => update(customer, { status: 'verified' }),
  set_rejected: (customer: OwnCustomer) => update(customer, { status: 'rejected' }),
  set_inactive: (customer: OwnCustomer) => update(customer, { status: 'inactive' }),
  refresh: ({ id }: OwnCustomer) => refresh(id),
} as const

describe('each transition of the table', () => {
  const rows = Object.entries(moveRequests).flatMap(([name, ask]) => customerStatuses.map((status) => ({ name, status, ask })))

  test.each(rows)('$name from $status', async ({ name, status, ask }) => {
    const move = name as keyof typeof moveRequests
    const verdict = judgeMove(customerMachine, move, status)
    const before = await makeCustomerInStatus(status)
    const answer = await ask(before)
    expect(await read(before.id)).toEqual(verdict === 'refused' ? before : answer.json.data)
    if (verdict === 'refused') {
      expect(answer.status).toBe(422)
      expect(answer.json.error).toMatchObject({ type: '/validation_error', detail: expect.stringContaining(`in status ${status}`) })
      expect(answer.json.error).not.toHaveProperty('items')
    } else {
      const to = statusAfterMove(move, status)
      expect([answer.status, answer.json.data]).toEqual([name === 'refresh' ? 202 : 200, expect.objectContaining({ status: to })])
      expect((await client().effects(before.id)).at(-1)).toMatchObject({ from: status, to })
    }
  })

  test('the tests cover every requested transition except the deletion', () => {
    const names = Object.entries(customerMachine.moves).flatMap(([name, { by }]) => (by === 'ask' ? [name] : []))
    expect(names.toSorted()).toEqual([...Object.keys(moveRequests), 'delete'].toSorted())
  })

  test.each(customerStatuses)('a customer in %s can be deleted', async (status) => {
    const { id } = await makeCustomerInStatus(status)
    expect((await client().ask(`/v1/customers/${id}`, { method: 'DELETE' })).status).toBe(200)
    await wait(10)
    expect((await client().ask(`/v1/customers/${id}`)).status).toBe(404)
  })
})

describe('a decision', () => {
  test('accepts only verified or rejected', async () => {
    const { id } = await makeCustomerInStatus('review')
    const answer = await decide(id, 'inactive')
    expect(answer.json.error).toMatchObject({ status: 422, items: [{ reference: 'status' }] })
  })

  test('sends an event and ends a running verification', async () => {
    const { id } = await makeCustomerInStatus('review')
    await refresh(id)
    await decide(id, 'rejected')
    await wait(10)
    expect((await read(id)).status).toBe('rejected')
    expect(await events(id)).toEqual(['customer.created.v1', ...Array(3).fill('customer.event.v1')])
  })
})

describe('a verification in the background', () => {
  test.each([
    ['standard', 'verified'],
    ['review', 'review'],
    ['rejected', 'rejected'],
  ])('with the outcome %s is pending first and then %s', async (sandbox_outcome, status) => {
    const config = { processing_method: 'background', sandbox_outcome }
    const createdCustomer = await createOwnCustomer(client(), await findAccountWith(client()), { config })
    expect(createdCustomer.status).toBe('pending')
    expect((await review(createdCustomer.id)).identity_details).toBeNull()
    await wait(10)
    const after = await read(createdCustomer.id)
    expect(after.status).toBe(status)
    expect(Date.parse(after.updated_at) - Date.parse(createdCustomer.updated_at)).toBe(8_000)
    expect(await events(createdCustomer.id)).toEqual(['customer.created.v1', 'customer.event.v1', 'customer.event.v1'])
    expect(await client().effects(createdCustomer.id)).toHaveLength(1)
  })
})

describe('a repeated verification', () => {
  test('has new findings after a delay and ends with the configured outcome', async () => {
    const { id } = await makeCustomerInStatus('review')
    const before = (await review(id)).identity_details
    await decide(id, 'verified')
    expect((await refresh(id)).json.data).toMatchObject({ status: 'verified' })
    expect((await review(id)).identity_details).toEqual(before)
    await wait(10)
    const { customer_details, identity_details } = await review(id)
    expect([customer_details.status, identity_details.decision]).toEqual(['review', 'review'])
    expect(identity_details.review_id).not.toBe(before.review_id)
    expect(identity_details.breakdown).toEqual(before.breakdown)
  })

  test('runs after a changed identity, unless the status was set manually', async () => {
    const account = await findAccountWith(client())
    const config = { sandbox_outcome: 'review' }
    const [renamed, set] = [await createOwnCustomer(client(), account, { config }), await createOwnCustomer(client(), account, { config })]
    await decide(renamed.id, 'verified')
    await update({ ...renamed, status: 'verified' }, { name: 'Somebody Else' })
    await update(set, { name: 'Somebody Else', status: 'rejected' })
    await wait(10)
    expect([(await read(renamed.id)).status, (await read(set.id)).status]).toEqual(['review', 'rejected'])
  })
})

test('does not run after an update without a changed identity', async () => {
  const createdCustomer = await createOwnCustomer(client(), await findAccountWith(client()), { config: { sandbox_outcome: 'review' } })
  await decide(createdCustomer.id, 'verified')
  await update({ ...createdCustomer, status: 'verified' }, { metadata: { note: 'called back' } })
  await wait(10)
  expect((await read(createdCustomer.id)).status).toBe('verified')
})

describe('payments of a customer in review', () => {
  test.each([
    ['verified', 'created'],
    ['rejected', 'failed'],
  ])('if it is %s, its waiting payments become %s', async (decision, status) => {
    const { id } = await makeCustomerInStatus('review')
    const account = await findAccountWith(client())
    const overrides = { reason: 'watchtower_review', source: 'watchtower', customer_id: id, account_id: account.id }
    const waiting = await client().payout({ status: 'on_hold', ...overrides })
    expect((await decide(id, decision)).status).toBe(200)
    expect((await client().ask(`/v1/payouts/${waiting.id}`)).json.data).toMatchObject({ status })
  })
})

describe('a seeded review', () => {
  const seeded = async (status: string) => {
    const all = (await client().ask(`/v1/customers?status=${status}&page_size=1000`)).json.data as OwnCustomer[]
    return Promise.all(all.filter(({ external_id }) => String(external_id).startsWith('cust-')).map(({ id }) => review(id)))
  }

  test('explains each code that it uses, and all reviews cover every kind of finding', async () => {
    const found = await seeded('review')
    for (const { identity_details } of found) {
      expect(identity_details.decision).toBe('review')
      const used = new Set(JSON.stringify({ ...identity_details, messages: {} }).match(/(?<=")(I|R|BI|BR|BV)\d+(?=")/g))
      expect([...used].toSorted()).toEqual(Object.keys(identity_details.messages).toSorted())
    }
    const text = JSON.stringify(found.map(({ identity_details }) => identity_details))
    const traces = ['"list_name"', '"ssn":false', 'R1014', 'R29', 'R551', 'R901', 'BR301', '"card_stopped_transactions_count":1']
    expect(traces.filter((trace) => !text.includes(trace))).toEqual([])
  })

  test('includes a hostile name of every kind', async () => {
    const names = (await seeded('review')).map(({ customer_details }) => String(customer_details.name))
    const hostile = [/<script>/, /\u202E/, /\p{Extended_Pictographic}/u, /DROP TABLE/, /^.{200}$/, /[\u0600-\u06FF]/]
    expect(hostile.filter((pattern) => !names.some((name) => pattern.test(name)))).toEqual([])
  })

  test('exists for a rejected, inactive and verified customer, but not for a pending one', async () => {
    for (const status of ['rejected', 'inactive', 'verified', 'pending']) {
      const [customer] = (await client().ask(`/v1/customers?status=${status}&sort_by=created_at`)).json.data as OwnCustomer[]
      const { identity_details } = await review(customer?.id ?? '')
      expect(identity_details === null, status).toBe(status === 'pending')
    }
  })
})
