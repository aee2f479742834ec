import type { Locator, Page } from '@playwright/test'
import { listPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { getQueueRows, openHome } from './home'

const openPaykeyTab = (page: Page, tab: string) =>
  goTo(page, listPath('sandbox', 'paykeys', { tab }))

const measureTextFit = (cell: Locator) =>
  cell.evaluate((element) => {
    const textElement = element.querySelector('bdi, span > span') ?? element
    const lineCount = Math.round(
      textElement.getBoundingClientRect().height /
        Number.parseFloat(getComputedStyle(textElement).lineHeight),
    )
    return {
      whole:
        textElement.scrollWidth <= textElement.clientWidth + 1 &&
        element.scrollWidth <= element.clientWidth + 1,
      lines: lineCount,
    }
  })

test('the home page and the list count the age of a blocked paykey from its block', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('reviewer')
  await openHome(page)
  const unblockQueueRow = getQueueRows(page, 'Paykeys eligible to unblock').first()
  const waitingSince =
    (await unblockQueueRow.locator('time').first().getAttribute('datetime')) ?? ''
  const waitingPaykeyId =
    /paykeys\/([0-9a-f-]{36})/.exec(
      (await unblockQueueRow.getByRole('link').first().getAttribute('href')) ?? '',
    )?.[1] ?? ''
  await openPaykeyTab(page, 'unblockable')
  const row = page.locator(`[data-row="${waitingPaykeyId}"]`)
  await expect(row).toContainText(/blocked \d+ (?:s|min|h|d)/)
  const [createdAt, blockedAt] = await row
    .locator('time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')))
  expect(blockedAt).toBe(waitingSince)
  expect(createdAt).not.toBe(waitingSince)
})

test('the list of paykeys shows the full reason in at most two lines, and if an unblock is possible', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('reviewer')
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const tab of ['review', 'unblockable', 'blocked']) {
    await openPaykeyTab(page, tab)
    const columnIndex = await page
      .getByRole('columnheader')
      .evaluateAll((heads) => heads.findIndex((head) => head.textContent === 'Why'))
    const cells = page.locator(`tbody td:nth-child(${columnIndex + 1})`)
    await expect(cells.first()).toBeVisible()
    for (const cell of await cells.all()) {
      const { whole, lines } = await measureTextFit(cell)
      expect([tab, await cell.textContent(), whole]).toEqual([tab, await cell.textContent(), true])
      expect(lines, (await cell.textContent()) ?? '').toBeLessThanOrEqual(2)
    }
  }
  await expect(page.getByRole('cell', { name: 'possible once' }).first()).toBeVisible()
  await expect(page.getByRole('cell', { name: 'not possible' }).first()).toBeVisible()
})

/** Width in pixels that the browser reserves for the clear button of a search field. */
const clearButtonWidth = 16

test('the placeholder of each search box fits in full', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const list of [
    'payouts',
    'charges',
    'payments',
    'paykeys',
    'customers',
    'accounts',
    'funding_events',
  ] as const) {
    await goTo(page, listPath('sandbox', list))
    const placeholderFreeWidth = await page
      .getByRole('searchbox', { name: /^Search / })
      .first()
      .evaluate((field: HTMLInputElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field)
        const canvasContext = document.createElement('canvas').getContext('2d')
        if (!canvasContext) throw new Error('no canvas')
        canvasContext.font = font
        const inputInnerWidth =
          field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
        return inputInnerWidth - canvasContext.measureText(field.placeholder).width
      })
    expect(placeholderFreeWidth, list).toBeGreaterThanOrEqual(clearButtonWidth)
  }
})
