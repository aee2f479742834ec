import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'hono/jwt'
import { afterAll, describe, expect, test } from 'vitest'
import { Clock } from '@/sandbox/store/clock'
import { SqliteStore, settingsTableSql } from '@/sandbox/store/store'
import { buildBankAccountBody, linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { type BridgeGrant, signBridgeToken, verifyBridgeToken } from './bridge-token'

const { client } = startSandboxPerFile()

const folder = mkdtempSync(join(tmpdir(), 'bridge-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let storeCount = 0
function makeSandbox(environment: 'sandbox' | 'production' = 'sandbox') {
  const store = new SqliteStore(join(folder, `${++storeCount}.db`))
  store.exec(settingsTableSql)
  return { store, environment, clock: new Clock(store) }
}

const grant: BridgeGrant = {
  jti: 'one',
  customer_id: '01890000-0000-7000-8000-000000000001',
  account_id: '01890000-0000-7000-8000-000000000002',
  ...{ sandbox_outcome: 'review', processing_method: 'inline', external_id: null },
}

describe('initialize', () => {
  const initializeBridge = async (overrides: Record<string, unknown> = {}) => {
    const account = await findAccountWithConfiguration(client(), {
      allow_paykey_verification_skip: false,
    })
    const customer = await createTestCustomer(client(), account)
    const initializeResponse = await client().post(
      '/v1/bridge/initialize',
      { customer_id: customer.id, ...overrides },
      account.headers,
    )
    return { account, customer, answer: initializeResponse }
  }

  test('returns a token that is valid for four hours and contains customer and outcome', async () => {
    const config = { sandbox_outcome: 'review', processing_method: 'background' }
    const { account, customer, answer } = await initializeBridge({
      config,
      external_id: 'bridge-1',
    })
    const { bridge_token } = answer.json.data as { bridge_token: string }
    const { header, payload } = decode(bridge_token)
    expect([answer.status, header]).toEqual([201, { alg: 'HS256', typ: 'JWT' }])
    expect(payload).toEqual({
      ...{
        customer_id: customer.id,
        account_id: account.id,
        environment: 'sandbox',
        ...config,
        external_id: 'bridge-1',
      },
      ...{ jti: expect.any(String), iat: expect.any(Number), exp: Number(payload.iat) + 14_400 },
    })
  })

  test('creates no paykey or event, and uses defaults for omitted values', async () => {
    const { customer, answer } = await initializeBridge()
    const { payload } = decode((answer.json.data as { bridge_token: string }).bridge_token)
    expect(payload).toMatchObject({
      sandbox_outcome: 'standard',
      processing_method: 'inline',
      external_id: null,
    })
    expect((await client().ask(`/v1/paykeys?customer_id=${customer.id}`)).json.data).toEqual([])
  })

  test.each([
    [422, { metadata: { note: 'none here' } }],
    [422, { customer_id: '01890000-0000-7000-8000-000000000000' }],
    [403, { config: { processing_method: 'skip' } }],
  ])('is rejected with %i: %j', async (status, overrides) => {
    expect((await initializeBridge(overrides)).answer.status).toBe(status)
  })

  test('is rejected if the external ID is in use', async () => {
    const account = await findAccountWithConfiguration(client())
    const customer = await createTestCustomer(client(), account)
    const { external_id } = await linkBankAccount(client(), account, customer.id, {
      external_id: `taken-${customer.id}`,
    })
    const { customer_id } = buildBankAccountBody(customer.id)
    const refusedResponse = await client().post(
      '/v1/bridge/initialize',
      { customer_id, external_id },
      account.headers,
    )
    expect([refusedResponse.status, refusedResponse.json.error?.items]).toEqual([
      422,
      [expect.objectContaining({ reference: 'external_id' })],
    ])
  })
})

describe('a token', () => {
  test('is valid in the sandbox that signed it', async () => {
    const sandbox = makeSandbox()
    const token = signBridgeToken(sandbox, grant, sandbox.clock.now())
    expect(await verifyBridgeToken(sandbox, token)).toMatchObject({
      ...grant,
      environment: 'sandbox',
    })
  })

  test('expires after four hours on the sandbox clock, also if that clock is ahead', async () => {
    const sandbox = makeSandbox()
    sandbox.clock.shift(30 * 86_400_000)
    const token = signBridgeToken(sandbox, grant, sandbox.clock.now())
    sandbox.clock.shift(sandbox.clock.offset + 14_390_000)
    expect((await verifyBridgeToken(sandbox, token)).jti).toBe('one')
    sandbox.clock.shift(sandbox.clock.offset + 11_000)
    await expect(verifyBridgeToken(sandbox, token)).rejects.toMatchObject({
      status: 401,
      detail: 'The bridge token has expired.',
    })
  })

  test('is rejected if it is from another sandbox, changed, unsigned or malformed', async () => {
    const sandbox = makeSandbox()
    const token = signBridgeToken(sandbox, grant, sandbox.clock.now())
    const [header, payload = '', signature] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const forgedPayload = Buffer.from(
      JSON.stringify({ ...claims, sandbox_outcome: 'active' }),
    ).toString('base64url')
    const unsignedHeader = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString(
      'base64url',
    )
    const otherSandbox = makeSandbox()
    for (const invalidToken of [
      `${header}.${forgedPayload}.${signature}`,
      `${unsignedHeader}.${payload}.`,
      'nonsense',
      '',
      signBridgeToken(otherSandbox, grant, 0),
    ]) {
      await expect(verifyBridgeToken(sandbox, invalidToken)).rejects.toMatchObject({
        status: 401,
        detail: 'The bridge token is invalid.',
      })
    }
    await expect(verifyBridgeToken(makeSandbox(), token)).rejects.toMatchObject({ status: 401 })
  })

  test('is rejected in the other environment, even with the same secret', async () => {
    const sandbox = makeSandbox()
    const token = signBridgeToken(sandbox, grant, sandbox.clock.now())
    const pendingVerification = verifyBridgeToken({ ...sandbox, environment: 'production' }, token)
    await expect(pendingVerification).rejects.toMatchObject({
      status: 401,
      detail: 'The bridge token belongs to another environment.',
    })
  })
})
