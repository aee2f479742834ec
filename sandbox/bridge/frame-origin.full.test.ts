import { describe, expect, test } from 'vitest'
import { chooseOnPage, createBridgeSession, openBridge } from '@/tests/sandbox/bridge-session'
import { newAccountNumber } from '@/tests/sandbox/link-bank-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const allowedOrigins = ['https://desk.example.com', 'https://other.example.com:8443']

const { client, process } = startSandboxPerFile('--tls', ...allowedOrigins.flatMap((origin) => ['--bridge-origin', origin]))

describe('with origins configured at the start, over TLS', () => {
  test.each(allowedOrigins)('%s may frame the page', async (origin) => {
    const response = await openBridge(process(), (await createBridgeSession(client())).token, origin)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${origin}`)
  })

  test.each(['http://localhost:3000', 'http://desk.example.com', 'https://other.example.com'])('%s may not frame it', async (origin) => {
    expect((await openBridge(process(), (await createBridgeSession(client())).token, origin)).status).toBe(403)
  })

  test('the page links an account and accepts only its own HTTPS origin', async () => {
    const { token } = await createBridgeSession(client())
    const choice = { way: 'typed', routing_number: '021000021', account_number: newAccountNumber(), account_type: 'checking' }
    const httpOrigin = process().url.replace('https:', 'http:')
    expect((await chooseOnPage(process(), token, choice, { origin: httpOrigin })).status).toBe(403)
    expect((await chooseOnPage(process(), token, choice)).status).toBe(201)
  })
})
