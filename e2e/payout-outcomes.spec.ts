import type { Page } from '@playwright/test'
import { payoutPath, signInPath } from '@/lib/routes'
import { authorizationDetails } from '@/tests/harness/person'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import {
  createPdfFile,
  decisionRegion,
  fillDecision,
  fillRelease,
  openPayout,
  reasonText,
  releaseButton,
  timelineList,
  waitForPaymentData,
} from './desk'
import { endSession, expect, password, test } from './fixtures'
import { getPerson } from './person'
import { waitForHydration } from './wait-for-hydration'

const alertMessage = (page: Page, title: string) =>
  decisionRegion(page).getByRole('alert').filter({ hasText: title })
const releasedMessage = (page: Page) =>
  decisionRegion(page)
    .getByRole('status')
    .filter({ hasText: /^Released/ })
const noteField = (page: Page) => decisionRegion(page).getByLabel('Note', { exact: true })
const beginReleaseButton = (page: Page) =>
  decisionRegion(page).getByRole('button', { name: 'Release…' })

/** Opens a payout and fills in the release form, but does not submit it. */
async function prepareRelease(page: Page, payout: Parameters<typeof openPayout>[1]) {
  await openPayout(page, payout)
  await fillRelease(page)
}

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
  await releaseButton(page).click()
  await expect(alertMessage(page, 'Outcome unknown')).toContainText('Do not repeat', {
    timeout: 15_000,
  })
  await page.reload()
  await waitForHydration(page)
  await expect(alertMessage(page, 'Outcome unknown')).toBeVisible()
  for (const name of ['Release…', 'Hold…', 'Cancel payout…', 'Upload proof']) {
    await expect(decisionRegion(page).getByRole('button', { name })).toBeDisabled()
  }
  await expect(beginReleaseButton(page)).toHaveAccessibleDescription(
    'Another action is still in progress: you asked to release a payout.',
  )
  await decisionRegion(page).getByRole('button', { name: 'Check again' }).click()
  await expect(decisionRegion(page).getByText('Checked: still unknown.')).toBeVisible()
  expect(await sandbox.journal(payout.id)).toEqual([])

  await sandbox.clearFaults()
  await decisionRegion(page).getByRole('button', { name: 'Check again' }).click()
  await expect(releasedMessage(page)).toBeVisible()
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
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toContainText('Replayed')
  await expect(releasedMessage(page)).toContainText(
    'This is the answer to the first attempt. The action happened once.',
  )
  await expect(timelineList(page)).toContainText('Release a payout: done, replayed, 2 attempts')
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
  await releaseButton(page).click()
  await expect(alertMessage(page, 'The payments service refused this')).toContainText(
    '“A planned fault of the sandbox.”',
  )
  await expect(noteField(page)).toHaveValue(reasonText)
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
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
  await releaseButton(page).click()
  await expect(alertMessage(page, 'Our API key lacks this permission')).toContainText(
    'Give the IDs below to an admin',
  )
  await alertMessage(page, 'Our API key lacks this permission')
    .getByText('Technical details (1 attempt)')
    .click()
  await expect(decisionRegion(page).getByRole('button', { name: 'Copy all IDs' })).toBeVisible()
  await expect(noteField(page)).toHaveValue(reasonText)
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
  await releaseButton(page).click()
  await expect(
    alertMessage(page, 'The payments service rejected our API key. An admin must replace it'),
  ).toBeVisible()
  await expect(noteField(page)).toHaveValue(reasonText)
  await expect(page.getByRole('button', { name: getPerson(page).name })).toBeVisible()
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
  await releaseButton(page).click()
  const rateLimitText = decisionRegion(page).getByText('The provider is rate-limiting us')
  await expect(rateLimitText).toBeVisible({ timeout: 15_000 })
  await expect(noteField(page)).toHaveValue(reasonText)
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
  expect(await wholeDesk.sandbox.journal(payout.id)).toHaveLength(1)
})

test('a payout that changed since it was opened is not written, and the text stays', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [page, otherPersonPage] = [await signIn('operator'), await signIn('reviewer')]
  await prepareRelease(page, payout)
  const uploadFields = { File: createPdfFile('between.pdf') }
  await openPayout(otherPersonPage, payout)
  const uploadResponse = await otherPersonPage.request.post(
    `/api/sandbox/v1/payouts/${payout.id}/authorization?account=${payout.account}`,
    {
      headers: {
        origin: new URL(otherPersonPage.url()).origin,
        'idempotency-key': `pdk_${payout.id.replaceAll('-', '')}`,
        'action-proof': authorizationDetails,
      },
      multipart: uploadFields,
    },
  )
  expect(uploadResponse.status()).toBe(201)
  await releaseButton(page).click()
  await expect(
    decisionRegion(page).getByText('This changed since you opened it', { exact: true }),
  ).toBeVisible()
  await expect(decisionRegion(page)).toContainText(
    `Changed by ${getPerson(otherPersonPage).name}, `,
  )
  await expect(noteField(page)).toHaveValue(reasonText)
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.authorize',
  ])
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
})

test('the second of two people sees the action of the first and keeps the text', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [firstPersonPage, secondPersonPage] = [await signIn('operator'), await signIn('admin')]
  await prepareRelease(firstPersonPage, payout)
  await openPayout(secondPersonPage, payout)
  await fillDecision(secondPersonPage, 'Cancel payout…', 'Created in error', 'My own words')
  await releaseButton(firstPersonPage).click()
  await expect(releasedMessage(firstPersonPage)).toBeVisible()
  await decisionRegion(secondPersonPage)
    .getByRole('button', { name: /^Cancel payout of/ })
    .click()
  await expect(
    decisionRegion(secondPersonPage).getByText('This changed since you opened it', { exact: true }),
  ).toBeVisible()
  await expect(decisionRegion(secondPersonPage)).toContainText(
    new RegExp(`Changed by ${getPerson(firstPersonPage).name}, .*“Authorization proof checked: `),
  )
  await expect(noteField(secondPersonPage)).toHaveValue('My own words')
  await expect(timelineList(secondPersonPage)).toContainText(
    `${getPerson(firstPersonPage).name} · Paydesk`,
  )
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.release',
  ])
})

test('after a session ended, a sign-in on the page keeps the text and sends nothing', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await endSession(page)
  // Polls until the server refuses the session, because it may still accept a session for up to a
  // second after its end.
  await expect
    .poll(async () =>
      (await page.request.get(`/api/sandbox/desk/actions?target=payouts/${payout.id}`)).status(),
    )
    .toBe(401)
  await releaseButton(page).click()
  await expect(alertMessage(page, 'Your session ended')).toContainText(getPerson(page).email)
  await expect(noteField(page)).toHaveValue(reasonText)
  await decisionRegion(page).getByLabel('Password', { exact: true }).fill(password)
  await decisionRegion(page).getByLabel('Password', { exact: true }).press('Enter')
  await expect(alertMessage(page, 'Your session ended')).toHaveCount(0)
  await expect(noteField(page)).toHaveValue(reasonText)
  expect(await sandbox.writes(payout.id)).toEqual([])
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
})

test('offline, a banner appears and nothing can be sent until the connection is back', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You are offline' })).toBeVisible()
  await expect(releaseButton(page)).toBeDisabled()
  await expect(releaseButton(page)).toHaveAccessibleDescription(/You are offline/)
  await noteField(page).press('Control+Enter')
  await page.context().setOffline(false)
  await expect(releaseButton(page)).toBeEnabled()
  expect(await sandbox.writes(payout.id)).toEqual([])
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
})
