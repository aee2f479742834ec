import { encodedProofDetails } from '@/tests/harness/person'
import {
  createPdfFile,
  fillDecision,
  getDecisionAlert,
  getDecisionRegion,
  getReleaseButton,
  getReleasedMessage,
  getTimelineList,
  openPayout,
  prepareRelease,
  reasonText,
} from './desk'
import { endSession, expect, password, test } from './fixtures'
import { getPersonOfPage } from './person'
import { getNoteField } from './reason'

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
        'action-proof': encodedProofDetails,
      },
      multipart: uploadFields,
    },
  )
  expect(uploadResponse.status()).toBe(201)
  await getReleaseButton(page).click()
  await expect(
    getDecisionRegion(page).getByText('This changed since you opened it', { exact: true }),
  ).toBeVisible()
  await expect(getDecisionRegion(page)).toContainText(
    `Changed by ${getPersonOfPage(otherPersonPage).name}, `,
  )
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(reasonText)
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.authorize',
  ])
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
})

test('the second of two people sees the action of the first and keeps the text', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [firstPersonPage, secondPersonPage] = [await signIn('operator'), await signIn('admin')]
  await prepareRelease(firstPersonPage, payout)
  await openPayout(secondPersonPage, payout)
  await fillDecision(secondPersonPage, 'Cancel payout…', 'Created in error', 'My own words')
  await getReleaseButton(firstPersonPage).click()
  await expect(getReleasedMessage(firstPersonPage)).toBeVisible()
  await getDecisionRegion(secondPersonPage)
    .getByRole('button', { name: /^Cancel payout of/ })
    .click()
  await expect(
    getDecisionRegion(secondPersonPage).getByText('This changed since you opened it', {
      exact: true,
    }),
  ).toBeVisible()
  await expect(getDecisionRegion(secondPersonPage)).toContainText(
    new RegExp(
      `Changed by ${getPersonOfPage(firstPersonPage).name}, .*“Customer confirmed: .*Now: Created: Customer confirmed: `,
    ),
  )
  await expect(getNoteField(getDecisionRegion(secondPersonPage))).toHaveValue('My own words')
  await expect(getTimelineList(secondPersonPage)).toContainText(
    `${getPersonOfPage(firstPersonPage).name} · Paydesk`,
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
  await getReleaseButton(page).click()
  await expect(getDecisionAlert(page, 'Your session ended')).toContainText(
    getPersonOfPage(page).email,
  )
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(reasonText)
  await getDecisionRegion(page).getByLabel('Password', { exact: true }).fill(password)
  await getDecisionRegion(page).getByLabel('Password', { exact: true }).press('Enter')
  await expect(getDecisionAlert(page, 'Your session ended')).toHaveCount(0)
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(reasonText)
  expect(await sandbox.writes(payout.id)).toEqual([])
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
})

test('offline, a banner appears and nothing can be sent until the connection is back', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You are offline' })).toBeVisible()
  await expect(getReleaseButton(page)).toBeDisabled()
  await expect(getReleaseButton(page)).toHaveAccessibleDescription(/You are offline/)
  await getNoteField(getDecisionRegion(page)).press('Control+Enter')
  await page.context().setOffline(false)
  await expect(getReleaseButton(page)).toBeEnabled()
  expect(await sandbox.writes(payout.id)).toEqual([])
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
})
