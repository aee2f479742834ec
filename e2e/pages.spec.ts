import { goTo, waitUntilLoaded } from './desk'
import { failedPaymentPathFinders, listPageFolders, pathFinders } from './every-page'
import { expect, isFullRun, test } from './fixtures'
import { expectPageAccessible, measureLayoutShifts } from './look'

test('the list of tested pages is complete', () => {
  expect(Object.keys(pathFinders).sort()).toEqual(listPageFolders().sort())
})

const testedPages = Object.entries(
  isFullRun ? { ...pathFinders, ...failedPaymentPathFinders } : pathFinders,
)

/**
 * Number of pages per test. Creating a person and a browser context takes as long as rendering a
 * page, so some pages share them.
 */
const pagesPerTest = isFullRun ? 1 : 9
const pageGroups = Array.from({ length: Math.ceil(testedPages.length / pagesPerTest) }, (_, at) =>
  testedPages.slice(at * pagesPerTest, (at + 1) * pagesPerTest),
)

for (const group of pageGroups) {
  test(`${group.map(([name]) => name).join(', ')}: renders, also on a phone`, async ({
    signIn,
    sandbox,
    deskUrl,
  }) => {
    const page = await signIn('admin')
    let prefetchedPaths: string[] = []
    page.on('request', (request) => {
      if (request.headers()['next-router-prefetch'])
        prefetchedPaths.push(new URL(request.url()).pathname)
    })
    for (const [name, findPath] of group)
      await test.step(name, async () => {
        const path = await findPath(page, sandbox, deskUrl)
        const readLayoutShiftSum = isFullRun ? await measureLayoutShifts(page) : undefined
        prefetchedPaths = []
        await page.setViewportSize({ width: 1280, height: 800 })
        await goTo(page, path)
        await waitUntilLoaded(page)
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
        if (readLayoutShiftSum)
          expect(await readLayoutShiftSum(), 'layout shift').toBeLessThan(0.02)
        expect(prefetchedPaths, 'pages read before a person opened them').toEqual([])
        await expectPageAccessible(page)
      })
  })
}
