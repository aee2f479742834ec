import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { isFullRun } from './fixtures'

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/**
 * The axe rules whose results depend on the theme. For the other rules, one run per width is
 * enough.
 */
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

/**
 * Waits until no color transition runs. Waits two frames before it checks, because a transition of
 * an inherited color starts later.
 */
async function waitForTransitions(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            resolve(document.getAnimations().every((each) => each.playState !== 'running')),
          ),
        )
      }),
  )
}

/**
 * Returns the panels whose content is wider than the panel, so that it overlaps the next one. Form:
 * `heading: content width in width`.
 */
const findOverflowingPanels = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main section')]
      .filter((panel) => panel.scrollWidth > panel.clientWidth + 1)
      .map(
        (panel) =>
          `${panel.querySelector('h2, h3')?.textContent}: ${panel.scrollWidth} in ${panel.clientWidth}`,
      ),
  )

/** Returns axe's violations as `rule: element`, so that a failure shows the element. */
async function findViolations(page: Page, checkedRules: 'all' | 'colours'): Promise<string[]> {
  // Saves time: in legacy mode, axe opens no second page, and `resultTypes` omits the passed
  // checks. Opening that page and listing those checks would each take longer than the rules
  // themselves.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (checkedRules === 'all'
    ? axe.withTags(axeTags)
    : axe.withRules(colorRules)
  ).analyze()
  return violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary}`,
    ),
  )
}

/**
 * Returns axe's violations. A page that was just refetched has no title for a moment. If axe
 * reports a missing title, waits for the title and repeats the check.
 */
async function findLastingViolations(
  page: Page,
  checkedRules: 'all' | 'colours',
): Promise<string[]> {
  const foundViolations = await findViolations(page, checkedRules)
  if (!foundViolations.some((violation) => violation.startsWith('document-title:')))
    return foundViolations
  await expect(page).toHaveTitle(/\S/)
  return findViolations(page, checkedRules)
}

async function expectAccessibleIn(page: Page, appearances: readonly Appearance[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Waits until no list is refetching. A list makes its old rows faint during a refetch, and axe
  // would report their low contrast.
  await expect(page.locator('main div[aria-busy="true"]')).toHaveCount(0)
  const widthsWithAllRules = new Set<number>()
  // `npm test` runs no axe rules, because axe takes longer than most tests. It only checks the
  // widths below.
  for (const { size, colorScheme } of isFullRun ? appearances : []) {
    const ruleSet = widthsWithAllRules.has(size.width) ? 'colours' : 'all'
    widthsWithAllRules.add(size.width)
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await waitForTransitions(page)
    // After a client-side navigation, the title is set later than the content, and axe would report
    // a missing title.
    await expect(page).toHaveTitle(/\S/)
    // Scrolls to the top. Otherwise the top bar could cover half of a control, and axe would report
    // the control as too small.
    await page.evaluate(() => window.scrollTo(0, 0))
    expect(await findOverflowingPanels(page), `panels at ${size.width}`).toEqual([])
    expect(await findLastingViolations(page, ruleSet), `${colorScheme} at ${size.width}`).toEqual(
      [],
    )
  }
  for (const size of [narrowSize, smallestSize]) {
    await page.setViewportSize(size)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      `content at ${size.width}`,
    ).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(wideSize)
}

/**
 * In the full run, checks accessibility in both themes, wide and narrow. In every run, checks that
 * the page is never wider than the window.
 */
export const expectPageAccessible = (page: Page) => expectAccessibleIn(page, allAppearances)

/**
 * Checks one state of a page: the light theme at the wide size, and the dark theme at the narrow
 * size. The states of a page differ in content and not in colors, so the other two combinations are
 * not needed.
 */
export const expectAccessible = (page: Page) =>
  expectAccessibleIn(
    page,
    [allAppearances[0], allAppearances[2]].filter((look) => look !== undefined),
  )

/**
 * Checks content that opens over a page, such as a dialog or a menu, at one width and in both
 * themes.
 */
export const expectAccessibleAt = (page: Page, screenWidth: 'wide' | 'narrow') =>
  expectAccessibleIn(
    page,
    allAppearances.filter(({ size }) => size === (screenWidth === 'wide' ? wideSize : narrowSize)),
  )

/**
 * Measures the layout shifts of all later pages. Returns a function that returns their sum on the
 * current page since its first paint.
 */
export async function measureLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const layoutShifts = { sum: 0 }
    Object.assign(window, { shifts: layoutShifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]) {
        if (!entry.hadRecentInput) layoutShifts.sum += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
}
