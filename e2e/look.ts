import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { isFull } from './fixtures'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The axe rules about colors. The results of all other rules depend only on the width. */
const colourRules = ['color-contrast', 'link-in-text-block']
const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }
const smallest = { width: 320, height: 640 }

type Look = { size: typeof wide; colorScheme: 'light' | 'dark' }

const every: readonly Look[] = [
  { size: wide, colorScheme: 'light' },
  { size: wide, colorScheme: 'dark' },
  { size: narrow, colorScheme: 'dark' },
  { size: narrow, colorScheme: 'light' },
]

/** Waits until color transitions are over. An element that inherits a color follows one frame later. */
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

/** Returns the headings of panels whose content is wider than the panel and would overlap the next one. */
const burstPanels = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main section')]
      .filter((panel) => panel.scrollWidth > panel.clientWidth + 1)
      .map((panel) => `${panel.querySelector('h2, h3')?.textContent}: ${panel.scrollWidth} in ${panel.clientWidth}`),
  )

/** Returns axe's violations as `rule: element`, so that a failure shows the location. */
async function violationsOf(page: Page, part: 'all' | 'colours'): Promise<string[]> {
  // Runs in the page itself and reports violations only: a second page and lists of passed checks would take longer than the rules.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (part === 'all' ? axe.withTags(tags) : axe.withRules(colourRules)).analyze()
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

/** Returns the violations once the page has a title. A page that is refetched after another person's change has none for a moment. */
async function lastingViolationsOf(page: Page, part: 'all' | 'colours'): Promise<string[]> {
  const found = await violationsOf(page, part)
  if (!found.some((violation) => violation.startsWith('document-title:'))) return found
  await expect(page).toHaveTitle(/\S/)
  return violationsOf(page, part)
}

async function expectSoundIn(page: Page, looks: readonly Look[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Rows about to be replaced are faint on purpose.
  await expect(page.locator('main div[aria-busy="true"]')).toHaveCount(0)
  const widths = new Set<number>()
  // `npm test` checks the widths only: axe takes longer than most tests.
  for (const { size, colorScheme } of isFull ? looks : []) {
    const ruleSet = widths.has(size.width) ? 'colours' : 'all'
    widths.add(size.width)
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await settled(page)
    // After a soft navigation the title changes later than the page.
    await expect(page).toHaveTitle(/\S/)
    // On a scrolled page a control can be half under the top bar, and axe would report it as too small.
    await page.evaluate(() => window.scrollTo(0, 0))
    expect(await burstPanels(page), `panels at ${size.width}`).toEqual([])
    expect(await lastingViolationsOf(page, ruleSet), `${colorScheme} at ${size.width}`).toEqual([])
  }
  for (const size of [narrow, smallest]) {
    await page.setViewportSize(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `content at ${size.width}`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(wide)
}

/** Checks accessibility in both themes, wide and narrow (full run only), and that the page is never wider than the window. */
export const expectPageSound = (page: Page) => expectSoundIn(page, every)

/** Checks a state of a page, with each theme and each width once: states differ in content, not in colors. */
export const expectSound = (page: Page) =>
  expectSoundIn(
    page,
    [every[0], every[2]].filter((look) => look !== undefined),
  )

/** Checks content that opens over a page in one width only, in both themes. */
export const expectSoundAt = (page: Page, at: 'wide' | 'narrow') =>
  expectSoundIn(
    page,
    every.filter(({ size }) => size === (at === 'wide' ? wide : narrow)),
  )

/** Sums all layout shifts since the first paint. Read the sum when the page is at rest. */
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
