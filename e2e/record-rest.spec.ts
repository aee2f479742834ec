import { goTo, waitUntilLoaded } from './desk'
import { pathFinders } from './every-page'
import { expect, test } from './fixtures'

test('the header buttons of a record do not move while the rest of it loads', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const organizationPath = await pathFinders['organizations/[id]']?.(page, sandbox, deskUrl)
  await page.addInitScript(() => {
    const buttonPositions = new Set<number>()
    Object.assign(globalThis, { places: buttonPositions })
    const trackButtonPosition = () => {
      const buttonBounds = document
        .querySelector('main [aria-label^="Refresh the "]')
        ?.getBoundingClientRect()
      if (buttonBounds && buttonBounds.width > 0) buttonPositions.add(Math.round(buttonBounds.x))
      requestAnimationFrame(trackButtonPosition)
    }
    trackButtonPosition()
  })
  await goTo(page, organizationPath ?? '')
  await waitUntilLoaded(page)
  await expect(page.locator('summary[title^="Copy"]')).toBeVisible()
  expect(
    await page.evaluate(() => [...(globalThis as unknown as { places: Set<number> }).places]),
  ).toHaveLength(1)
})
