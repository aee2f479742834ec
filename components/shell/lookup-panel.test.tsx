import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanup, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import type { Desk } from '@/lib/client/desk'
import { queryClient } from '@/lib/client/query-client'
import { LookupPanel } from './lookup-panel'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const account = `acct_${id.replace('018f', '0190')}`
const desk: Desk = {
  environment: 'sandbox',
  environments: ['sandbox'],
  account: null,
  needsAccount: false,
  denied: null,
  accounts: [{ id: account, name: 'Acme Payroll', status: 'active' }],
  accountsError: null,
  person: { id: 'p', name: 'Omar', email: 'omar@paydesk.test', roles: ['operator'] },
  amountUnit: 'minor',
  embedded: true,
}

const payout = { id, amount: '10000', currency: 'USD', status: 'on_hold', customer_details: { id, name: 'Ron Stone' } }
const found = (data: unknown) => ({ status: 200, body: { meta: { request_id: 'r' }, data } })
const missing = { status: 404, body: { error: { code: 'service_not_found' } } }
const busy = { status: 503, body: { error: { code: 'service_busy', detail: 'try again in 3 s' } } }

let answers: Record<string, { status: number; body: unknown }> = {}
let asked: string[] = []
let server: Server
beforeAll(async () => {
  server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '', 'http://desk')
    const resource = url.pathname.split('/')[4] ?? ''
    asked.push(resource)
    const { status, body } = answers[resource] ?? missing
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())
beforeEach(() => {
  answers = { payments: found([]) }
  asked = []
  queryClient().clear()
})
afterEach(cleanup)

const look = (text: string, { search = '', needsAccount = false } = {}) =>
  render(
    <SearchParamsContext value={new URLSearchParams(search)}>
      <DeskProvider desk={{ ...desk, needsAccount }}>
        <LookupPanel asked={text} onDone={() => {}} />
      </DeskProvider>
    </SearchParamsContext>,
  )

test('a payout is found once, with the way to it in the same scope', async () => {
  answers = { payouts: found(payout), payments: found([{ ...payout, payment_type: 'payout' }]) }
  look(id, { search: `account=${account}` })
  await screen.findByText(/Searched payouts, payments, customers, paykeys, accounts in Acme Payroll, sandbox/)
  const links = screen.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([`/sandbox/payouts/${id}?account=${account}`])
  expect(links[0]?.textContent).toContain('100.00 USD to Ron Stone')
})

test('a customer leads to the payouts to them', async () => {
  answers = { ...answers, customers: found({ id, name: 'Ron Stone', status: 'verified' }) }
  look(id)
  expect((await screen.findByRole('link')).getAttribute('href')).toBe(`/sandbox/payouts?customer_id=${id}`)
})

test('an account id asks for accounts alone and leads into its scope', async () => {
  answers = { accounts: found({ id, status: 'active', business_profile: { name: 'Acme' } }) }
  look(`acct_${id}`, { needsAccount: true })
  expect((await screen.findByRole('link')).getAttribute('href')).toBe(`/sandbox/payouts?account=acct_${id}`)
  expect(asked).toEqual(['accounts'])
})

test('found nowhere says where was looked', async () => {
  look(id)
  await screen.findByText('Nothing with this id')
  expect(screen.getByText(/in the whole platform, sandbox/)).toBeTruthy()
})

test('what could not be searched is never told as absent', async () => {
  answers = { ...answers, paykeys: busy }
  look(id)
  await screen.findByText('Not found where we could look')
  expect(screen.getByText(/Could not search paykeys: try again in 3 s/)).toBeTruthy()
  expect(screen.queryByText(/Searched .*paykeys/)).toBeNull()
})

test('without a scope nothing is asked', () => {
  look(id, { needsAccount: true })
  expect(screen.getByText(/Choose an account first/)).toBeTruthy()
  expect(asked).toEqual([])
})

test('words are told that ids are meant', () => {
  look('Ron Stone')
  expect(screen.getByText(/Only ids can be searched here/)).toBeTruthy()
  expect(asked).toEqual([])
})
