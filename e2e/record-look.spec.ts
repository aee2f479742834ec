import type { Locator, Page } from '@playwright/test'
import {
  deskPath,
  forgotPasswordPath,
  homePath,
  payoutsPath,
  recordPath,
  welcomePath,
} from '@/lib/routes'
import { linkBankAccount, makeAccount, openAccount } from './accounts'
import {
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  goTo,
  openPayout,
  waitForPaymentData,
  waitUntilLoaded,
} from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { getPanelByTitle, openPaykey } from './paykey-desk'
import { getStepUpDialog } from './step-up'

const smallDesktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

async function getBox(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('the element is not visible')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** Scrolls each item into view and returns those that the open form covers. */
async function findCoveredItems(items: Locator): Promise<string[]> {
  await expect(items.first()).toBeVisible()
  return items.evaluateAll((elements) =>
    elements.flatMap((element) => {
      element.scrollIntoView({ block: 'nearest' })
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const shownElement = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return element.contains(shownElement) ? [] : [element.textContent ?? '']
    }),
  )
}

/** The form is beside the record, within the window, and covers none of the record's items. */
async function expectFormBesideRecord(page: Page, items: Locator): Promise<void> {
  expect(await findCoveredItems(items)).toEqual([])
  const [form, item] = [await getBox(getDecisionRegion(page)), await getBox(items.first())]
  expect(form.x).toBeGreaterThanOrEqual(item.right)
  expect(form.y).toBeGreaterThanOrEqual(0)
  expect(form.bottom).toBeLessThanOrEqual(smallDesktop.height)
}

test.describe('a decision form', { tag: '@full' }, () => {
  for (const viewName of ['on its own page', 'beside a list']) {
    test(`of a payout ${viewName} covers no check`, async ({ signIn, sandbox }) => {
      const payout = await sandbox.makePayout()
      const page = await signIn('operator')
      await page.setViewportSize(smallDesktop)
      const { account, id, externalId } = payout
      await goTo(
        page,
        viewName === 'beside a list'
          ? payoutsPath('sandbox', { account, search_text: externalId, open: id })
          : recordPath('sandbox', 'payouts', id, { account }),
      )
      await waitForPaymentData(page)
      await fillRelease(page)
      const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
      await expectFormBesideRecord(page, checks)
      await expect(getReleaseButton(page)).toBeInViewport({ ratio: 1 })
    })
  }

  test('of a paykey covers no evidence', async ({ signIn, sandbox }) => {
    const payout = await sandbox.makePayout({
      paykey_status: 'review',
      status: 'on_hold',
      reason: 'watchtower_review',
      source: 'watchtower',
    })
    const page = await signIn('reviewer')
    await page.setViewportSize(smallDesktop)
    await openPaykey(page, { id: payout.paykey, account: payout.account })
    await waitUntilLoaded(page)
    await getDecisionRegion(page).getByRole('button', { name: 'Approve…' }).click()
    const evidence = page.getByRole('list', { name: 'Evidence' }).getByRole('listitem')
    await expectFormBesideRecord(page, evidence)
  })

  test('covers at most half of a smaller window', async ({ signIn, sandbox }) => {
    const payout = await sandbox.makePayout({ paykey_status: 'blocked' })
    const page = await signIn('operator')
    await openPayout(page, payout)
    await getDecisionRegion(page).getByRole('button', { name: 'Cancel payout…' }).click()
    for (const size of [{ width: 1024, height: 600 }, phone]) {
      await page.setViewportSize(size)
      const { height } = await getBox(getDecisionRegion(page))
      expect(height, `at ${size.width}`).toBeLessThanOrEqual(size.height / 2)
    }
  })
})

test('the action bar begins with the first available action, and Claim is in its row', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ paykey_status: 'blocked' })
  const page = await signIn('operator')
  await goTo(
    page,
    recordPath('sandbox', 'payouts', payout.id, { account: payout.account, queue: 'hold' }),
  )
  await waitForPaymentData(page)
  const buttons = getDecisionRegion(page).locator('[data-choice] button')
  const isDisabled = await buttons.evaluateAll((elements) =>
    elements.map((element) => element.getAttribute('aria-disabled') === 'true'),
  )
  expect(isDisabled).toEqual(isDisabled.toSorted((a, b) => Number(a) - Number(b)))
  const fillOf = (button: Locator) =>
    button.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await fillOf(buttons.first())).not.toBe(await fillOf(buttons.nth(1)))
  const claimButton = getDecisionRegion(page).getByRole('button', { name: /^Claim/ })
  const [first, claim] = [await getBox(buttons.first()), await getBox(claimButton)]
  expect(claim.y + claim.height / 2).toBeCloseTo(first.y + first.height / 2, 0)
  expect(claim.x).toBeGreaterThan((await getBox(buttons.last())).x)
})

