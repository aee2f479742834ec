import type { Locator, Page } from '@playwright/test'
import { recordPath } from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import {
  decideThroughApi,
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  goTo,
  openPayout,
  openPayoutList,
  reasonText,
  toScopeParams,
} from './desk'
import { expect, test } from './fixtures'
import { getQueueRows, openHome } from './home'
import { getPersonOfPage } from './person'

const getClaimLine = (page: Page, text: string | RegExp): Locator =>
  getDecisionRegion(page).getByText(text)
const getDecisionButton = (page: Page, name: RegExp | string): Locator =>
  getDecisionRegion(page).getByRole('button', { name })

/**
 * Advances the page's clock by 31 seconds, so that the page reads the claims again. It does so
 * every 30 seconds.
 */
const advanceClock = (page: Page) => page.clock.fastForward(31_000)

test('one person claims a payout, and another sees the claim and takes it over with a notice', async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const [omar, dana] = [await signIn('operator'), await signIn('admin')]
  // Uses a separate account, because the queue of a shared account can be longer than one page.
  const payout = await sandbox.makePayout({
    account_id: (await makeAccountWithCustomer(omar, deskUrl)).id,
  })
  for (const page of [omar, dana]) await page.clock.install()
  await openPayoutList(omar, { account: payout.account, open: payout.id })
  await expect(getDecisionButton(omar, 'Release…')).toBeEnabled()
  await getDecisionButton(omar, /^Claim/).click()
  await expect(getClaimLine(omar, /^You’re working on this since \d{1,2}:\d\d [AP]M/)).toBeVisible()

  await openHome(dana, { account: payout.account })
  await expect(
    getQueueRows(dana, 'Held payouts').getByText(`${getPersonOfPage(omar).name} working on this`),
  ).toBeVisible()
  await openPayoutList(dana, { account: payout.account })
  await expect(
    dana
      .locator(`[data-row="${payout.id}"]`)
      .getByText(`${getPersonOfPage(omar).name} working on this`),
  ).toBeVisible()
  await goTo(
    dana,
    recordPath(toScopeParams(payout.account), 'payouts', payout.id, {
      account: payout.account,
      queue: 'hold',
    }),
  )
  await expect(
    getClaimLine(
      dana,
      new RegExp(`^${getPersonOfPage(omar).name} is working on this since \\d{1,2}:\\d\\d [AP]M`),
    ),
  ).toBeVisible()

  await fillRelease(omar, 'My own words')
  await getDecisionButton(dana, 'Take over').click()
  await expect(getClaimLine(dana, /^You’re working on this since/)).toBeVisible()
  await advanceClock(omar)
  await expect(
    getDecisionRegion(omar)
      .getByRole('status')
      .getByText(
        new RegExp(
          `^${getPersonOfPage(dana).name} took this over at \\d{1,2}:\\d\\d [AP]M.*Your entries are kept\\.$`,
        ),
      ),
  ).toBeVisible()
  await expect(getDecisionRegion(omar).getByLabel('Note', { exact: true })).toHaveValue(
    'My own words',
  )
  // A claim blocks nothing: the person who lost it can still decide.
  await expect(getReleaseButton(omar)).toBeEnabled()
})

test('opening a decision claims the record, and leaving it releases the claim', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [omar, dana] = [await signIn('operator'), await signIn('admin')]
  await dana.clock.install()
  await openPayout(omar, payout)
  await fillRelease(omar)
  await expect(getClaimLine(omar, /^You’re working on this since/)).toBeVisible()
  await openPayoutList(dana, { account: payout.account, open: payout.id })
  await expect(
    getClaimLine(dana, new RegExp(`^${getPersonOfPage(omar).name} is working on this`)),
  ).toBeVisible()
  await omar.goto('about:blank')
  await expect(async () => {
    await advanceClock(dana)
    await expect(getDecisionButton(dana, /^Claim/)).toBeVisible({ timeout: 1000 })
  }).toPass()
})

test('a person who writes during another decision sees who decided, when and why, and keeps the text', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const [omar, dana] = [await signIn('operator'), await signIn('admin')]
  await omar.clock.install()
  await openPayout(dana, payout)
  await fillRelease(dana)
  await expect(getClaimLine(dana, /^You’re working on this since/)).toBeVisible()
  await openPayout(omar, payout)
  await fillRelease(omar, 'My own words')
  await expect(
    getClaimLine(omar, new RegExp(`^${getPersonOfPage(dana).name} is working on this`)),
  ).toBeVisible()
  expect((await decideThroughApi(dana, deskUrl, payout, 'release')).status()).toBe(200)
  await getDecisionButton(dana, 'Back').click()
  await expect(async () => {
    await advanceClock(omar)
    await expect(
      getDecisionRegion(omar).getByText('This changed while the form was open'),
    ).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(getDecisionRegion(omar)).toContainText(
    new RegExp(`Changed by ${getPersonOfPage(dana).name}, .*“Authorization proof checked: `),
  )
  await expect(getDecisionRegion(omar)).toContainText(reasonText)
  await expect(getDecisionRegion(omar).getByLabel('Note', { exact: true })).toHaveValue(
    'My own words',
  )
  expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).toEqual([
    'payouts.release',
  ])
})
