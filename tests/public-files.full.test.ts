import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInPath } from '@/lib/routes'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

const typeByExtension: Readonly<Record<string, string>> = {
  ico: 'image/x-icon',
  mjs: 'application/javascript; charset=UTF-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=UTF-8',
  webmanifest: 'application/manifest+json',
}
const publicFiles = readdirSync('public')

let testStack: WholeDesk

beforeAll(async () => {
  testStack = await openSharedDesk()
})
afterAll(() => testStack?.stop())

const requestFile = (path: string, method = 'GET') =>
  fetch(`${testStack.dashboard.url}${path}`, { method, redirect: 'manual' })

test('there are icons, a manifest and a robots.txt', () => {
  expect(publicFiles).toEqual(
    expect.arrayContaining([
      'apple-touch-icon.png',
      'favicon.ico',
      'icon.svg',
      'icon-maskable-512.png',
      'manifest.webmanifest',
      'robots.txt',
    ]),
  )
})

describe.each(publicFiles)('%s', (file) => {
  test('is served without a session, complete, with its own type and cached for a day', async () => {
    const fileResponse = await requestFile(`/${file}`)
    expect([fileResponse.status, fileResponse.headers.get('content-type')]).toEqual([
      200,
      typeByExtension[file.split('.').at(-1) ?? ''],
    ])
    expect(
      Buffer.from(await fileResponse.arrayBuffer()).equals(readFileSync(`public/${file}`)),
    ).toBe(true)
    expect(fileResponse.headers.get('cache-control')).toBe('public, max-age=86400')
    expect((await requestFile(`/${file}`, 'HEAD')).status).toBe(200)
    expect((await requestFile(`/${file}`, 'POST')).status).toBe(405)
  })

  test('has the headers of every response, and a policy that allows nothing', async () => {
    const { headers } = await requestFile(`/${file}`)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toContain('max-age')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test.each([`/${file}.bak`, `/${file}/more`, `/x/${file}`])(
    'does not match the path %s',
    async (path) => {
      const redirectResponse = await requestFile(path)
      expect([
        redirectResponse.status,
        new URL(redirectResponse.headers.get('location') ?? '', testStack.dashboard.url).pathname,
      ]).toEqual([307, signInPath()])
      expect(redirectResponse.headers.get('content-security-policy')).toContain(
        "script-src 'self' 'nonce-",
      )
    },
  )
})

test('robots.txt disallows everything', async () => {
  expect(await (await requestFile('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n')
})

test('a page links its icons and its manifest', async () => {
  const html = await (await requestFile(signInPath())).text()
  for (const link of [
    '<link rel="manifest" href="/manifest.webmanifest"/>',
    '<link rel="icon" href="/favicon.ico" sizes="32x32"/>',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml"/>',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png" sizes="180x180"/>',
  ]) {
    expect(html).toContain(link)
  }
})