test('on a phone the action bar has one action and "More", and most of the window is the record', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await page.setViewportSize(phone)
  await openPayout(page, payout)
  const bar = getDecisionRegion(page)
  await expect(bar.getByRole('button')).toHaveText([/^Release…/, 'More'])
  const header = await getBox(page.getByRole('banner'))
  expect((await getBox(bar)).y - header.bottom).toBeGreaterThanOrEqual(600)
  await bar.getByRole('button', { name: 'More' }).click()
  await expect(bar.getByRole('button', { name: 'Cancel payout…' })).toBeVisible()
  await bar.getByRole('button', { name: 'Cancel payout…' }).click()
  await bar.getByRole('button', { name: 'Back' }).click()
  await expect(bar.getByRole('button', { name: 'Cancel payout…' })).toBeFocused()
  await bar.getByRole('button', { name: 'Less' }).click()
  await expect(bar.getByRole('button')).toHaveText([/^Release…/, 'More'])
})

test('the values of stacked panels begin at one position, and panels have no empty rest', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  await goTo(page, homePath('sandbox'))
  const account = await makeAccount(page, deskUrl)
  const linked = await linkBankAccount(page, account)
  await openAccount(page, account)
  await waitUntilLoaded(page)
  const valueOffsets = await page.locator('article section dl').evaluateAll((lists) =>
    lists.flatMap((list) => {
      const value = list.querySelector('dd')
      const panel = list.closest('section')
      return value && panel
        ? [Math.round(value.getBoundingClientRect().x - panel.getBoundingClientRect().x)]
        : []
    }),
  )
  expect(valueOffsets.length).toBeGreaterThan(2)
  expect(new Set(valueOffsets).size, valueOffsets.join(' ')).toBe(1)
  await expect(getPanelByTitle(page, 'Linked bank accounts')).toContainText(/••••7890/)
  await expect(page.getByRole('article')).not.toContainText(linked.id)

  const payout = await sandbox.makePayout({ status: 'paid' })
  await openPaykey(page, { id: payout.paykey, account: payout.account })
  await waitUntilLoaded(page)
  for (const title of ['Evidence', 'Pending payments']) {
    const emptyHeight = await getPanelByTitle(page, title).evaluate((panel) => {
      const texts = document.createRange()
      texts.selectNodeContents(panel)
      const bottoms = [...texts.getClientRects()].map(({ bottom, height }) => ({ bottom, height }))
      const textBottom = Math.max(
        ...bottoms.filter(({ height }) => height < 60).map(({ bottom }) => bottom),
      )
      return panel.getBoundingClientRect().bottom - textBottom
    })
    expect(emptyHeight, title).toBeLessThan(20)
  }
})

test('a chart shows the figures of the day under the pointer or finger', {
  tag: '@full',
}, async ({ signIn, openBrowser }) => {
  const page = await signIn('admin')
  await goTo(page, homePath('sandbox'))
  const getChart = (shown: Page) => shown.getByRole('img', { name: /net/i }).first()
  const chart = getChart(page)
  await chart.scrollIntoViewIfNeeded()
  const box = await getBox(chart)
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2)
  await expect(chart).toContainText(/: in \$[\d,.]+, out \$[\d,.]+, net/)
  await page.mouse.move(0, 0)
  await expect(chart).not.toContainText(': in $')
  const touchPage = await openBrowser({
    hasTouch: true,
    storageState: await page.context().storageState(),
  })
  await goTo(touchPage, homePath('sandbox'))
  await getChart(touchPage).scrollIntoViewIfNeeded()
  const touchBox = await getBox(getChart(touchPage))
  await touchPage.touchscreen.tap(touchBox.x + touchBox.width * 0.3, touchBox.y + 40)
  await expect(getChart(touchPage)).toContainText(/: in \$[\d,.]+, out \$[\d,.]+, net/)
})

test.describe('the step-up dialog', () => {
  test.use({ confirms: false })

  test('has Cancel and Confirm side by side', { tag: '@full' }, async ({ signIn, sandbox }) => {
    const payout = await sandbox.makePayout()
    const page = await signIn('operator')
    await openPayout(page, payout)
    await fillRelease(page)
    await getReleaseButton(page).click()
    const dialog = getStepUpDialog(page)
    const [cancel, confirm] = [
      await getBox(dialog.getByRole('button', { name: 'Cancel' })),
      await getBox(dialog.getByRole('button', { name: 'Confirm', exact: true })),
    ]
    expect(cancel.y).toBeCloseTo(confirm.y, 0)
    expect(confirm.x - cancel.right).toBeLessThan(16)
  })
})

test('the pages for a forgotten and a new password lead back to sign-in', {
  tag: '@full',
}, async ({ page }) => {
  for (const path of [forgotPasswordPath, welcomePath()]) {
    await goTo(page, path)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
  }
})

test('the limits have no accessibility violation', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('admin')
  await goTo(page, deskPath('sandbox', '/limits'))
  await expectAccessible(page)
})

test('the sheet of shortcuts has no accessibility violation', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('admin')
  await goTo(page, homePath('sandbox'))
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page)
})

test('the palette has no accessibility violation', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('admin')
  await goTo(page, homePath('sandbox'))
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find or go to' }).fill('limits')
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectAccessible(page)
})

test('the print of a record has no form', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await page.getByRole('button', { name: /^Notes/ }).click()
  const form = page.getByRole('article').locator('form').first()
  await expect(form).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(form).toBeHidden()
})
