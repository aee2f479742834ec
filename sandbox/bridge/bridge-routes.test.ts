import { describe, expect, test } from 'vitest'
import {
  createBridgeSession,
  requestBridgePage,
  sendBankChoice,
} from '@/tests/sandbox/bridge-session'
import { createAccountNumber } from '@/tests/sandbox/link-bank-account'
import { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client, process } = startSandboxPerFile('--environment', 'both')

const deskOrigin = 'http://localhost:3000'
const makeManualAccountChoice = () => ({
  ...{
    way: 'typed',
    routing_number: '021000021',
    account_number: createAccountNumber(),
    account_type: 'checking',
  },
})
const sendChoice = (token: string, choice: unknown, headers: Record<string, string> = {}) =>
  sendBankChoice(process(), token, choice, headers)
const fetchBridgePage = (token: string, origin = deskOrigin) =>
  requestBridgePage(process(), token, origin)
const readFrameAncestors = (response: Response) =>
  /frame-ancestors ([^;]*)/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
const listPaykeys = async (customerId: string) =>
  (await client().ask(`/v1/paykeys?customer_id=${customerId}`)).json.data

describe('the page', () => {
  test('allows only its own script and style, is not cached and sends no referrer', async () => {
    const response = await fetchBridgePage((await createBridgeSession(client())).token)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/,
    )
    expect(policy).not.toContain('unsafe')
    const text = await response.text()
    expect(text).not.toMatch(/ style=|<style|<script>| on[a-z]+="/)
    for (const bank of ['JPMORGAN CHASE BANK, NA', 'Gringotts']) expect(text).toContain(bank)
  })

  test('does not put the token into the request log', async () => {
    const { token } = await createBridgeSession(client())
    await fetchBridgePage(token)
    await sendChoice(token, makeManualAccountChoice())
    expect(JSON.stringify((await client().control('requests')).data)).not.toContain(token)
  })

  test.each(['/bridge', '/bridge/paykeys'])('%s accepts only its own method', async (path) => {
    expect((await fetch(process().url + path, { method: 'PUT' })).status).toBe(405)
  })
})

describe('the origin that frames the page', () => {
  test.each(['http://localhost:3000', 'http://127.0.0.1:1', 'https://localhost'])(
    '%s is the only allowed one',
    async (origin) => {
      const response = await fetchBridgePage((await createBridgeSession(client())).token, origin)
      expect([response.status, readFrameAncestors(response)]).toEqual([200, origin])
    },
  )

  test('comes from the Referer if the URL does not contain it', async () => {
    const { token } = await createBridgeSession(client())
    const response = await requestBridgePage(process(), token, undefined, {
      referer: `${deskOrigin}/customers/7`,
    })
    expect([response.status, readFrameAncestors(response)]).toEqual([200, deskOrigin])
    expect(
      (await requestBridgePage(process(), token, undefined, { referer: 'https://evil.example/' }))
        .status,
    ).toBe(403)
  })

  test.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://localhost:3000/path',
    "http://localhost:1; script-src 'unsafe-inline'",
    'null',
    '*',
  ])('%s is rejected, and the error page cannot be framed', async (origin) => {
    const response = await fetchBridgePage((await createBridgeSession(client())).token, origin)
    expect([response.status, readFrameAncestors(response)]).toEqual([403, "'none'"])
    expect(await response.text()).toContain('may not be opened from this address')
  })

  test('is none for a page opened directly, whatever the Referer', async () => {
    const { token } = await createBridgeSession(client())
    const documentRequestHeaders = {
      'sec-fetch-dest': 'document',
      referer: 'https://mail.example/',
    }
    const response = await requestBridgePage(process(), token, undefined, documentRequestHeaders)
    expect([response.status, readFrameAncestors(response)]).toEqual([200, "'none'"])
  })
})

describe('a token', () => {
  test('is rejected on the page and in its request if it is invalid', async () => {
    for (const token of ['', 'nonsense']) {
      const response = await fetchBridgePage(token)
      expect([response.status, readFrameAncestors(response)]).toEqual([401, deskOrigin])
      expect(await response.text()).toContain(
        'data-refused="401" data-message="The bridge token is invalid."',
      )
      expect((await sendChoice(token || 'x', makeManualAccountChoice())).status).toBe(401)
    }
  })

  test('is rejected in the other environment', async () => {
    const productionServer = process().production
    if (!productionServer) throw new Error('no production')
    const { token } = await createBridgeSession(new SandboxClient(productionServer))
    expect((await fetchBridgePage(token)).status).toBe(401)
    expect((await sendChoice(token, makeManualAccountChoice())).status).toBe(401)
    const productionResponse = await requestBridgePage(productionServer, token, deskOrigin)
    expect([
      productionResponse.status,
      (await productionResponse.text()).includes('Will be rejected.'),
    ]).toEqual([200, false])
  })

  test.each([
    ['was deleted', 'There is no such customer in this account.'],
    ['was rejected', 'The customer was rejected and cannot link a bank account.'],
  ])('is rejected for a customer that %s', async (how, sentence) => {
    const { account, customer, token } = await createBridgeSession(client())
    const customerUpdateBody = {
      name: customer.name,
      email: customer.email,
      phone: customer.phone,
      status: 'rejected',
    }
    const deleteRequestOptions = how === 'was deleted' ? { method: 'DELETE' } : undefined
    const device = { ip_address: '198.51.100.23' }
    const customerChangeResponse = deleteRequestOptions
      ? await client().ask(`/v1/customers/${customer.id}`, deleteRequestOptions)
      : await client().put(
          `/v1/customers/${customer.id}`,
          { ...customerUpdateBody, device },
          account.headers,
        )
    expect(customerChangeResponse.status).toBe(200)
    const response = await fetchBridgePage(token)
    expect([response.status, (await response.text()).includes(sentence)]).toEqual([422, true])
    expect(await sendChoice(token, makeManualAccountChoice())).toMatchObject({
      status: 422,
      json: { error: { detail: sentence } },
    })
  })

  test('expires after four hours on the sandbox clock', async () => {
    const { token } = await createBridgeSession(client())
    await client().control('clock', { advance_seconds: 14_401 })
    const response = await fetchBridgePage(token)
    expect([
      response.status,
      (await response.text()).includes('The bridge token has expired.'),
    ]).toEqual([401, true])
    expect((await sendChoice(token, makeManualAccountChoice())).status).toBe(401)
  })
})

describe('a request from elsewhere than the page', () => {
  test.each([
    ['another origin', { origin: 'http://localhost:3000' }],
    ['no origin', { origin: '' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling', { 'sec-fetch-site': 'same-site' }],
  ])('with %s is rejected', async (_, headers) => {
    const { customer, token } = await createBridgeSession(client())
    expect((await sendChoice(token, makeManualAccountChoice(), headers)).status).toBe(403)
    expect(await listPaykeys(customer.id)).toEqual([])
  })

  test('as a form, which needs no CORS permission, is rejected', async () => {
    const { token } = await createBridgeSession(client())
    expect(
      (await sendChoice(token, makeManualAccountChoice(), { 'content-type': 'text/plain' })).status,
    ).toBe(400)
  })

  test('with an API key as the token is rejected', async () => {
    expect((await sendChoice(process().keys.full, makeManualAccountChoice())).status).toBe(401)
  })
})
