import type { Page } from '@playwright/test'
import { payoutPath, signInPath } from '@/lib/routes'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import {
  fillRelease,
  getDecisionAlert,
  getDecisionRegion,
  getReleaseButton,
  getReleasedMessage,
  getTimelineList,
  prepareRelease,
  reasonText,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'
import { getPersonOfPage } from './person'
import { getNoteField } from './reason'
import { waitForHydration } from './wait-for-hydration'

const getBeginReleaseButton = (page: Page) =>
  getDecisionRegion(page).getByRole('button', { name: 'Release…' })

test('an unknown outcome disables every action, survives a reload and is settled by another check', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: null,
  })
  await getReleaseButton(page).click()
  await expect(getDecisionAlert(page, 'Outcome unknown')).toContainText('Do not repeat', {
    timeout: 15_000,
  })
  await page.reload()
  await waitForHydration(page)
  await expect(getDecisionAlert(page, 'Outcome unknown')).toBeVisible()
  for (const name of ['Release…', 'Hold…', 'Cancel payout…', 'Upload proof']) {
    await expect(getDecisionRegion(page).getByRole('button', { name })).toBeDisabled()
  }
  await expect(getBeginReleaseButton(page)).toHaveAccessibleDescription(
    'Another action is still in progress: you asked to release a payout.',
  )
  await getDecisionRegion(page).getByRole('button', { name: 'Check again' }).click()
  await expect(getDecisionRegion(page).getByText('Checked: still unknown.')).toBeVisible()
  expect(await sandbox.journal(payout.id)).toEqual([])

  await sandbox.clearFaults()
  await getDecisionRegion(page).getByRole('button', { name: 'Check again' }).click()
  await expect(getReleasedMessage(page)).toBeVisible()
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  expect(new Set((await sandbox.writes(payout.id)).map((row) => row.idempotency_key)).size).toBe(1)
})

test('a response lost after the effect is replayed and ends as released', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'reset',
    at: 'after',
  })
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toContainText('Replayed')
  await expect(getReleasedMessage(page)).toContainText(
    'This is the answer to the first attempt. The action happened once.',
  )
  await expect(getTimelineList(page)).toContainText('Release a payout: done, replayed, 2 attempts')
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a refusal of the service is quoted, the text stays, and the next attempt has a new key', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 422,
  })
  await getReleaseButton(page).click()
  await expect(getDecisionAlert(page, 'The payments service refused this')).toContainText(
    '“A planned fault of the sandbox.”',
  )
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(reasonText)
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
  expect(new Set((await sandbox.writes(payout.id)).map((row) => row.idempotency_key)).size).toBe(2)
})

test('an API key without permission shows an error with IDs for an admin', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 403,
  })
  await getReleaseButton(page).click()
  await expect(getDecisionAlert(page, 'Our API key lacks this permission')).toContainText(
    'Give the IDs below to an admin',
  )
  await getDecisionAlert(page, 'Our API key lacks this permission')
    .getByText('Technical details (1 attempt)')
    .click()
  await expect(getDecisionRegion(page).getByRole('button', { name: 'Copy all IDs' })).toBeVisible()
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(reasonText)
})

test('a rejected API key shows a banner, and the person stays signed in', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 401,
  })
  await getReleaseButton(page).click()
  await expect(
    getDecisionAlert(page, 'The payments service rejected our API key. An admin must replace it'),
  ).toBeVisible()
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(reasonText)
  await expect(page.getByRole('button', { name: getPersonOfPage(page).name })).toBeVisible()
})

test('a release that the service rate-limits changes nothing and can be sent again', {
  tag: '@full',
}, async ({ page, started }) => {
  // Starts a separate Paydesk server, because after a rate limit it pauses the requests of all its
  // users. The start makes this test slow.
  test.slow()
  const wholeDesk = await started(startWholeDesk())
  const payout = await wholeDesk.sandbox.makePayout()
  await page.goto(
    wholeDesk.dashboard.url +
      signInPath(payoutPath('sandbox', payout.id, { account: payout.account })),
  )
  await page.getByRole('button', { name: /^operator / }).click()
  await expect(page.getByRole('article', { name: 'Payout' })).toBeVisible()
  await waitForHydration(page)
  await waitForPaymentData(page)
  await fillRelease(page)
  await wholeDesk.sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 429,
    retry_after: 1,
    count: 3,
  })
  await getReleaseButton(page).click()
  const rateLimitText = getDecisionRegion(page).getByText('The provider is rate-limiting us')
  await expect(rateLimitText).toBeVisible({ timeout: 15_000 })
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(reasonText)
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
  expect(await wholeDesk.sandbox.journal(payout.id)).toHaveLength(1)
})
