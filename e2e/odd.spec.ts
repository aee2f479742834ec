import type { Page } from '@playwright/test'
import { mirrorApiPath } from '@/lib/routes'
import { goTo, waitUntilLoaded } from './desk'
import { pathFinders } from './every-page'
import { expect } from './fixtures'
import { test } from './own-desk'
import { confirmPassword } from './person'
import { createSandboxControl } from './sandbox'

/**
 * The first of two seeds for the sandbox's malformed responses. It changes every day, so that the
 * tests cover many seeds over time. The command `npm run chaos -- odd` tests a thousand seeds
 * without a browser.
 */
const firstSeed = (Math.floor(Date.now() / 86_400_000) % 500) * 2 + 1

// Runs in sequence, because these tests use the same sandbox and each changes its dialect (the
// format of its responses).
test.describe.configure({ mode: 'serial' })

/**
 * The path of every page. They are found before the tests, while the sandbox still sends normal
 * responses.
 */
let pagePaths: [name: string, path: string][]

test.beforeAll(async ({ browser, inviter, deskUrl, sandboxUrl }) => {
  const context = await browser.newContext({ baseURL: deskUrl, storageState: inviter.state })
  await confirmPassword(context.request, deskUrl)
  const page = await context.newPage()
  const sandbox = createSandboxControl(sandboxUrl, async (path, query) => {
    const response = await page.request.get(mirrorApiPath('sandbox', path, query))
    return ((await response.json()) as { data: { id: string; status: string }[] }).data
  })
  pagePaths = []
  for (const [name, findPath] of Object.entries(pathFinders))
    pagePaths.push([name, await findPath(page, sandbox, deskUrl)])
  await context.close()
})

const getFailureHeading = (page: Page) =>
  page.getByRole('heading', { name: /could not be shown|could not show/ })

for (const seed of [firstSeed, firstSeed + 1]) {
  test(`seed ${seed}: every page renders without console errors`, { tag: '@full' }, async ({
    signIn,
    sandboxUrl,
    troubles,
  }) => {
    test.slow()
    const page = await signIn('admin')
    const dialectResponse = await page.request.post(`${sandboxUrl}/sandbox/dialect`, {
      data: { name: 'odd', seed },
    })
    expect(dialectResponse.ok()).toBe(true)
    for (const [name, path] of pagePaths) {
      await test.step(name, async () => {
        await goTo(page, path)
        await waitUntilLoaded(page)
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(/\S/)
        await expect(getFailureHeading(page)).toHaveCount(0)
        expect(troubles, name).toEqual([])
      })
    }
  })
}
