import type { Page } from '@playwright/test'
import { homePath, payoutsPath, profilePath } from '@/lib/routes'
import { goTo, listAccounts, waitUntilLoaded } from './desk'
import { pathFinders } from './every-page'
import { expect, test } from './fixtures'
import { findOddLinks, findSmallControls, findZoomedFields, measureTitle } from './measure'
import { getPersonOfPage } from './person'

/** Calls `check` on each page of Paydesk with the page's folder. Returns the results by folder. */
async function checkEveryPage<T>(
  page: Page,
  paths: ReadonlyMap<string, string>,
  check: (page: Page) => Promise<T>,
): Promise<Record<string, T>> {
  const results: Record<string, T> = {}
  for (const [name, path] of paths) {
    await test.step(name, async () => {
      await goTo(page, path)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await waitUntilLoaded(page)
      results[name] = await check(page)
    })
  }
  return results
}

const findEveryPath = async (...found: Parameters<(typeof pathFinders)[string]>) => {
  const paths = new Map<string, string>()
  for (const [name, findPath] of Object.entries(pathFinders))
    paths.set(name, await findPath(...found))
  return paths
}

/** Returns the entries with a result, so that a failure shows only these pages. */
const listFaults = (results: Record<string, string[]>) =>
  Object.entries(results).filter(([, faults]) => faults.length > 0)

test('every page has its title at one place, and links of one look', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  test.slow()
  const page = await signIn('admin')
  await page.setViewportSize({ width: 1440, height: 900 })
  const paths = await findEveryPath(page, sandbox, deskUrl)
  const oddLinks: Record<string, string[]> = {}
  const titleBoxes = await checkEveryPage(page, paths, async () => {
    oddLinks[new URL(page.url()).pathname] = await findOddLinks(page)
    return measureTitle(page)
  })
  const titleBox = { x: 24, y: 10, fontSize: '20px' }
  expect
    .soft(titleBoxes)
    .toEqual(Object.fromEntries([...paths.keys()].map((name) => [name, titleBox])))
  expect(listFaults(oddLinks)).toEqual([])
})

test('on a phone every page has its title at one place, and controls for fingers', {
  tag: '@full',
}, async ({ signIn, openBrowser, sandbox, deskUrl }) => {
  test.slow()
  const page = await signIn('admin')
  const paths = await findEveryPath(page, sandbox, deskUrl)
  const phone = await openBrowser({
    storageState: getPersonOfPage(page).state,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const faults: Record<string, string[]> = {}
  const titleBoxes = await checkEveryPage(phone, paths, async () => {
    const { pathname } = new URL(phone.url())
    faults[pathname] = [...(await findSmallControls(phone)), ...(await findZoomedFields(phone))]
    return measureTitle(phone)
  })
  const titleBox = { x: 16, y: 16, fontSize: '20px' }
  expect
    .soft(titleBoxes)
    .toEqual(Object.fromEntries([...paths.keys()].map((name) => [name, titleBox])))
  expect(listFaults(faults)).toEqual([])
})

test('a list fills a wide window, and a form begins at its left edge', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await goTo(page, payoutsPath('sandbox'))
  const tableBox = await page.getByRole('table').boundingBox()
  expect((tableBox?.x ?? 0) + (tableBox?.width ?? 0)).toBeGreaterThanOrEqual(1900)
  await goTo(page, profilePath('sandbox'))
  const [mainBox, panelBox] = [
    await page.getByRole('main').boundingBox(),
    await page.getByRole('main').locator('section').first().boundingBox(),
  ]
  expect(panelBox?.x).toBe((mainBox?.x ?? 0) + 24)
})

test('the header names the account at every width', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  const [account] = await listAccounts(page)
  await goTo(page, homePath({ environment: 'sandbox', scope: account?.id ?? null }))
  const switcher = page.getByRole('button', { name: /^Account/ })
  for (const width of [320, 360, 390, 640, 767, 768, 800, 900, 1023, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    const { button, name, icon } = await switcher.evaluate((element) => {
      const measure = (part: Element | null | undefined) => {
        const { left, right } = part?.getBoundingClientRect() ?? { left: 0, right: 0 }
        return { left, right }
      }
      return {
        button: measure(element),
        name: measure(element.querySelector('bdi')),
        icon: measure(element.querySelector('svg')),
      }
    })
    expect(name.right - name.left, `name at ${width}`).toBeGreaterThanOrEqual(48)
    expect(icon.right, `icon at ${width}`).toBeLessThanOrEqual(button.right)
    expect(button.right, `button at ${width}`).toBeLessThanOrEqual(width)
  }
})
