import { describe, expect, test } from 'vitest'
import {
  createBridgeSession,
  requestBridgePage,
  sendBankChoice,
} from '@/tests/sandbox/bridge-session'
import { createAccountNumber } from '@/tests/sandbox/link-bank-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const allowedOrigins = ['https://desk.example.com', 'https://other.example.com:8443']

const { client, process } = startSandboxPerFile(
  '--tls',
  ...allowedOrigins.flatMap((origin) => ['--bridge-origin', origin]),
)

describe('with origins configured at the start, over TLS', () => {
  test.each(allowedOrigins)('%s may frame the page', async (origin) => {
    const response = await requestBridgePage(
      process(),
      (await createBridgeSession(client())).token,
      origin,
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${origin}`)
  })

  test.each(['http://localhost:3000', 'http://desk.example.com', 'https://other.example.com'])(
    '%s may not frame it',
    async (origin) => {
      expect(
        (await requestBridgePage(process(), (await createBridgeSession(client())).token, origin))
          .status,
      ).toBe(403)
    },
  )

  test('the page links an account and accepts only its own HTTPS origin', async () => {
    const { token } = await createBridgeSession(client())
    const manualAccountChoice = {
      way: 'typed',
      routing_number: '021000021',
      account_number: createAccountNumber(),
      account_type: 'checking',
    }
    const httpOrigin = process().url.replace('https:', 'http:')
    expect(
      (await sendBankChoice(process(), token, manualAccountChoice, { origin: httpOrigin })).status,
    ).toBe(403)
    expect((await sendBankChoice(process(), token, manualAccountChoice)).status).toBe(201)
  })
})
