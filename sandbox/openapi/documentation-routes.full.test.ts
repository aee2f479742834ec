import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { process } = startSandboxPerFile('--speed', '2')

const fetchPath = (path: string) => fetch(process().url + path)

test('/openapi.json is the document and needs no key', async () => {
  const response = await fetchPath('/openapi.json')
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ])
  const document = (await response.json()) as { openapi: string; paths: Record<string, unknown> }
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
  expect(document.paths).toMatchObject({
    '/v1/payouts/{id}/release': { put: { operationId: 'payouts.release' } },
  })
})

describe('the page at /', () => {
  test('shows its purpose, the location of the keys and its state, but no key', async () => {
    const pageHtml = await (await fetchPath('/')).text()
    for (const expectedText of [
      'href="/reference"',
      'href="/openapi.json"',
      'api-keys.json',
      'Service-Account-Id',
      '2 times as fast',
      '600 payments',
      'On, under /sandbox',
    ]) {
      expect(pageHtml).toContain(expectedText)
    }
    for (const key of Object.values(process().keys)) expect(pageHtml).not.toContain(key)
    expect(pageHtml).not.toContain(process().data)
  })

  test('loads no external resource and allows only its own style', async () => {
    const response = await fetchPath('/')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none';.*style-src 'sha256-[\w+/]{43}='/)
    expect(policy).not.toContain('script')
    expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//)
  })
})

describe('the reference page', () => {
  test('runs scripts of this origin only', async () => {
    const response = await fetchPath('/reference')
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
    const text = await response.text()
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//)
    const assetPaths = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(assetPaths).toHaveLength(4)
    for (const assetPath of assetPaths) {
      const assetResponse = await fetchPath(assetPath)
      expect([assetPath, assetResponse.status, assetResponse.headers.get('content-type')]).toEqual([
        assetPath,
        200,
        expect.stringMatching(assetPath.endsWith('.css') ? /^text\/css/ : /^text\/javascript/),
      ])
      expect((await assetResponse.text()).length).toBeGreaterThan(100)
    }
  })

  test.each(['/reference/index.html', '/reference/..%2fpackage.json', '/reference/swagger-ui.js'])(
    '%s is not served',
    async (path) => {
      expect((await fetchPath(path)).status).toBe(404)
    },
  )
})
