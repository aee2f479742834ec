import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { isFull } from './fixtures'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules that hang on colours; the others find the same in a width whatever its theme. */
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

/** Panels whose content is wider than they are, by their headings: it would lie over the neighbour. */
const burstPanels = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main section')]
      .filter((panel) => panel.scrollWidth > panel.clientWidth + 1)
      .map((panel) => `${panel.querySelector('h2, h3')?.textContent}: ${panel.scrollWidth} in ${panel.clientWidth}`),
  )

/** What axe finds, as `rule: element`, so that a failure says where to look. */
async function violationsOf(page: Page, part: 'all' | 'colours'): Promise<string[]> {
  // In the page itself and violations only: a second page to gather the results in, and lists of all that passed, cost more than the rules.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (part === 'all' ? axe.withTags(tags) : axe.withRules(colourRules)).analyze()
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

/** The same, once the page has a title: one that is read again meanwhile, because somebody else changed what it shows, has none for a moment. */
async function lastingViolationsOf(page: Page, part: 'all' | 'colours'): Promise<string[]> {
  const found = await violationsOf(page, part)
  if (!found.some((violation) => violation.startsWith('document-title:'))) return found
  await expect(page).toHaveTitle(/\S/)
  return violationsOf(page, part)
}

async function expectSoundIn(page: Page, looks: readonly Look[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Rows that are about to be replaced are faint, and not meant to be read.
  await expect(page.locator('main div[aria-busy="true"]')).toHaveCount(0)
  const widths = new Set<number>()
  // `npm test` looks at the widths only: axe takes longer than most tests.
  for (const { size, colorScheme } of isFull ? looks : []) {
    const part = widths.has(size.width) ? 'colours' : 'all'
    widths.add(size.width)
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await settled(page)
    // After a step inside the application the title follows the page.
    await expect(page).toHaveTitle(/\S/)
    // Where the page was scrolled to by what came before, a control can be half under the bar at the top, which axe takes for a small one.
    await page.evaluate(() => window.scrollTo(0, 0))
    expect(await burstPanels(page), `panels at ${size.width}`).toEqual([])
    expect(await lastingViolationsOf(page, part), `${colorScheme} at ${size.width}`).toEqual([])
  }
  for (const size of [narrow, smallest]) {
    await page.setViewportSize(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `content at ${size.width}`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(wide)
}

/** In a full run a page is accessible in both themes, wide and narrow; in every run it is never wider than the window. */
export const expectPageSound = (page: Page) => expectSoundIn(page, every)

/** The same for a state of it, each theme and each width once: what differs between states is what is there, not how it is coloured. */
export const expectSound = (page: Page) =>
  expectSoundIn(
    page,
    [every[0], every[2]].filter((look) => look !== undefined),
  )

/** The same for what is open over a page in one width only, in both themes. */
export const expectSoundAt = (page: Page, at: 'wide' | 'narrow') =>
  expectSoundIn(
    page,
    every.filter(({ size }) => size === (at === 'wide' ? wide : narrow)),
  )

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
