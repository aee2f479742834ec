import { gzipOf, scriptsOf } from '@/bench/lib/first-load.mjs'
import { atRest, goTo } from './desk'
import { everyPage, otherRecords, pagesThereAre } from './every-page'
import { expect, test } from './fixtures'
import { expectPageSound, measureShifts } from './look'
import { watchScripts } from './watch-scripts'

/** Script of a page, kB gzip: at first load, and of a record's page with all that loads later without a click. */
const scriptLimit = { first: 195, all: 220 }

test('no page is left out below', () => {
  expect(Object.keys(everyPage).sort()).toEqual(pagesThereAre().sort())
})

for (const [name, opens] of Object.entries({ ...everyPage, ...otherRecords })) {
  test(`${name}: sound in both themes and widths, at rest from the first paint, and light`, async ({ signIn, sandbox, deskUrl }) => {
    const page = await signIn('admin')
    const path = await opens(page, sandbox, deskUrl)
    const shifts = await measureShifts(page)
    const scripts = watchScripts(page)
    const prefetched: string[] = []
    page.on('request', (request) => {
      if (request.headers()['next-router-prefetch']) prefetched.push(new URL(request.url()).pathname)
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    await goTo(page, path)
    await atRest(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
    expect(await shifts(), 'layout shift').toBeLessThan(0.02)
    expect(prefetched, 'pages read before anybody asked for them').toEqual([])
    // Of where it led to: some pages only know the way.
    const html = await (await page.request.get(page.url())).text()
    expect(await gzipOf(deskUrl, scriptsOf(html)), 'first-load scripts, kB').toBeLessThanOrEqual(scriptLimit.first)
    if (/\/\[id\](,|$)/.test(name)) expect(await gzipOf(deskUrl, scripts), 'all scripts, kB').toBeLessThanOrEqual(scriptLimit.all)
    await expectPageSound(page)
  })
}
