import { gzipOf, scriptsOf } from '@/bench/lib/first-load.mjs'
import { atRest, goTo } from './desk'
import { everyPage, pagesThereAre } from './every-page'
import { expect, test } from './fixtures'
import { expectPageSound, measureShifts } from './look'

test('no page is left out below', () => {
  expect(Object.keys(everyPage).sort()).toEqual(pagesThereAre().sort())
})

for (const [name, opens] of Object.entries(everyPage)) {
  test(`${name}: sound in both themes and widths, at rest from the first paint, and light`, async ({ signIn, sandbox, deskUrl }) => {
    const page = await signIn('admin')
    const path = await opens(page, sandbox, deskUrl)
    const shifts = await measureShifts(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await goTo(page, path)
    await atRest(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
    expect(await shifts(), 'layout shift').toBeLessThan(0.02)
    // Of where it led to: some pages only know the way.
    const html = await (await page.request.get(page.url())).text()
    expect(await gzipOf(deskUrl, scriptsOf(html)), 'first-load scripts, kB').toBeLessThanOrEqual(190)
    await expectPageSound(page)
  })
}
