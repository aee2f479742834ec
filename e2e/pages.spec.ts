import { goTo, waitUntilLoaded } from './desk'
import { listPageFolders, otherRecords, pathFinders } from './every-page'
import { expect, isFull, test } from './fixtures'
import { expectPageAccessible, measureShifts } from './look'

test('the list of tested pages is complete', () => {
  expect(Object.keys(pathFinders).sort()).toEqual(listPageFolders().sort())
})

const pages = Object.entries(isFull ? { ...pathFinders, ...otherRecords } : pathFinders)

/** Number of pages per test. Creating a person and a browser context takes as long as rendering a page, so some pages share them. */
const pagesPerTest = isFull ? 1 : 9
const groups = Array.from({ length: Math.ceil(pages.length / pagesPerTest) }, (_, at) =>
  pages.slice(at * pagesPerTest, (at + 1) * pagesPerTest),
)

for (const group of groups) {
  test(`${group.map(([name]) => name).join(', ')}: renders, also on a phone`, async ({ signIn, sandbox, deskUrl }) => {
    const page = await signIn('admin')
    let prefetched: string[] = []
    page.on('request', (request) => {
      if (request.headers()['next-router-prefetch']) prefetched.push(new URL(request.url()).pathname)
    })
    for (const [name, opens] of group)
      await test.step(name, async () => {
        const path = await opens(page, sandbox, deskUrl)
        const shifts = isFull ? await measureShifts(page) : undefined
        prefetched = []
        await page.setViewportSize({ width: 1280, height: 800 })
        await goTo(page, path)
        await waitUntilLoaded(page)
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
        if (shifts) expect(await shifts(), 'layout shift').toBeLessThan(0.02)
        expect(prefetched, 'pages read before a person opened them').toEqual([])
        await expectPageAccessible(page)
      })
  })
}
