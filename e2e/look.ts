import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { isFull } from './fixtures'

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The axe rules about colors. The results of all other rules depend only on the width, not on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block']
const wideSize = { width: 1280, height: 800 }
const narrowSize = { width: 390, height: 844 }
const smallestSize = { width: 320, height: 640 }

type Appearance = { size: typeof wideSize; colorScheme: 'light' | 'dark' }

const allAppearances: readonly Appearance[] = [
  { size: wideSize, colorScheme: 'light' },
  { size: wideSize, colorScheme: 'dark' },
  { size: narrowSize, colorScheme: 'dark' },
  { size: narrowSize, colorScheme: 'light' },
]

/** Waits until color transitions have ended. Waits one frame more, because an element that inherits a color changes one frame later. */
async function waitForTransitions(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(document.getAnimations().every((each) => each.playState !== 'running'))),
        )
      }),
  )
}

/** Returns the headings of panels whose content is wider than the panel and would overlap the next panel. */
const findOverflowingPanels = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main section')]
      .filter((panel) => panel.scrollWidth > panel.clientWidth + 1)
      .map((panel) => `${panel.querySelector('h2, h3')?.textContent}: ${panel.scrollWidth} in ${panel.clientWidth}`),
  )

/** Returns axe's violations as `rule: element`, so that a failure shows the element. */
async function findViolations(page: Page, part: 'all' | 'colours'): Promise<string[]> {
  // In legacy mode axe opens no second page, and reports no passed checks. Both would take longer than the rules.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (part === 'all' ? axe.withTags(wcagTags) : axe.withRules(colorRules)).analyze()
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

/** Returns the violations of a page that has a title. A page that was refetched has no title for a moment, so the check is repeated. */
async function findLastingViolations(page: Page, part: 'all' | 'colours'): Promise<string[]> {
  const foundViolations = await findViolations(page, part)
  if (!foundViolations.some((violation) => violation.startsWith('document-title:'))) return foundViolations
  await expect(page).toHaveTitle(/\S/)
  return findViolations(page, part)
}

async function expectAccessibleIn(page: Page, appearances: readonly Appearance[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Waits for rows that are about to be replaced, because they are intentionally faint.
  await expect(page.locator('main div[aria-busy="true"]')).toHaveCount(0)
  const testedWidths = new Set<number>()
  // `npm test` checks only the widths, because axe takes longer than most tests.
  for (const { size, colorScheme } of isFull ? appearances : []) {
    const ruleSet = testedWidths.has(size.width) ? 'colours' : 'all'
    testedWidths.add(size.width)
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await waitForTransitions(page)
    // After a client-side navigation, the title changes later than the page.
    await expect(page).toHaveTitle(/\S/)
    // Scrolls to the top. Otherwise the top bar could cover half of a control, and axe would report the control as too small.
    await page.evaluate(() => window.scrollTo(0, 0))
    expect(await findOverflowingPanels(page), `panels at ${size.width}`).toEqual([])
    expect(await findLastingViolations(page, ruleSet), `${colorScheme} at ${size.width}`).toEqual([])
  }
  for (const size of [narrowSize, smallestSize]) {
    await page.setViewportSize(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `content at ${size.width}`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(wideSize)
}

/**
 * In the full run, checks accessibility in both themes, wide and narrow. In every run, checks that the page is never wider than the window.
 */
export const expectPageAccessible = (page: Page) => expectAccessibleIn(page, allAppearances)

/**
 * Checks one state of a page: once per theme and once per width. States differ in content and not in colors, so not every combination is
 * needed.
 */
export const expectAccessible = (page: Page) =>
  expectAccessibleIn(
    page,
    [allAppearances[0], allAppearances[2]].filter((look) => look !== undefined),
  )

/** Checks content that opens over a page, in one width and both themes. */
export const expectAccessibleAt = (page: Page, at: 'wide' | 'narrow') =>
  expectAccessibleIn(
    page,
    allAppearances.filter(({ size }) => size === (at === 'wide' ? wideSize : narrowSize)),
  )

/** Starts to measure layout shifts. Returns a function that returns their sum since the first paint; call it when the page is at rest. */
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
