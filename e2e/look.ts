import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }
const smallest = { width: 320, height: 640 }

type Size = typeof wide

/** Waits until no colour is on its way to another: what inherits one follows a frame after what it inherits from. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(document.getAnimations().every((each) => each.playState !== 'running'))),
        )
      }),
  )
}

/** What axe finds, as `rule: element`, so that a failure says where to look. */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

/** A state of a screen is accessible in both themes, wide and narrow, and never wider than the window. */
export async function expectSound(page: Page, sizes: readonly Size[] = [wide, narrow]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await settled(page)
      expect(await violationsOf(page), `${colorScheme} at ${size.width}`).toEqual([])
    }
  }
  for (const size of [narrow, smallest]) {
    await page.setViewportSize(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `content at ${size.width}`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(wide)
}

/** The same for what is open over a page in one width only. */
export const expectSoundAt = (page: Page, at: 'wide' | 'narrow') => expectSound(page, [at === 'wide' ? wide : narrow])

/** Adds up every shift of the layout from the first paint on; read it when the page is at rest. */
export async function measureShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) shifts.sum += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
}
