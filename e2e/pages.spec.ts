import { atRest, goTo } from './desk'
import { everyPage, otherRecords, pagesThereAre } from './every-page'
import { expect, isFull, test } from './fixtures'
import { expectPageSound, measureShifts } from './look'

test('no page is left out below', () => {
  expect(Object.keys(everyPage).sort()).toEqual(pagesThereAre().sort())
})

for (const [name, opens] of Object.entries({ ...everyPage, ...otherRecords })) {
  test(`${name}: drawn, on a phone as well`, { tag: name in everyPage ? [] : '@full' }, async ({ signIn, sandbox, deskUrl }) => {
    const page = await signIn('admin')
    const path = await opens(page, sandbox, deskUrl)
    const shifts = isFull ? await measureShifts(page) : undefined
    const prefetched: string[] = []
    page.on('request', (request) => {
      if (request.headers()['next-router-prefetch']) prefetched.push(new URL(request.url()).pathname)
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    await goTo(page, path)
    await atRest(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
    if (shifts) expect(await shifts(), 'layout shift').toBeLessThan(0.02)
    expect(prefetched, 'pages read before a person opened them').toEqual([])
    await expectPageSound(page)
  })
}
