import { atRest, goTo } from './desk'
import { everyPage, otherRecords, pagesThereAre } from './every-page'
import { expect, isFull, test } from './fixtures'
import { expectPageSound, measureShifts } from './look'

test('the list of tested pages is complete', () => {
  expect(Object.keys(everyPage).sort()).toEqual(pagesThereAre().sort())
})

const pages = Object.entries(isFull ? { ...everyPage, ...otherRecords } : everyPage)

/** Number of pages per test. Creating a person and a browser context takes as long as rendering a page, so some pages share them. */
const size = isFull ? 1 : 9
const groups = Array.from({ length: Math.ceil(pages.length / size) }, (_, at) => pages.slice(at * size, (at + 1) * size))

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
        await atRest(page)
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
        if (shifts) expect(await shifts(), 'layout shift').toBeLessThan(0.02)
        expect(prefetched, 'pages read before a person opened them').toEqual([])
        await expectPageSound(page)
      })
  })
}
